// The exchange writes what it finds, so that the compare-exchange succeeds before it and after it: when the two are turned round,
// it must be foreseen that it does. Two orders; the reader finds 0, 5, or the 0 of the exchange: with E before C 0, 0', 5; with C
// before E 0, 5, 0'. By value the two 0 are the same, which leaves 4.
// executions: sc/none:6 sc/traces:6 sc/rf:6 sc/rvf:4
// redundant: sc/rvf:1
// finding: none
#include "run.h"
#include <stdatomic.h>
static atomic_int x;
THREAD(compares)
{
	int expected = 0;
	atomic_compare_exchange_strong(&x, &expected, 5);
	return argument;
}
THREAD(exchanges)
{
	atomic_exchange(&x, 0);
	return argument;
}
THREAD(reads)
{
	(void)atomic_load(&x);
	return argument;
}
int main(void)
{
	RUN(compares, exchanges, reads);
	return 0;
}
