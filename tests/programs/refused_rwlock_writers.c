// refused: refused_rwlock_writers.c:8: rwlocks that prefer writers (pthread_rwlockattr_setkind_np)
#define _GNU_SOURCE
#include <pthread.h>
int main(void)
{
	pthread_rwlockattr_t a;
	pthread_rwlockattr_init(&a);
	pthread_rwlockattr_setkind_np(&a, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
	return 0;
}
