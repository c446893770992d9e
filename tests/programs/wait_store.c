// A round that stores something is no wait, although the loop brings nothing along: 0, then 2, then the end. The other's load comes
// before or after the store.
// executions: sc/none:4 tso/traces:2 pso/rf:2
// finding: none
#include "run.h"
#include <stdatomic.h>
static atomic_int x;
THREAD(stores)
{
	while (atomic_load(&x) < 2)
		atomic_store(&x, 2);
	return argument;
}
THREAD(looks)
{
	int seen = atomic_load(&x);
	assert(seen == 0 || seen == 2);
	return argument;
}
int main(void)
{
	RUN(stores, looks);
	return 0;
}
