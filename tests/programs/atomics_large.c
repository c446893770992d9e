// Objects of more than 16 bytes: loads and stores are atomic with respect to each other. Each is a section of a lock that
// nobody sees: two in each thread, 4!/(2!2!) = 6 orders, under every model. Under PSO the three pieces of a store reach memory in any
// order, which is 3! for each, but nobody sees it.
// everett: -Wno-atomic-alignment
// executions: sc/none:6 tso/none:6 pso/none:216 ra/none:6
// finding: none
#include "run.h"
#include <stdatomic.h>
struct three {
	long a, b, c;
};
static _Atomic struct three shared;
THREAD(work)
{
	long me = (long)(size_t)argument + 1;
	struct three new = { me, 2 * me, 3 * me };
	atomic_store_explicit(&shared, new, memory_order_relaxed);
	struct three now = atomic_load_explicit(&shared, memory_order_relaxed);
	assert(now.a > 0 && now.b == 2 * now.a && now.c == 3 * now.a);
	return argument;
}
int main(void)
{
	RUN(work, work);
	return 0;
}
