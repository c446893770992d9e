// Who should have set the flag has failed: that nobody does is a consequence, and not a finding of its own. (The read is of
// memory that nobody has written in any execution: one execution.)
// everett: -I../programs -k
// executions: sc/none:0
// blocked: sc/none:1
// finding: assertion at await_after_assertion.c:12
#include "run.h"
#include <stdatomic.h>
static atomic_int flag, zero;
THREAD(fails)
{
	assert(zero);
	atomic_store(&flag, 1);
	return argument;
}
THREAD(waits)
{
	while (!atomic_load(&flag))
		;
	return argument;
}
int main(void)
{
	RUN(waits, fails);
	return 0;
}
