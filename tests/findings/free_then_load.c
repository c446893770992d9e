// The thread that frees fails next, by itself. The other load, if it is before that, is before the free: 2 executions.
// everett: -k -I../programs --no-races
// executions: sc/none:2 sc/traces:2 sc/rf:2 tso/none:5 tso/traces:2 tso/rf:2 pso/none:5 pso/traces:2 pso/rf:2
// finding: use-after-free at free_then_load.c:12, use-after-free at free_then_load.c:17
#include "run.h"
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int *p;
THREAD(frees)
{
	free((void *)p);
	(void)atomic_load(p);
	return argument;
}
THREAD(loads)
{
	(void)atomic_load(p);
	return argument;
}
int main(void)
{
	p = malloc(sizeof(*p));
	atomic_init(p, 0);
	RUN(frees, loads);
	return 0;
}
