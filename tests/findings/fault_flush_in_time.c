// An exchange that finds its block comes before the free, and so does the store before it: a read-modify-write leaves the buffer empty.
// everett: -k -I../programs --no-races
// executions: sc/traces:3 sc/rf:3 tso/traces:3 tso/rf:3 pso/traces:3 pso/rf:3
// finding: use-after-free at fault_flush_in_time.c:20
#include "run.h"
#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int *p, x;
static int r;
THREAD(frees)
{
	free((void *)p);
	r = atomic_load_explicit(&x, memory_order_relaxed);
	return argument;
}
THREAD(exchanges)
{
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	atomic_exchange_explicit(p, 1, memory_order_relaxed);
	return argument;
}
int main(void)
{
	p = malloc(sizeof(*p));
	atomic_init(p, 0);
	RUN(frees, exchanges);
	assert(r == 1);
	return 0;
}
