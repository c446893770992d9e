// Message passing: three classes; PSO has the fourth, where the flag is seen without the message. Executions: 4!/(2!2!); PSO
// does not order the two updates, 4!/2!; under RA there is one order of the loads.
// executions: sc/none:6 tso/none:6 pso/none:12 ra/none:3 sc/traces:3 tso/traces:3 pso/traces:4 sc/rf:3 tso/rf:3 pso/rf:4 ra/rf:3
// traces: sc/none:3 tso/none:3 pso/none:4 ra/none:3
// rf: sc/none:3 tso/none:3 pso/none:4 ra/none:3
// finding: none
#include "litmus.h"
static atomic_int x, y;
THREAD(writer)
{
	WRITE(x, 1);
#ifdef RELEASE
	atomic_store_explicit(&y, 1, memory_order_release);
#else
	WRITE(y, 1);
#endif
	return argument;
}
THREAD(reader)
{
	(void)READ(y);
	(void)READ(x);
	return argument;
}
int main(void)
{
	RUN(writer, reader);
	return 0;
}
