// A store to the whole and one to its lower half; a compare-exchange of the whole that succeeds between the two; a load of
// the upper half, which finds 0 or the store if the exchange fails, before both or behind both, and besides what the exchange stores
// if that succeeds. So there are 2 + 2 + 3 traces. That the exchange and the load are in conflict is seen only where it succeeds.
// executions: sc/none:12 tso/none:12 pso/none:12 sc/traces:7 tso/traces:7 pso/traces:7 sc/rf:7
// finding: none
#include "run.h"
#include <stdatomic.h>
#include <stdint.h>
static union {
	_Atomic uint64_t whole;
	_Atomic uint32_t half[2];
} u;
THREAD(stores)
{
	atomic_store(&u.whole, 0x200000001);
	atomic_store(&u.half[0], 2);
	return argument;
}
THREAD(compares)
{
	uint64_t expected = 0x200000001;
	atomic_compare_exchange_strong(&u.whole, &expected, 0);
	return argument;
}
THREAD(reads)
{
	(void)atomic_load(&u.half[1]);
	return argument;
}
int main(void)
{
	RUN(compares, stores, reads);
	return 0;
}
