// everett: -k
// executions: sc/none:1 tso/traces:1 ra/rf:1
// finding: mutex-misuse at rwlock_uninitialised.c:9
#include <pthread.h>
#include <stdlib.h>
int main(void)
{
	pthread_rwlock_t *lock = malloc(sizeof(*lock));
	pthread_rwlock_rdlock(lock);
	return 0;
}
