// A loop around a weak compare-exchange ends, whatever it is to do, and counts right. Who is first has 2 ways: with a failure
// or without. The other one has three: it finds 1 and then fails for no reason or not; or it fails for no reason at 0. If it is to
// fail for no reason and finds 1, that is blocked. Twice 2 * 3, and twice 2 * 1.
// everett: --spurious-cas
// executions: sc/none:46 sc/rf:12 sc/rvf:12 tso/none:46 tso/traces:12 ra/rf:12
// blocked: sc/none:14 sc/rf:4 sc/rvf:4 tso/none:14 tso/traces:4 ra/rf:4
// finding: none
#include "run.h"
#include <stdatomic.h>
static atomic_int x;
THREAD(work)
{
	int old = 0;
	while (!atomic_compare_exchange_weak_explicit(&x, &old, old + 1, memory_order_acq_rel, memory_order_relaxed))
		;
	return argument;
}
int main(void)
{
	RUN(work, work);
	assert(x == 2);
	return 0;
}
