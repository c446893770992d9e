// A strong compare-exchange never fails for no reason.
// everett: --spurious-cas
// executions: sc/none:2 tso/none:2 ra/none:2
// finding: none
#include "run.h"
#include <stdatomic.h>
static atomic_int x, y;
THREAD(work)
{
	int expected = 0;
	if (!atomic_compare_exchange_strong(&x, &expected, 1))
		assert(expected == 1);
	return argument;
}
int main(void)
{
	RUN(work, work);
	int zero = 0;
	assert(__sync_bool_compare_and_swap((int *)&y, 0, 1) && !atomic_compare_exchange_strong(&y, &zero, 2));
	return 0;
}
