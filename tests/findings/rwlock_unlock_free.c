// everett: -k
// executions: sc/none:1 tso/traces:1 ra/rf:1
// finding: mutex-misuse at rwlock_unlock_free.c:8
#include <pthread.h>
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int main(void)
{
	pthread_rwlock_unlock(&lock);
	return 0;
}
