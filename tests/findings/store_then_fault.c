// r, and whether the store to *p is made before the free, make four classes. In one of them it is, and r is 0: then the store to x, and under TSO the one
// to *p behind it, take effect when the memory is gone. SC does not have that.
// everett: -k -I../programs --no-races
// executions: sc/rf:3 tso/rf:4 pso/rf:4
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
