// Whatever does tell the serial thread from the others is explored: three executions for each way to look at the result.
// executions: sc/none:3 sc/rf:3 tso/traces:3 ra/rf:3
// finding: none
#include "run.h"
static pthread_barrier_t b;
static int told[3], other[3];
static int look(int r)
{
	return r;
}
THREAD(work)
{
	size_t i = (size_t)argument;
	int r = pthread_barrier_wait(&b);
#if WAY == 1 /* both checks, and a difference after them */
	if (r != 0 && r != PTHREAD_BARRIER_SERIAL_THREAD)
		assert(!"reached");
	if (r)
		told[i] = 1;
#elif WAY == 2 /* the ways meet again, but one has done something */
	if (r == PTHREAD_BARRIER_SERIAL_THREAD)
		told[i] = 1;
	else if (r != 0)
		assert(!"reached");
#elif WAY == 3 /* a value, without a branch */
	told[i] = r != 0;
#elif WAY == 4 /* a phi whose values differ */
	told[i] = (r == 0 || r == 5) ? 0 : 1;
#elif WAY == 5
	told[i] = look(r) == PTHREAD_BARRIER_SERIAL_THREAD;
#elif WAY == 7 /* used where one of the two ways leads */
	if (r != 0)
		told[i] = look(r) == PTHREAD_BARRIER_SERIAL_THREAD;
#elif WAY == 8 /* the one way to the use begins after both have met */
	if (r == 0 || r == PTHREAD_BARRIER_SERIAL_THREAD)
		other[i] = 1;
	if (other[i])
		told[i] = look(r) == PTHREAD_BARRIER_SERIAL_THREAD;
#elif WAY == 6 /* a comparison that comes back to where both ways have met */
	int last = 0;
	for (int k = 0; k < 2; k++) {
		told[i] = last;
		last = r != 0;
	}
#else
	switch (r) {
	case 0:
		break;
	case PTHREAD_BARRIER_SERIAL_THREAD:
		told[i] = 1;
		break;
	default:
		assert(!"reached");
	}
#endif
	other[i] = 1;
	return argument;
}
int main(void)
{
	pthread_barrier_init(&b, NULL, 3);
	RUN(work, work, work);
#ifdef NEVER
	assert(!told[NEVER]);
#endif
	assert(told[0] + told[1] + told[2] == 1);
	assert(other[0] + other[1] + other[2] == 3);
	return 0;
}
