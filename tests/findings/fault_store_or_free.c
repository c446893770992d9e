// The store comes before the free, and main goes on to its end; or it comes after. A seq_cst store takes effect at once: nothing is late.
// everett: -k -I../programs --no-races
// executions: sc/none:2 sc/traces:2 sc/rf:2 sc/rvf:2 tso/traces:2 tso/rf:2 pso/traces:2 pso/rf:2 ra/rf:2
// finding: assertion at fault_store_or_free.c:25, use-after-free at fault_store_or_free.c:12
#include "run.h"
#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int *p;
THREAD(stores)
{
	atomic_store(p, 1);
	return argument;
}
THREAD(frees)
{
	free((void *)p);
	return argument;
}
int main(void)
{
	p = malloc(sizeof(*p));
	atomic_init(p, 0);
	RUN(stores, frees);
	assert(0);
	return 0;
}
