// A lock of an atomic_flag that one thread releases twice, the second time when it is another one's: then a third can be in, too.
// 208 is what `none` finds.
// everett: --keep-going
// executions: sc/none:208 tso/none:208 sc/rf:40 tso/traces:56 ra/rf:40
// finding: assertion at atomics_flag_twice.c:18
#include "../programs/run.h"
#include <stdatomic.h>
#ifndef TWICE
#define TWICE 1
#endif
static atomic_flag lock = ATOMIC_FLAG_INIT;
static atomic_int inside;
THREAD(work)
{
	/* Who does not get it at once goes away. */
	if (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire))
		return argument;
	assert(atomic_fetch_add_explicit(&inside, 1, memory_order_relaxed) == 0);
	atomic_fetch_sub_explicit(&inside, 1, memory_order_relaxed);
	atomic_flag_clear_explicit(&lock, memory_order_release);
	if (!argument && TWICE)
		atomic_flag_clear(&lock);
	return argument;
}
int main(void)
{
	RUN(work, work, work);
	return 0;
}
