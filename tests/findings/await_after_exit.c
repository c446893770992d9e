// The process has ended before anybody could wait in vain.
// everett: -I../programs
// executions: sc/none:0
// blocked: sc/none:1
// incomplete: sc/none
// finding: none
#include "run.h"
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int flag;
THREAD(leaves)
{
	exit(0);
	return argument;
}
THREAD(waits)
{
	while (!atomic_load(&flag))
		;
	return argument;
}
int main(void)
{
	RUN(waits, leaves);
	return 0;
}
