// The end of a function ends the life of its locals, and that is an event: the other thread finds no pointer, or one to a local that is there, or
// one to a local that is gone. Under RA, too.
// everett: -k -I../programs --no-races
// executions: sc/traces:3 sc/rf:3 sc/rvf:3 tso/rf:3 pso/rf:3 ra/rf:3
// finding: use-after-free at fault_local_left.c:24, assertion at fault_local_left.c:30
#include "run.h"
#include <assert.h>
#include <stdatomic.h>
static _Atomic(int *) q;
static int found;
static void publish(void)
{
	int local = 1;
	atomic_store(&q, &local);
}
THREAD(publishes)
{
	publish();
	return argument;
}
THREAD(uses)
{
	int *l = atomic_load(&q);
	found = l ? *l : 0;
	return argument;
}
int main(void)
{
	RUN(publishes, uses);
	assert(!found);
	return 0;
}
