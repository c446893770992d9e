// One thread stores the upper byte and loads both, the other stores both and loads them. If the byte is stored first, the other's load
// finds its own store, and the load of both finds the other's or not. If it is stored last, it is found by the other's load or
// not, and under SC the lower byte is found: with buffers this load may take the byte from the buffer, and come before all.
// executions: sc/none:6 tso/none:24 pso/none:24 sc/traces:4 tso/traces:6 pso/traces:6
// finding: none
#include "run.h"
static union {
	volatile unsigned short whole;
	volatile unsigned char half[2];
} u;
THREAD(byte)
{
	u.half[1] = 2;
	(void)u.whole;
	return argument;
}
THREAD(both)
{
	u.whole = 0x0101;
	(void)u.whole;
	return argument;
}
int main(void)
{
	RUN(both, byte);
	return 0;
}
