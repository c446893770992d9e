// Independent reads of independent writes: 2^4 values of the four loads, of which all models but RA lack the one where the
// readers disagree. Executions: 6!/(2!2!); under RA the orders of the loads, 4!/(2!2!), times the classes.
// executions: sc/none:180 tso/none:180 pso/none:180 ra/none:96 sc/traces:15 tso/traces:15 pso/traces:15 sc/rf:15 tso/rf:15 pso/rf:15 ra/rf:16
// traces: sc/none:15 tso/none:15 pso/none:15 ra/none:16
// rf: sc/none:15 tso/none:15 pso/none:15 ra/none:16
// finding: none
#include "litmus.h"
static atomic_int x, y;
THREAD(write_x)
{
	WRITE(x, 1);
	return argument;
}
THREAD(write_y)
{
	WRITE(y, 1);
	return argument;
}
THREAD(read_xy)
{
	(void)READ(x);
	(void)READ(y);
	return argument;
}
THREAD(read_yx)
{
	(void)READ(y);
	(void)READ(x);
	return argument;
}
int main(void)
{
	RUN(write_x, write_y, read_xy, read_yx);
	return 0;
}
