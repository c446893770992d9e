// The section writes to the block and frees it, in one step. Whoever reads the block does so before, or finds it gone; nobody finds the 1.
// everett: -k -I../programs --no-races
// executions: sc/none:2 sc/traces:2 sc/rf:2 sc/rvf:2 tso/rf:2 pso/rf:2 ra/rf:2
// finding: use-after-free at section_frees.c:20
#include "run.h"
#include <assert.h>
#include <everett.h>
#include <stdlib.h>
static int *p;
THREAD(frees)
{
	everett_atomic_begin();
	*p = 1;
	free(p);
	everett_atomic_end();
	return argument;
}
THREAD(reads)
{
	int r = *p;
	assert(r == 0);
	return argument;
}
int main(void)
{
	p = calloc(1, sizeof(*p));
	RUN(frees, reads);
	return 0;
}
