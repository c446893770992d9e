// Store buffering where the stores are to the two bytes of a word: one thread stores the low byte and loads the word, the
// other stores the high byte and loads the low one. What counts is whether each load sees the other's store: SC does not have
// that neither does. With buffers there are two updates and two loads in 4! orders, but whether the low byte of the
// word comes from the buffer is not seen.
// executions: sc/none:6 tso/none:24 pso/none:24 sc/traces:3 tso/traces:4 pso/traces:4
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
THREAD(high)
{
	u.half[1] = 1;
	(void)u.half[0];
	return argument;
}
int main(void)
{
	RUN(low, high);
	return 0;
}
