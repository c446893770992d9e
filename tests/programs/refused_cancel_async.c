// refused: refused_cancel_async.c:6: asynchronous cancellation (pthread_setcanceltype)
#define _GNU_SOURCE
#include <pthread.h>
int main(void)
{
	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
	return 0;
}
