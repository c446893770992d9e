// Nobody has initialised the memory, or it has been written, with the value that happens to be there: not the same.
// everett: -k -I../programs
// executions: sc/none:2 sc/rf:2 sc/rvf:2
// rvf: sc/none:2 sc/rvf:2
// finding: uninitialised at rvf_uninitialised.c:16, assertion at rvf_uninitialised.c:17
#include "run.h"
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int *p;
THREAD(writes)
{
	atomic_store(p, 0);
	return argument;
}
THREAD(reads)
{ int r = atomic_load(p);
	assert(r);
	return argument;
}
int main(void)
{
	p = malloc(sizeof(*p));
	RUN(writes, reads);
	return 0;
}
