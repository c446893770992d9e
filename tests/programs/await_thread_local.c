// The last that a thread does is to wait; then its variables end, which others have accessed. That is an event at the place of the loop, but no look of the
// loop. Workers, which divide the search, must not take it for one.
// everett: -j 2
// executions: sc/rf:2 tso/rf:2 pso/rf:2
// finding: none
#include "run.h"
#include <stdatomic.h>
static atomic_int go_on;
static int *_Atomic shared;
static _Thread_local int own = 5;
static int seen;
THREAD(waits)
{
	atomic_store(&shared, &own);
	while (!atomic_load_explicit(&go_on, memory_order_acquire))
		;
	return argument;
}
THREAD(looks)
{
	const int *p = atomic_load(&shared);
	seen = p ? *p : -1;
	atomic_store_explicit(&go_on, 1, memory_order_release);
	return argument;
}
int main(void)
{
	RUN(waits, looks);
	assert(seen == 5 || seen == -1);
	return 0;
}
