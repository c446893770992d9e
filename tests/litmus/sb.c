// Store buffering: what the two loads return, 0 or 1, makes the class, and SC lacks (0, 0). One store for each location, so
// that a trace is no more than its rf. Executions: 4!/(2!2!) under SC; with buffers two updates and two loads in any
// order, 4!; under RA the order of the loads, 2, times the four classes.
// executions: sc/none:6 tso/none:24 pso/none:24 ra/none:8 sc/traces:3 tso/traces:4 pso/traces:4 sc/rf:3 tso/rf:4 pso/rf:4 ra/rf:4
// traces: sc/none:3 tso/none:4 pso/none:4 ra/none:4
// rf: sc/none:3 tso/none:4 pso/none:4 ra/none:4
// finding: none
#include "litmus.h"
static atomic_int x, y;
THREAD(left)
{
	WRITE(x, 1);
	(void)READ(y);
	return argument;
}
THREAD(right)
{
	WRITE(y, 1);
	(void)READ(x);
	return argument;
}
int main(void)
{
	RUN(left, right);
	return 0;
}
