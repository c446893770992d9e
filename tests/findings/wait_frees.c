// A round that frees a block is no wait: another one frees it again. The loop finds 1; or 0, and does not come to look again.
// everett: -I../programs -k
// executions: sc/none:2 sc/traces:2 tso/traces:2 pso/rf:2 ra/rf:2
// finding: double-free at wait_frees.c:14
#include "run.h"
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int flag;
THREAD(frees)
{
	void *block = malloc(8);
	assert(block);
	do
		free(block);
	while (!atomic_load(&flag));
	return argument;
}
THREAD(sets)
{
	atomic_store(&flag, 1);
	return argument;
}
int main(void)
{
	RUN(frees, sets);
	return 0;
}
