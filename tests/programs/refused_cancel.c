// refused: refused_cancel.c:6: cancellation of threads (pthread_cancel)
#define _GNU_SOURCE
#include <pthread.h>
int main(void)
{
	pthread_cancel(pthread_self());
	return 0;
}
