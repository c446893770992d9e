// The second element is used by one thread only, which finds it uninitialised, or gone; the free is on its way while that happens. With the first one it
// is in time or late: 4 executions.
// everett: -k -I../programs --no-races
// executions: sc/traces:4 sc/rf:4 sc/rvf:4 tso/rf:4 pso/rf:4 ra/rf:4
// finding: uninitialised at fault_unshared_bytes.c:13, use-after-free at fault_unshared_bytes.c:13
#include "run.h"
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int x, *p;
THREAD(adds)
{
	int i = atomic_load(&x);
	atomic_fetch_add(&p[i], 2);
	return argument;
}
THREAD(stores)
{
	atomic_store(&x, 1);
	return argument;
}
THREAD(frees)
{
	free((void *)p);
	return argument;
}
int main(void)
{
	p = malloc(2 * sizeof(*p));
	atomic_init(&p[0], 0);
	RUN(adds, stores, frees);
	return 0;
}
