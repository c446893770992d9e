// The flag is set after the store, but under PSO the store may take effect last of all, when who saw the flag has freed its memory.
// For engine rf that is no trace of its own: the store happens before the free.
// everett: -k -I../programs --no-races
// executions: sc/none:3 sc/traces:2 sc/rf:2 tso/none:4 tso/traces:2 tso/rf:2 pso/none:10 pso/traces:3 pso/rf:2
// finding: none under sc tso; use-after-free at late_store.c:14 under pso
#include "run.h"
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int *p;
static atomic_int flag;
THREAD(stores)
{
	(void)argument;
	atomic_store_explicit(p, 1, memory_order_relaxed);
	atomic_store_explicit(&flag, 1, memory_order_relaxed);
	return NULL;
}
THREAD(frees)
{
	if (atomic_load_explicit(&flag, memory_order_relaxed))
		free((void *)p);
	return argument;
}
int main(void)
{
	p = malloc(sizeof(*p));
	atomic_init(p, 0);
	RUN(stores, frees);
	return 0;
}
