// An assumption has stopped who would have set the flag: no such execution counts.
// everett: -I../programs
// executions: sc/none:0
// blocked: sc/none:1
// incomplete: sc/none
// finding: none
#include "run.h"
#include <everett.h>
#include <stdatomic.h>
static atomic_int flag, zero;
THREAD(stops)
{
	everett_assume(zero);
	atomic_store(&flag, 1);
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
	RUN(waits, stops);
	return 0;
}
