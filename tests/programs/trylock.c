// The events are trylock, and unlock if it was taken. Say the left thread is first. Then either it unlocks, and the right one takes
// and unlocks: 1; or the right one fails, which ends it, and the left one unlocks: 1. The same with the sides changed: 4.
// What a mutex goes through is one order: as many traces.
// executions: sc/none:4 sc/traces:4 sc/rvf:4 tso/traces:4 pso/traces:4
// finding: none
#include "run.h"
#include <errno.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int taken[2];
THREAD(work)
{
	int status = pthread_mutex_trylock(&m);
	assert(status == 0 || status == EBUSY);
	if (status)
		return argument;
	taken[(size_t)argument] = 1;
	pthread_mutex_unlock(&m);
	return argument;
}
int main(void)
{
	RUN(work, work);
	assert(taken[0] || taken[1]);
	return 0;
}
