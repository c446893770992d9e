// Who reads a pipe waits until somebody has written to it: that is no choice, and there is one execution.
// executions: sc/rf:1 sc/traces:1 tso/traces:1 pso/traces:1 ra/rf:1 rc11/rf:1
// finding: none
#include "run.h"
#include <unistd.h>
static int ends[2];
THREAD(reader)
{
	char c = 0;
	assert(read(ends[0], &c, 1) == 1 && c == 'x');
	return argument;
}
THREAD(writer)
{
	assert(write(ends[1], "x", 1) == 1);
	return argument;
}
int main(void)
{
	assert(!pipe(ends));
	RUN(reader, writer);
	assert(!close(ends[0]) && !close(ends[1]));
	return 0;
}
