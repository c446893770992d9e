// Message passing that synchronises, by release and acquire, or by fences around relaxed accesses: no race. Each alone:
// the reader sees the flag or not, see findings/race_relaxed.c; the stores keep their order, so 3, and 2 under RA. One
// after the other: the product.
// everett: -I. --races -k
// executions: sc/none:9 tso/none:9 pso/none:9 ra/none:4
// finding: none
#include "run.h"
#include <stdatomic.h>
static int data[2];
static atomic_int flag[2];
THREAD(release)
{
	data[0] = 1;
	atomic_store_explicit(&flag[0], 1, memory_order_release);
	return argument;
}
THREAD(acquire)
{
	if (atomic_load_explicit(&flag[0], memory_order_acquire))
		data[0] = 2;
	return argument;
}
THREAD(fence_release)
{
	data[1] = 1;
	atomic_thread_fence(memory_order_release);
	atomic_store_explicit(&flag[1], 1, memory_order_relaxed);
	return argument;
}
THREAD(fence_acquire)
{
	if (!atomic_load_explicit(&flag[1], memory_order_relaxed))
		return argument;
	atomic_thread_fence(memory_order_acquire);
	data[1] = 2;
	return argument;
}
int main(void)
{
	RUN(release, acquire);
	RUN(fence_release, fence_acquire);
	return 0;
}
