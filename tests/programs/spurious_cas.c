// Two weak compare-exchanges, which may both fail. Neither is to fail: 2 orders. One is: it finds 0, or the other one's value, and
// is then blocked since it had a reason. Both are: 1. That makes 2 + 1 + 1 + 1 classes, and 2 blocked. Of the 24 interleavings of
// (choice, access) with (choice, access) for 4 pairs of choices, 3 + 3 are blocked; under RA the three in which an access that is to
// fail comes late find either value.
// everett: --spurious-cas
// executions: sc/none:18 sc/rf:5 tso/none:18 pso/traces:5 ra/none:24 ra/rf:5
// blocked: sc/none:6 sc/rf:2 tso/none:6 pso/traces:2 ra/none:6 ra/rf:2
// finding: none
#include "run.h"
#include <stdatomic.h>
static atomic_int x;
static int failed[2];
THREAD(work)
{
	int expected = 0;
	if (!atomic_compare_exchange_weak(&x, &expected, 1))
		failed[(size_t)argument] = 1 + expected;
	return argument;
}
int main(void)
{
	RUN(work, work);
	assert(x == (failed[0] != 1 || failed[1] != 1));
	return 0;
}
