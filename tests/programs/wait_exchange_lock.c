// A lock made of exchange. Attempts that fail are no events: the order in which three threads take it is all there is.
// executions: sc/traces:6 sc/rf:6 tso/traces:6 tso/rf:6 pso/traces:6 pso/rf:6 ra/rf:6
// finding: none
#include "run.h"
#include <stdatomic.h>
static atomic_int lock;
static int x;
THREAD(adds)
{
	while (atomic_exchange(&lock, 1))
		;
	x++;
	atomic_store(&lock, 0);
	return argument;
}
int main(void)
{
	RUN(adds, adds, adds);
	assert(x == 3);
	return 0;
}
