// Each waits for what the other does after waiting. No flag is ever written, so that no access is visible.
// everett: -I../programs
// executions: sc/none:0 tso/none:0 pso/none:0 ra/none:0
// blocked: sc/none:1 tso/none:1 pso/none:1 ra/none:1
// finding: no-progress at await_each_other.c:11
#include "run.h"
#include <stdatomic.h>
static atomic_int a, b;
THREAD(first)
{
	while (!atomic_load(&b))
		;
	atomic_store(&a, 1);
	return argument;
}
THREAD(second)
{
	while (!atomic_load(&a))
		;
	atomic_store(&b, 1);
	return argument;
}
int main(void)
{
	RUN(first, second);
	return 0;
}
