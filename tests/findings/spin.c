// A thread that spins, and counts, until another has written: finding out that the flag is shared must not hang. With three
// reads at most there are w r, r w r, r r w r; and r r r, which is cut at once, with the write as the one event that is left.
// everett: --unroll 3 -I../programs
// executions: sc/none:3
// truncated: sc/none:1
// finding: none
#include "run.h"
static volatile int flag;
static int rounds; /* written in each: more than waiting */
THREAD(waits)
{
	while (!flag)
		rounds++;
	return argument;
}
THREAD(sets)
{
	flag = 1;
	return argument;
}
int main(void)
{
	RUN(waits, sets);
	return 0;
}
