// The same with the threads created in the other order: the first execution finds it.
// everett: -I../programs
// executions: sc/none:1
// finding: use-after-free at use_after_free_concurrent_2.c:15
#include "run.h"
#include <stdlib.h>
static int *p;
THREAD(releaser)
{
	free(p);
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
	*p = 1;
	RUN(releaser, reader);
	return 0;
}
