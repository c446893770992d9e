// The write is first, or the free is. With a buffer there is a third trace: the write is first, but takes effect when its memory is
// gone. Who reads from whom is the same then as if it were in time.
// everett: -k --no-races -I../programs
// executions: sc/none:2 tso/none:5 pso/none:5 sc/traces:2 tso/traces:3 pso/traces:3 ra/none:3 ra/rf:2 tso/rf:2 pso/rf:2
// finding: use-after-free at free_or_write.c:11
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
