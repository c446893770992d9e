// The free comes before the store, which nobody reads, or after it: what is read is the same, so that there is one class, and the
// order of its events decides. It is looked for when the execution has come to its end.
// everett: -I../programs
// executions: sc/none:2 sc/rvf:1
// finding: use-after-free at rvf_use_after_free.c:12
#include "run.h"
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int *p;
THREAD(stores)
{
	atomic_store(p, 2);
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
	atomic_init(p, 1);
	RUN(stores, frees);
	return 0;
}
