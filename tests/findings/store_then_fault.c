// A thread stores, and what it does next fails by itself before the store has taken effect. r and whether the store to *p comes before
// the free make four classes; in one of them PSO alone has stores that overtake each other: *p is stored to in time, and r is 0.
// everett: -k -I../programs --no-races
// executions: sc/rf:3 tso/rf:3 pso/rf:4
// finding: use-after-free at store_then_fault.c:19
#include "run.h"
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int *p, x;
THREAD(frees)
{
	free((void *)p);
	int r = atomic_load_explicit(&x, memory_order_relaxed);
	return r ? argument : NULL;
}
THREAD(stores)
{
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	atomic_store_explicit(p, 1, memory_order_relaxed);
	return argument;
}
int main(void)
{
	p = malloc(sizeof(*p));
	atomic_init(p, 0);
	RUN(frees, stores);
	return 0;
}
