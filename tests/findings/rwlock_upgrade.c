// A reader that wants to write waits for itself.
// everett: -k
// executions: sc/none:1 tso/traces:1 ra/rf:1
// finding: deadlock at rwlock_upgrade.c:10
#include <pthread.h>
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int main(void)
{
	pthread_rwlock_rdlock(&lock);
	pthread_rwlock_wrlock(&lock);
	pthread_rwlock_unlock(&lock);
	return 0;
}
