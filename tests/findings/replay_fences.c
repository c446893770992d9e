// Under RA acquire fences are no steps, but they are recorded where races are looked for: the schedule must not take them
// for steps, and name the wrong writes' places in coherence. Either write of each location is the last: 4 under RA; under SC not
// 1 of x and 2 of y, a cycle. If x is 1, y is not read: 3 reads-from classes. The finding's execution is replayed.
// everett: -k -I../programs --races
// executions: sc/none:6 sc/traces:3 ra/none:4 ra/rf:3
// finding: assertion at replay_fences.c:27
#include "run.h"
#include <stdatomic.h>
static atomic_int x, y;
THREAD(left)
{
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	atomic_thread_fence(memory_order_acquire);
	atomic_store_explicit(&y, 1, memory_order_relaxed);
	return argument;
}
THREAD(right)
{
	atomic_store_explicit(&y, 2, memory_order_relaxed);
	atomic_thread_fence(memory_order_acquire);
	atomic_store_explicit(&x, 2, memory_order_relaxed);
	return argument;
}
int main(void)
{
	RUN(left, right);
	assert(!(x == 2 && y == 1));
	return 0;
}
