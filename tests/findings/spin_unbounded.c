// Without a bound the spinning thread reads for ever in some execution, but never when it is the other that goes first: the
// search must at least start, and stop at its limit: w r; r w r; r r w r.
// everett: --max-executions 3 -I../programs
// executions: sc/none:3
// incomplete: sc/none
// finding: none
#include "run.h"
static volatile int flag;
static int rounds; /* written in each: more than waiting */
THREAD(sets)
{
	flag = 1;
	return argument;
}
THREAD(waits)
{
	while (!flag)
		rounds++;
	return argument;
}
int main(void)
{
	RUN(sets, waits);
	return 0;
}
