// A read before the loop and one in it, which decides the next time round: 1; 0 1. Another 0 would be a round for nothing.
// executions: sc/none:2 tso/none:2 pso/none:2 ra/none:2
// blocked: sc/none:0 tso/none:0 pso/none:0 ra/none:0
// finding: none
#include "run.h"
#include <stdatomic.h>
static atomic_int flag;
THREAD(writes)
{
	atomic_store_explicit(&flag, 1, memory_order_release);
	return argument;
}
THREAD(waits)
{
	int v = atomic_load_explicit(&flag, memory_order_acquire);
	while (!v)
		v = atomic_load_explicit(&flag, memory_order_acquire);
	assert(v == 1);
	return argument;
}
int main(void)
{
	RUN(writes, waits);
	return 0;
}
