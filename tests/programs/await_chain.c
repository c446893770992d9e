// a is a write to x; b a read of x that must see it before c, a write to y; d a read of y that must see c. There is no other order than
// a b c d. Under TSO and PSO it is the updates that a and c stand for.
// executions: sc/none:1 tso/none:1 pso/none:1 ra/none:1
// blocked: sc/none:0 tso/none:0 pso/none:0 ra/none:0
// finding: none
#include "run.h"
#include <stdatomic.h>
static atomic_int x, y;
THREAD(first)
{
	atomic_store_explicit(&x, 1, memory_order_release);
	return argument;
}
THREAD(second)
{
	while (!atomic_load_explicit(&x, memory_order_acquire))
		;
	atomic_store_explicit(&y, 1, memory_order_release);
	return argument;
}
THREAD(third)
{
	while (!atomic_load_explicit(&y, memory_order_acquire))
		;
	return argument;
}
int main(void)
{
	RUN(first, second, third);
	assert(x && y);
	return 0;
}
