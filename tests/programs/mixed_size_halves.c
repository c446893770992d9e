// Two stores of a byte, and a load of both bytes in one. SC, TSO: the load is before, between or behind. PSO: the updates
// come in any order, 3! executions, but what counts is which of them the load sees: 2 * 2 traces.
// executions: sc/none:3 tso/none:3 pso/none:6 sc/traces:3 tso/traces:3 pso/traces:4
// finding: none
#include "run.h"
static union {
	volatile unsigned short whole;
	volatile unsigned char half[2];
} u;
THREAD(writer)
{
	u.half[0] = 1;
	u.half[1] = 1;
	return argument;
}
THREAD(reader)
{
	(void)u.whole;
	return argument;
}
int main(void)
{
	RUN(writer, reader);
	return 0;
}
