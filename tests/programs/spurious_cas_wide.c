// The same as spurious_cas.c with sixteen bytes, which can hold any value.
// everett: --spurious-cas -Wno-atomic-alignment
// executions: sc/none:18 sc/rf:5 tso/none:18 pso/traces:5 ra/none:24 ra/rf:5
// blocked: sc/none:6 sc/rf:2 tso/none:6 pso/traces:2 ra/none:6 ra/rf:2
// finding: none
#include "run.h"
#include <stdatomic.h>
struct pair {
	long a, b;
};
static _Atomic struct pair x;
static int failed[2];
THREAD(work)
{
	struct pair expected = { 0, 0 }, desired = { 1, 2 };
	if (!atomic_compare_exchange_weak(&x, &expected, desired))
		failed[(size_t)argument] = 1 + (expected.b == 2);
	return argument;
}
int main(void)
{
	RUN(work, work);
	struct pair last = x;
	assert(last.a == (failed[0] != 1 || failed[1] != 1) && last.b == 2 * last.a);
	return 0;
}
