// The reader is first and finds nothing, or the writer is. A thread that fails has read all the same: the other order is another
// execution, and has a finding of its own.
// everett: -k -I../programs
// executions: sc/none:2 sc/traces:2 ra/none:2 ra/rf:2
// finding: uninitialised at uninitialised_or_not.c:11, assertion at uninitialised_or_not.c:12
#include "run.h"
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int *p;
THREAD(reader)
{ int r = atomic_load_explicit(p, memory_order_relaxed);
	assert(!r);
	return argument;
}
THREAD(writer)
{
	atomic_store_explicit(p, 1, memory_order_relaxed);
	return argument;
}
int main(void)
{
	p = malloc(sizeof(*p));
	RUN(reader, writer);
	return 0;
}
