// All of the two orders are run on, and the other thread goes to its end: 2.
// everett: -I../programs -k
// executions: sc/none:2
// finding: assertion at assertion_keep_going.c:14
#include "run.h"
static int x;
THREAD(writer)
{
	x = 1;
	return argument;
}
THREAD(reader)
{
	assert(x == 1);
	return argument;
}
int main(void)
{
	RUN(writer, reader);
	return 0;
}
