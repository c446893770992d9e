// A wait with a time limit that nobody ends: its time runs out. The execution in which it waits for a signal instead is of no
// interest, so that it is never woken is no deadlock, and what the others have not given back is no leak.
// everett: --leaks
// executions: sc/none:1 tso/none:1 pso/none:1 ra/none:1 sc/rf:1 sc/rvf:1
// blocked: sc/none:1 tso/none:1 pso/none:1 ra/none:1 sc/rf:1 sc/rvf:1
// finding: none
#include "run.h"
#include <errno.h>
#include <stdlib.h>
#include <time.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
THREAD(waits)
{
	struct timespec soon = { 1, 0 };
	void *kept = malloc(8);
	pthread_mutex_lock(&m);
	assert(pthread_cond_timedwait(&c, &m, &soon) == ETIMEDOUT);
	pthread_mutex_unlock(&m);
	free(kept);
	return argument;
}
int main(void)
{
	RUN(waits);
	return 0;
}
