// Both read the unit before either writes it: one update is lost. Depth first, the left thread runs first: read, write;
// read, write is right; the second execution has the left write after the right thread's read.
// everett: -I../programs
// executions: sc/none:2
// finding: assertion at bitfield_lost_update.c:23
#include "run.h"
static struct {
	unsigned a : 4, b : 4;
} s;
THREAD(left)
{
	s.a = 1;
	return argument;
}
THREAD(right)
{
	s.b = 2;
	return argument;
}
int main(void)
{
	RUN(left, right);
	assert(s.a == 1 && s.b == 2);
	return 0;
}
