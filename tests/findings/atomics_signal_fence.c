// The same with a fence that orders the compiler only: under SC that does not matter.
// everett: --keep-going
// executions: sc/none:6 sc/rf:3 tso/traces:4 pso/traces:4 ra/rf:4
// finding: none under sc; assertion at atomics_signal_fence.c:28 under tso pso ra
#include "../programs/run.h"
#include <stdatomic.h>
static atomic_int x, y;
static int a, b;
THREAD(left)
{
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	atomic_signal_fence(memory_order_seq_cst);
	a = atomic_load_explicit(&y, memory_order_relaxed);
	return argument;
}
THREAD(right)
{
	atomic_store_explicit(&y, 1, memory_order_relaxed);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	b = atomic_load_explicit(&x, memory_order_relaxed);
	return argument;
}

int main(void)
{
	/* Both loads before both stores. */
	RUN(left, right);
	assert(a || b);
	return 0;
}
