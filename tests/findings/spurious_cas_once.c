// A weak compare-exchange without a loop: who fails believes that the other one has it. Only if it can fail for no reason
// does nobody have it.
// everett: --spurious-cas --keep-going
// executions: sc/none:18 sc/rf:5 tso/none:18 ra/rf:5
// blocked: sc/none:6 sc/rf:2 tso/none:6 ra/rf:2
// finding: assertion at spurious_cas_once.c:21
#include "../programs/run.h"
#include <stdatomic.h>
static atomic_int owner;
static int owners;
THREAD(work)
{
	int nobody = 0;
	if (atomic_compare_exchange_weak(&owner, &nobody, 1))
		owners = 1;
	return argument;
}
int main(void)
{
	RUN(work, work);
	assert(owners);
	return 0;
}
