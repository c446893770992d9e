// Nobody need signal: a wait with a time limit ends by itself, with the mutex held, and may do so whatever comes.
// Slow comes first: 1. Otherwise hasty is woken: 1; or gives up, and slow comes before it has the mutex again: 1;
// or it waits once more, and is woken: 1; or gives up, before or after slow comes: 2. In all 6.
// executions: sc/none:8 tso/traces:6 pso/traces:6 ra/none:8 ra/rf:6
// finding: none
#define _GNU_SOURCE
#include "run.h"
#include <errno.h>
#include <time.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready, gave_up;
THREAD(hasty)
{
	struct timespec until = { 1, 0 };
	pthread_mutex_lock(&m);
	while (!ready && !gave_up) {
		int status = pthread_cond_timedwait(&c, &m, &until);
		assert(status == 0 || status == ETIMEDOUT);
		assert(pthread_mutex_trylock(&m) == EBUSY);
		/* Whoever is woken was so by the other, who had it ready. */
		assert(status || ready);
		gave_up = status == ETIMEDOUT;
	}
	if (!ready)
		assert(pthread_cond_clockwait(&c, &m, CLOCK_MONOTONIC, &until) == ETIMEDOUT || ready);
	pthread_mutex_unlock(&m);
	return argument;
}
THREAD(slow)
{
	pthread_mutex_lock(&m);
	ready = 1;
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&m);
	return argument;
}
int main(void)
{
	RUN(hasty, slow);
	return 0;
}
