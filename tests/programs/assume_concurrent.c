// Write before read: the assumption holds. Read first: it does not, and main waits for ever; that is no deadlock.
// executions: sc/none:1 sc/traces:1 tso/traces:1 pso/traces:1
// blocked: sc/none:1 sc/traces:1 tso/traces:1 pso/traces:1
// finding: none
#include "run.h"
#include <everett.h>
static int x;
THREAD(writer)
{
	x = 1;
	return argument;
}
THREAD(reader)
{
	everett_assume(x == 1);
	return argument;
}
int main(void)
{
	RUN(writer, reader);
	assert(x == 1);
	return 0;
}
