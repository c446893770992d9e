// Fig. 5 of paper 004: x = 1; r = x || x = 2. With buffers the two updates and the load come in six orders, but make
// three traces, since whether the load was served by the buffer is not seen; and two rf classes, r being 1 or 2.
// executions: sc/none:3 tso/none:6 pso/none:6 ra/none:3 sc/traces:3 tso/traces:3 pso/traces:3 sc/rf:2 tso/rf:2 pso/rf:2 ra/rf:2
// traces: sc/none:3 tso/none:3 pso/none:3 ra/none:3
// rf: sc/none:2 tso/none:2 pso/none:2 ra/none:2
// finding: none
#include "litmus.h"
static atomic_int x;
THREAD(p)
{
	WRITE(x, 1);
	(void)READ(x);
	return argument;
}
THREAD(q)
{
	WRITE(x, 2);
	return argument;
}
int main(void)
{
	RUN(p, q);
	return 0;
}
