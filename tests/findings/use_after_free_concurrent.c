// The free comes before the read in the second order only.
// everett: -I../programs
// executions: sc/none:2
// finding: use-after-free at use_after_free_concurrent.c:10
#include "run.h"
#include <stdlib.h>
static int *p;
THREAD(reader)
{
	assert(*p == 1);
	return argument;
}
THREAD(releaser)
{
	free(p);
	return argument;
}
int main(void)
{
	p = malloc(sizeof(*p));
	*p = 1;
	RUN(reader, releaser);
	return 0;
}
