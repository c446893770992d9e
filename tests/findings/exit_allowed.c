// With --no-fail-on-exit any status is fine; and whoever waits for a thread that called exit() waits for ever, for the
// process is gone: the assertion behind the join is never reached. Two writes of x: 2.
// everett: -I../programs --no-fail-on-exit
// executions: sc/none:2
// finding: none
#include "run.h"
#include <stdlib.h>
static int x, done;
THREAD(leaves)
{
	x = 1;
	exit(1);
	done = 1;
	return argument;
}
THREAD(stays)
{
	x = 2;
	return argument;
}
int main(void)
{
	RUN(stays, leaves);
	assert(done);
	return 0;
}
