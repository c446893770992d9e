// Atomic operations are one event each, of any kind: the sum is never lost. Two events each: 6.
// executions: sc/none:6
// finding: none
#include "run.h"
#include <stdatomic.h>
static _Atomic short n;
THREAD(left)
{
	n++;
	atomic_fetch_add(&n, 4);
	return argument;
}
THREAD(right)
{
	__atomic_fetch_add((short *)&n, 2, __ATOMIC_RELAXED);
	__sync_fetch_and_add((short *)&n, 8);
	return argument;
}
int main(void)
{
	RUN(left, right);
	assert(n == 15);
	return 0;
}
