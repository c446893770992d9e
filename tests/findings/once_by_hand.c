// A flag instead of pthread_once(): both see that nothing is done, and do it. One after the other: 2. Both: 2 orders of counting, and for
// traces 2 of setting the flag, at which nobody looks again.
// everett: -I../programs -k
// executions: sc/none:20 tso/traces:6 ra/rf:4
// finding: assertion at once_by_hand.c:20
#include "run.h"
#include <stdatomic.h>
static atomic_int done, runs;
THREAD(work)
{
	if (!atomic_load(&done)) {
		atomic_fetch_add(&runs, 1);
		atomic_store(&done, 1);
	}
	return argument;
}
int main(void)
{
	RUN(work, work);
	assert(runs == 1);
	return 0;
}
