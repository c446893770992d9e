// The free comes first, and the store is the end of its thread; or else the assertion is. One class would have to stand for both.
// everett: -k -I../programs
// executions: sc/none:2 sc/rf:2
// finding: use-after-free at rvf_store_after_free.c:15, assertion at rvf_store_after_free.c:16
#include "run.h"
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int *p;
THREAD(frees)
{
	free((void *)p);
	return argument;
}
THREAD(stores)
{ atomic_store(p, 2);
	assert(!argument);
	return argument;
}
int main(void)
{
	p = malloc(sizeof(*p));
	atomic_init(p, 1);
	RUN(frees, stores);
	return 0;
}
