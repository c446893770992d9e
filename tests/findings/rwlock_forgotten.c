// On its way out in case of an error the reader forgets to unlock, and the writer waits for a thread that has ended.
// everett: -I../programs -k
// executions: sc/none:2 tso/traces:2 ra/none:2 ra/rf:2
// finding: deadlock
#include "run.h"
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int x;
THREAD(read)
{
	pthread_rwlock_rdlock(&lock);
	if (!x)
		return NULL;
	pthread_rwlock_unlock(&lock);
	return argument;
}
THREAD(write)
{
	pthread_rwlock_wrlock(&lock);
	x = 1;
	pthread_rwlock_unlock(&lock);
	return argument;
}
int main(void)
{
	RUN(read, write);
	return 0;
}
