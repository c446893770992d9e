// A counter in memory that is the thread's own: a round that counts is no wait. The loop finds 1; 0 1; or 0 0 and gives up.
// everett: -I../programs -k
// executions: sc/none:3 sc/traces:3 tso/traces:3 pso/rf:3 ra/rf:3
// finding: assertion at wait_private_counter.c:13
#include "run.h"
#include <stdatomic.h>
static atomic_int flag;
int rounds;
THREAD(waits)
{
	while (!atomic_load(&flag))
		if (++rounds == 2)
			assert(!"patient");
	return argument;
}
THREAD(sets)
{
	atomic_store(&flag, 1);
	return argument;
}
int main(void)
{
	RUN(waits, sets);
	return 0;
}
