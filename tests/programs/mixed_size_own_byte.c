// One thread stores the first byte and loads all four; others store the first byte and then the upper half, and the second byte. The
// load finds the second byte or not, the upper half or not, and the first byte as its own store, which is the last or not, or as the
// other's: 2 * 2 * 3 traces under PSO. Where its own store is found and is not the last, SC and TSO do not have the upper half.
// executions: sc/none:30 tso/none:60 pso/none:120 sc/traces:10 tso/traces:10 pso/traces:12 sc/rf:8
// finding: none
#include "run.h"
static union {
	volatile unsigned int whole;
	volatile unsigned short half[2];
	volatile unsigned char byte[4];
} u;
THREAD(loads)
{
	u.byte[0] = 1;
	(void)u.whole;
	return argument;
}
THREAD(second)
{
	u.byte[1] = 2;
	return argument;
}
THREAD(first)
{
	u.byte[0] = 2;
	u.half[1] = 3;
	return argument;
}
int main(void)
{
	RUN(first, second, loads);
	return 0;
}
