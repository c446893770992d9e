// Two readers both want to write: each waits for the other, and for itself. They come in either order: 2.
// everett: -I../programs -k
// executions: sc/none:2 tso/traces:2 ra/none:2 ra/rf:2
// finding: deadlock at rwlock_upgrade_two.c:10
#include "run.h"
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
THREAD(work)
{
	pthread_rwlock_rdlock(&lock);
	pthread_rwlock_wrlock(&lock);
	pthread_rwlock_unlock(&lock);
	return argument;
}
int main(void)
{
	RUN(work, work);
	return 0;
}
