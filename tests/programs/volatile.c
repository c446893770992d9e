// A volatile access is an access: none is left out, also where the value is not used. Two in each thread: 6.
// executions: sc/none:6
// finding: none
#include "run.h"
static volatile int x;
THREAD(reader)
{
	x;
	(void)x;
	return argument;
}
THREAD(writer)
{
	x = 1;
	x = 1;
	return argument;
}
int main(void)
{
	RUN(reader, writer);
	return 0;
}
