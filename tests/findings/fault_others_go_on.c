// A fault is the end of its thread and nothing more: the others go on, and the load still has its two sources. Under every engine and model.
// everett: -k -I../programs --no-races
// executions: sc/none:2 sc/traces:2 sc/rf:2 sc/rvf:2 tso/none:2 tso/traces:2 tso/rf:2 pso/none:2 pso/traces:2 pso/rf:2 ra/none:2 ra/rf:2
// finding: assertion at fault_others_go_on.c:11, invalid-access at fault_others_go_on.c:16
#include "run.h"
#include <assert.h>
#include <stdatomic.h>
static atomic_int x;
THREAD(loads)
{
	assert(atomic_load(&x) == 0);
	return argument;
}
THREAD(faults)
{
	*(volatile int *)NULL = 1;
	return argument;
}
THREAD(stores)
{
	atomic_store(&x, 1);
	return argument;
}
int main(void)
{
	RUN(loads, faults, stores);
	return 0;
}
