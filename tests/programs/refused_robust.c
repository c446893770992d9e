// refused: refused_robust.c:8: robust mutexes (pthread_mutexattr_setrobust)
#define _GNU_SOURCE
#include <pthread.h>
int main(void)
{
	pthread_mutexattr_t a;
	pthread_mutexattr_init(&a);
	pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
	return 0;
}
