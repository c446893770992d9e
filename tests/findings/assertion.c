// everett: -I../programs
// executions: sc/none:2
// finding: assertion at assertion.c:14
// The first execution runs the writer first; in the second the reader is first and fails.
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
