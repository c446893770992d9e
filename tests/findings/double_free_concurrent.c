// everett: -I../programs
// executions: sc/none:1 tso/none:1 pso/none:1 ra/none:1
// finding: double-free at double_free_concurrent.c:9
#include "run.h"
#include <stdlib.h>
static char *p;
THREAD(work)
{
	free(p);
	return argument;
}
int main(void)
{
	p = malloc(1);
	RUN(work, work);
	return 0;
}
