// A lock made of compare-exchange, taken twice by each of two threads: 4! / (2! 2!) orders.
// executions: sc/traces:6 sc/rf:6 tso/traces:6 tso/rf:6 pso/traces:6 pso/rf:6 ra/rf:6
// finding: none
#include "run.h"
#include <stdatomic.h>
static atomic_int lock;
static int x;
static void add(void)
{
	for (int free = 0; !atomic_compare_exchange_strong(&lock, &free, 1); free = 0)
		;
	x++;
	atomic_store(&lock, 0);
}
THREAD(adds)
{
	add();
	add();
	return argument;
}
int main(void)
{
	RUN(adds, adds);
	assert(x == 4);
	return 0;
}
