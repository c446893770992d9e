// One thread stores the low byte and loads both; the other stores both. SC: the other's is first, between, or last. With
// buffers there are the two updates and the load in 3! orders, and these traces:
//   the load before the other's update, and that one last in the low byte: where the load finds the low byte is not seen
//   the load before the other's update, and that one first in the low byte: this SC does not have
//   the other's update first, then both of the others, whose order is not seen
//   the load last, behind the own update, which the other's has overwritten
// executions: sc/none:3 tso/none:6 pso/none:6 sc/traces:3 tso/traces:4 pso/traces:4
// finding: none
#include "run.h"
static union {
	volatile unsigned short whole;
	volatile unsigned char half[2];
} u;
THREAD(low)
{
	u.half[0] = 1;
	(void)u.whole;
	return argument;
}
THREAD(both)
{
	u.whole = 0x0202;
	return argument;
}
int main(void)
{
	RUN(low, both);
	return 0;
}
