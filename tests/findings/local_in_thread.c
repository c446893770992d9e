// The error is made only if the other thread comes first, which is one of two orders.
// everett: -k -I../programs
// executions: sc/none:2 sc/traces:2 sc/rf:2 tso/none:2 tso/traces:2 pso/none:2
// finding: out-of-bounds at local_in_thread.c:12
#include "run.h"
#include <string.h>
static _Atomic int ready;
THREAD(reader)
{
	char name[4];
	if (ready)
		memcpy(name, "four", 5);
	return argument;
}
THREAD(writer)
{
	ready = 1;
	return argument;
}
int main(void)
{
	RUN(reader, writer);
	return 0;
}
