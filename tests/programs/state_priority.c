// nice() makes two events, and others call the library in between: both are at its own place.
// executions: tso/rf:26 tso/traces:28
// finding: none
#include "run.h"
#include <stdatomic.h>
#include <sys/resource.h>
#include <unistd.h>
static atomic_int x, y;
static int seen[4];
static int read_now(atomic_int *from)
{
	return atomic_load_explicit(from, memory_order_relaxed);
}
THREAD(sets)
{
	seen[0] = getpriority(PRIO_PROCESS, 0);
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	setpriority(PRIO_PROCESS, 0, 5);
	seen[1] = read_now(&y);
	seen[2] = getpriority(PRIO_PROCESS, 0);
	atomic_store_explicit(&x, 2, memory_order_relaxed);
	return argument;
}
THREAD(adds)
{
	atomic_store_explicit(&y, 1, memory_order_relaxed);
	seen[3] = nice(1) + read_now(&x);
	atomic_store_explicit(&y, 2, memory_order_relaxed);
	return argument;
}
int main(void)
{
	RUN(sets, adds);
	return 0;
}
