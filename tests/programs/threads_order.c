// Numbers of threads, and what follows from them (addresses of the heap), depend on who created whom, not on who came first:
// each child sees the same address in every order, which the parent checks against the first execution's through the
// self-check. Two parents each create a child that allocates and writes what it got to a shared variable: 2.
// executions: sc/none:2
// finding: none
#include "run.h"
#include <stdlib.h>
static void *got;
THREAD(child)
{
	got = malloc(16);
	return argument;
}
THREAD(parent)
{
	pthread_t t;
	pthread_create(&t, NULL, child, NULL);
	pthread_join(t, NULL);
	return argument;
}
int main(void)
{
	RUN(parent, parent);
	free(got);
	return 0;
}
