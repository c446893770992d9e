// Main holds it, for reading, and so might the thread; but it does not.
// everett: -I../programs -k
// executions: sc/none:1 tso/traces:1 ra/rf:1
// finding: mutex-misuse at rwlock_unlock_other.c:9
#include "run.h"
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
THREAD(work)
{
	pthread_rwlock_unlock(&lock);
	return argument;
}
int main(void)
{
	pthread_rwlock_rdlock(&lock);
	RUN(work);
	return 0;
}
