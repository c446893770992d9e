// Main itself waits, after the only thread that could have helped it has ended.
// everett: -I../programs
// executions: sc/none:0 tso/none:0 pso/none:0 ra/none:0
// blocked: sc/none:1 tso/none:1 pso/none:1 ra/none:1
// finding: no-progress at await_main.c:16
#include "run.h"
#include <stdatomic.h>
static atomic_int flag;
THREAD(forgets)
{
	return argument;
}
int main(void)
{
	RUN(forgets);
	while (!atomic_load(&flag))
		;
	return 0;
}
