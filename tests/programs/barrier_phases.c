// What was written before the barrier is seen behind it, by whomever; one barrier serves for two phases. Nobody can tell who comes
// first, and nobody looks who is the serial one: 1. For none: 2 orders of the first writes, 6 of a read and a write each, 2 of the
// last reads.
// executions: sc/none:24 tso/traces:1 pso/traces:1 ra/none:4 ra/rf:1
// finding: none
#include "run.h"
static pthread_barrier_t b;
static int x[2], y[2];
THREAD(work)
{
	size_t me = (size_t)argument, other = 1 - me;
	x[me] = 1;
	pthread_barrier_wait(&b);
	y[me] = x[other] + 1;
	pthread_barrier_wait(&b);
	assert(y[other] == 2);
	return argument;
}
int main(void)
{
	assert(pthread_barrier_init(&b, NULL, 2) == 0);
	RUN(work, work);
	assert(pthread_barrier_destroy(&b) == 0);
	return 0;
}
