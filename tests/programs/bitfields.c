// Two bit-fields in one unit: each write reads and writes the unit. Two events in each thread: 4!/(2!2!) = 6.
// executions: sc/none:6
// finding: none
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
	assert(s.a == 1 || s.b == 2);
	return 0;
}
