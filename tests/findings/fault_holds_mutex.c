// Whoever wants the mutex waits for ever, and main with it: that follows from the fault, and is no deadlock.
// everett: -k -I../programs --no-races
// executions: sc/none:2 sc/traces:2 sc/rf:2 sc/rvf:2 tso/none:2 tso/traces:2 tso/rf:2 pso/none:2 pso/traces:2 pso/rf:2 ra/none:2 ra/rf:2
// finding: invalid-access at fault_holds_mutex.c:11
#include "run.h"
#include <stddef.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
THREAD(faults)
{
	pthread_mutex_lock(&m);
	*(volatile int *)NULL = 1;
	return argument;
}
THREAD(waits)
{
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	return argument;
}
int main(void)
{
	RUN(faults, waits);
	return 0;
}
