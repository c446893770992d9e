// Store buffering. Two events in each of two threads: 4!/(2!2!) = 6. The results are each thread's own.
// The loads return 0 or 1, which makes the trace, and SC lacks (0, 0).
// executions: sc/none:6 sc/traces:3
// finding: none
#include "run.h"
static int x, y, r1, r2;
THREAD(left)
{
	x = 1;
	r1 = y;
	return argument;
}
THREAD(right)
{
	y = 1;
	r2 = x;
	return argument;
}
int main(void)
{
#ifdef SWAP
	RUN(right, left);
#else
	RUN(left, right);
#endif
	assert(r1 || r2);
	return 0;
}
