// a is a write to x; b a read of x that must see it before c, a write to y; d a read of y. b before a: the second thread stops,
// and d may be anywhere: 3, all blocked, as the third thread stops, too. a b c in this order: d anywhere, 4, of which only the
// one behind c goes on. Under TSO and PSO it is the updates that a and c stand for. Under RA, where writes do not wait: b reads
// nothing, then d nothing; b reads a, then d nothing or c; d first reads nothing, then b nothing or a.
// executions: sc/none:1 tso/none:1 pso/none:1 ra/none:1
// blocked: sc/none:6 tso/none:6 pso/none:6 ra/none:4
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
