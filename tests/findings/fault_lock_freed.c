// Who waits for a mutex whose memory its holder frees is no deadlock: it uses freed memory. The mutex is taken first by the one, which is fine; or
// by the other, and then the first comes too late, or waits already.
// everett: -k -I../programs --no-races
// executions: sc/traces:3 sc/rf:3 sc/rvf:3 tso/traces:3 tso/rf:3 pso/rf:3 ra/rf:3
// finding: use-after-free at fault_lock_freed.c:11
#include "run.h"
#include <stdlib.h>
static pthread_mutex_t *m;
THREAD(locks)
{
	pthread_mutex_lock(m);
	pthread_mutex_unlock(m);
	return argument;
}
THREAD(frees)
{
	pthread_mutex_lock(m);
	free(m);
	return argument;
}
int main(void)
{
	m = malloc(sizeof(*m));
	pthread_mutex_init(m, NULL);
	RUN(locks, frees);
	return 0;
}
