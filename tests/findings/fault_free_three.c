// If the load reads 0, the free comes before the store of 2, and so p[1]++ finds nothing. Else p[1]++ is in time, or its read is too late, or only its
// write is. p[0] = 2 is in time or late in any case: 2 * (1 + 3). One of these has no fault at all, and main goes on to its end.
// everett: -k -I../programs --no-races
// executions: sc/traces:8 sc/rf:8 sc/rvf:8 tso/rf:8 pso/rf:8
// finding: use-after-free at fault_free_three.c:20, use-after-free at fault_free_three.c:25, assertion at fault_free_three.c:32
#include "run.h"
#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
static int *p;
static atomic_int x;
THREAD(frees)
{
	free(p);
	return (void *)(long)atomic_load(&x);
}
THREAD(increments)
{
	atomic_store(&x, 2);
	p[1]++;
	return argument;
}
THREAD(writes)
{
	p[0] = 2;
	return argument;
}
int main(void)
{
	p = calloc(2, sizeof(*p));
	RUN(frees, increments, writes);
	assert(0);
	return 0;
}
