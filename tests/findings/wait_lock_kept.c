// A round that takes a lock and keeps it is no wait: in the next one the thread waits for itself. If the loop finds 1, the other has had
// the lock before, or gets it after that; and there are two places for the store in the latter case. If it finds 0, it holds the lock
// for ever.
// everett: -I../programs -k
// executions: sc/none:4 sc/traces:3 tso/traces:3 pso/rf:3 ra/rf:3
// finding: mutex-misuse at wait_lock_kept.c:14
#include "run.h"
#include <stdatomic.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int flag;
THREAD(locks)
{
	do
		pthread_mutex_lock(&m);
	while (!atomic_load(&flag));
	pthread_mutex_unlock(&m);
	return argument;
}
THREAD(sets)
{
	atomic_store(&flag, 1);
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	return argument;
}
int main(void)
{
	RUN(locks, sets);
	return 0;
}
