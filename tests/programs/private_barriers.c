// Store buffering with barriers that are accesses to variables of the thread's own: no event of theirs is seen, and still
// they wait until the thread's stores are in memory. So there are the 6 interleavings of two writes and two reads.
// executions: sc/none:6 tso/none:6 pso/none:6
// finding: none
#include "run.h"
static int x, y, own_left, own_right, read_left, read_right;
THREAD(left)
{
	x = 1;
	__atomic_fetch_add(&own_left, 1, __ATOMIC_RELAXED);
	read_left = y;
	return argument;
}
THREAD(right)
{
	y = 1;
	__atomic_store_n(&own_right, 1, __ATOMIC_SEQ_CST);
	read_right = x;
	return argument;
}
int main(void)
{
	RUN(left, right);
	assert(read_left || read_right);
	return 0;
}
