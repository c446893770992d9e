// Adding to what nobody wrote, by two threads.
// everett: -I../programs
// executions: sc/none:1
// finding: uninitialised at uninitialised_rmw.c:10
#include "run.h"
#include <stdlib.h>
static int *p;
THREAD(work)
{
	__atomic_fetch_add(p, 1, __ATOMIC_RELAXED);
	return argument;
}
int main(void)
{
	p = malloc(sizeof(*p));
	RUN(work, work);
	return 0;
}
