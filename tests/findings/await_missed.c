// The flag is 1 for a moment: who would read 0 waits; who reads 1 goes on; who reads 2 reads the last value there will ever be.
// Under every model the writes reach memory in their order.
// everett: -I../programs -k
// executions: sc/none:1 tso/none:1 pso/none:1 ra/none:1
// blocked: sc/none:1 tso/none:1 pso/none:1 ra/none:1
// finding: no-progress at await_missed.c:18
#include "run.h"
#include <stdatomic.h>
static atomic_int flag;
THREAD(sets)
{
	atomic_store_explicit(&flag, 1, memory_order_relaxed);
	atomic_store_explicit(&flag, 2, memory_order_relaxed);
	return argument;
}
THREAD(waits)
{
	while (atomic_load_explicit(&flag, memory_order_relaxed) != 1)
		;
	return argument;
}
int main(void)
{
	RUN(sets, waits);
	return 0;
}
