// The reader comes too late in the first execution, and fails; nobody else has accessed the block. All the same the free and the read
// are in a race: in the other order the assertion fails.
// everett: -k --no-races -I../programs
// executions: sc/none:2 sc/traces:2 sc/rf:2
// finding: use-after-free at free_then_read.c:15, assertion at free_then_read.c:15
#include "run.h"
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int *p;
THREAD(releaser)
{
	free(p);
	return argument;
}
THREAD(reader) { assert(atomic_load(p) != 7);
	return argument;
}
int main(void)
{
	p = malloc(sizeof(*p));
	atomic_init(p, 7);
	RUN(releaser, reader);
	return 0;
}
