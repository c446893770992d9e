// Store buffering with a full fence, of each name: both cannot read 0. Three reads-from classes each, six interleavings. Under RA the
// order of the fences counts, too: who is second reads 1, who is first reads either.
// everett: -Wno-deprecated-declarations
// executions: sc/none:18 tso/traces:9 pso/traces:9 ra/rf:12
// finding: none
#include "run.h"
#include <everett.h>
#include <stdatomic.h>
static atomic_int x, y;
static int a, b;
static unsigned which;
static void fence(void)
{
	switch (which) {
	case 0:
		atomic_thread_fence(memory_order_seq_cst);
		break;
	case 1:
		__atomic_thread_fence(__ATOMIC_SEQ_CST);
		break;
	default:
		__sync_synchronize();
	}
}
THREAD(left)
{
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	fence();
	a = atomic_load_explicit(&y, memory_order_relaxed);
	return argument;
}
THREAD(right)
{
	atomic_store_explicit(&y, 1, memory_order_relaxed);
	fence();
	b = atomic_load_explicit(&x, memory_order_relaxed);
	return argument;
}
int main(void)
{
	which = everett_choose(3);
	RUN(left, right);
	assert(a || b);
	return 0;
}
