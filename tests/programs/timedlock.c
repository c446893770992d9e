// The patient thread locks and unlocks (L, U); the other may give up while it is held (G), else takes and unlocks (l, u).
// L U l u; L G U; l u L U: 3.
// executions: sc/none:3 sc/traces:3 sc/rvf:3 tso/traces:3 pso/traces:3
// finding: none
#include "run.h"
#include <errno.h>
#include <time.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
THREAD(patient)
{
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	return argument;
}
THREAD(hasty)
{
	struct timespec until = { 1, 0 };
	int status = pthread_mutex_timedlock(&m, &until);
	assert(status == 0 || status == ETIMEDOUT);
	if (!status)
		pthread_mutex_unlock(&m);
	return argument;
}
int main(void)
{
	RUN(patient, hasty);
	return 0;
}
