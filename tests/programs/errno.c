// errno is each thread's own: two writes of x in each thread, between which the other can set its errno: 6.
// executions: sc/none:6
// finding: none
#include "run.h"
#include <errno.h>
static int x;
THREAD(work)
{
	assert(errno == 0);
	errno = 100 + (int)(size_t)argument;
	x = 1;
	assert(errno == 100 + (int)(size_t)argument);
	errno++;
	x = 2;
	assert(errno == 101 + (int)(size_t)argument);
	return argument;
}
int main(void)
{
	errno = 7;
	RUN(work, work);
	assert(errno == 7);
	return 0;
}
