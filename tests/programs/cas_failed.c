// Whoever is first succeeds: 3. The others fail, and who fails first is not seen; but each order is an execution: 3!.
// executions: sc/none:6 tso/none:6 pso/none:6 sc/traces:3 tso/traces:3 pso/traces:3
// finding: none
#include "run.h"
#include <stdatomic.h>
static atomic_int winner;
THREAD(candidate)
{
	int nobody = 0;
	atomic_compare_exchange_strong(&winner, &nobody, (int)(size_t)argument + 1);
	return argument;
}
int main(void)
{
	RUN(candidate, candidate, candidate);
	assert(winner);
	return 0;
}
