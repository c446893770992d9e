// The write is first, or the free is. With a buffer: the write's update is. None makes a store as soon as it can, so that only its
// update comes too late; rf has the execution in which the store itself does.
// everett: -k --no-races -I../programs
// executions: sc/none:2 tso/none:2 pso/none:2 sc/traces:2 tso/traces:2 pso/traces:2 ra/none:2 ra/rf:2 tso/rf:2 pso/rf:2
// further: tso/rf:1 pso/rf:1
// finding: use-after-free at free_or_write.c:12
#include "run.h"
#include <stdlib.h>
static int *p;
THREAD(writer)
{
	*p = 1;
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
	RUN(writer, releaser);
	return 0;
}
