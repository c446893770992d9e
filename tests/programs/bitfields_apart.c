// A zero-width field starts a new unit: the two have a location each. One execution.
// executions: sc/none:1
// finding: none
#include "run.h"
static struct {
	unsigned a : 4;
	unsigned : 0;
	unsigned b : 4;
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
