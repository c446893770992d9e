// Fig. 1 of paper 000: x = 1; a = x || x = 2; b = x. Four traces in every model; two of them, where both read their own store,
// differ in coherence only, so there are three rf classes (weak traces). Executions: 4!/(2!2!) under SC, 4! with
// buffers, under RA the order of the loads, 2, times the traces.
// executions: sc/none:6 tso/none:24 pso/none:24 ra/none:8 sc/traces:4 tso/traces:4 pso/traces:4 sc/rf:3 tso/rf:3 pso/rf:3 ra/rf:3
// traces: sc/none:4 tso/none:4 pso/none:4 ra/none:4
// rf: sc/none:3 tso/none:3 pso/none:3 ra/none:3
// finding: none
#include "litmus.h"
static atomic_int x;
THREAD(th1)
{
	WRITE(x, 1);
	(void)READ(x);
	return argument;
}
THREAD(th2)
{
	WRITE(x, 2);
	(void)READ(x);
	return argument;
}
int main(void)
{
	RUN(th1, th2);
	return 0;
}
