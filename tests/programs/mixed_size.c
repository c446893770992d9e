// One write of eight bytes, two reads of four of them: the write is before, between or after: 3.
// executions: sc/none:3 sc/traces:3 tso/traces:3 pso/traces:3
// finding: none
#include "run.h"
static union {
	unsigned long whole;
	unsigned half[2];
} u;
THREAD(writer)
{
	u.whole = 0x0000000200000001;
	return argument;
}
THREAD(reader)
{
	unsigned low = u.half[0], high = u.half[1];
	assert(low == 0 || low == 1);
	assert(low == 0 || high == 2);
	return argument;
}
int main(void)
{
	RUN(writer, reader);
	return 0;
}
