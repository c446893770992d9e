// Nobody sets the flag, which nobody else even reads: that main waits for the thread in the loop is the finding.
// everett: -I../programs
// executions: sc/none:0 tso/none:0 pso/none:0 ra/none:0
// blocked: sc/none:1 tso/none:1 pso/none:1 ra/none:1
// finding: no-progress at await_never.c:11
#include "run.h"
#include <stdatomic.h>
static atomic_int flag;
THREAD(waits)
{
	while (!atomic_load(&flag))
		;
	return argument;
}
int main(void)
{
	RUN(waits);
	return 0;
}
