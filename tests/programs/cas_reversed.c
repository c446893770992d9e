// The exchange is before the store and fails, or between store and load, which then reads 2, or behind both. With a buffer the
// update, the load and the exchange come in 3! orders, but the same three traces: whether the load of 1 was forwarded is
// not seen, nor whether it came before an exchange that failed.
// executions: sc/none:3 tso/none:6 pso/none:6 sc/traces:3 tso/traces:3 pso/traces:3
// finding: none
#include "run.h"
#include <stdatomic.h>
static atomic_int x;
THREAD(stores)
{
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	(void)atomic_load_explicit(&x, memory_order_relaxed);
	return argument;
}
THREAD(exchanges)
{
	int one = 1;
	atomic_compare_exchange_strong(&x, &one, 2);
	return argument;
}
int main(void)
{
	RUN(stores, exchanges);
	return 0;
}
