// Read before the other thread's write: the second order.
// everett: -I../programs
// executions: sc/none:2
// finding: uninitialised at uninitialised_shared.c:15
#include "run.h"
#include <stdlib.h>
static int *p;
THREAD(writer)
{
	*p = 1;
	return argument;
}
THREAD(reader)
{
	assert(*p == 1);
	return argument;
}
int main(void)
{
	p = malloc(sizeof(*p));
	RUN(writer, reader);
	return 0;
}
