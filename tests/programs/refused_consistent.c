// refused: refused_consistent.c:7: robust mutexes (pthread_mutex_consistent)
#define _GNU_SOURCE
#include <pthread.h>
int main(void)
{
	pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
	pthread_mutex_consistent(&m);
	return 0;
}
