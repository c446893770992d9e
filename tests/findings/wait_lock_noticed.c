// A lock that is taken and released is nothing unless somebody has noticed that it was held. Who tries to take it does so at once, and
// the loop finds 1; or fails while the loop has it, which finds 0 then, and must go round once more to find 1.
// everett: -I../programs -k
// executions: sc/traces:2 sc/rf:2 tso/traces:2 pso/traces:2 tso/rf:2 ra/rf:2
// finding: assertion at wait_lock_noticed.c:33
#include "run.h"
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x, failed;
THREAD(polls)
{
	int seen;
	do {
		pthread_mutex_lock(&m);
		seen = x;
		pthread_mutex_unlock(&m);
	} while (!seen);
	return argument;
}
THREAD(tries)
{
	if (pthread_mutex_trylock(&m)) {
		failed = 1;
		pthread_mutex_lock(&m);
	}
	x = 1;
	pthread_mutex_unlock(&m);
	return argument;
}
int main(void)
{
	RUN(polls, tries);
	/* Both have come to their end. */
	assert(!failed);
	return 0;
}
