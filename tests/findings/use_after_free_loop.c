// A block that the other thread frees between two reads of it; the reads are the only events beside the free: after the
// first read, or before it. Depth first: r r f; r f r!
// everett: -I../programs
// executions: sc/none:2
// finding: use-after-free at use_after_free_loop.c:12
#include "run.h"
#include <stdlib.h>
static int *p;
THREAD(reader)
{
	for (int i = 0; i < 2; i++)
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
