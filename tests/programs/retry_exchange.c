// A lock made of an exchange, and one of a compare-exchange: one execution for each order in which the threads take them, here the same for both. Whoever
// comes too early waits, and does not count.
// executions: sc/none:2 tso/none:2 pso/none:2 ra/none:2 sc/traces:2 tso/traces:2 pso/traces:2 sc/rf:2 tso/rf:2 pso/rf:2 ra/rf:2
// blocked: sc/none:0 tso/none:0 pso/none:0 ra/none:0 sc/traces:0 tso/traces:0 pso/traces:0 sc/rf:0 tso/rf:0 pso/rf:0 ra/rf:0
// finding: none
#include "run.h"
#include <stdatomic.h>
#include <stdbool.h>
static atomic_int outer, inner;
static int turns;
static bool try(void)
{
	int free = 0;
	return atomic_compare_exchange_strong_explicit(&inner, &free, 1, memory_order_acquire, memory_order_relaxed);
}
THREAD(takes)
{
	bool (*volatile attempt)(void) = try;
	while (atomic_exchange_explicit(&outer, 1, memory_order_acquire))
		;
	while (!attempt())
		;
	turns++;
	atomic_store_explicit(&inner, 0, memory_order_release);
	atomic_store_explicit(&outer, 0, memory_order_release);
	return argument;
}
int main(void)
{
	RUN(takes, takes);
	assert(turns == 2);
	return 0;
}
