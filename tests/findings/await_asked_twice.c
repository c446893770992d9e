// If the load finds 0 and the loop 2, the loop may have seen the one store of 2 or the other, after the load: two classes, with the
// same values. Both times it is asked whether the loop waits in vain, and the same order says so: if `stores` is the last one.
// For brute force `stores` may come at four places among the three events of `adds`, and the loop looks when all is over.
// everett: -I../programs -k --no-races
// executions: sc/none:0 sc/rvf:0
// blocked: sc/none:4 sc/rvf:8
// finding: no-progress at await_asked_twice.c:16
#include "run.h"
#include <stdatomic.h>
static atomic_int x;
THREAD(stores)
{
	atomic_store(&x, 2);
	return argument;
}
THREAD(waits) { while (atomic_load(&x) != 1) ;
	return argument;
}
THREAD(adds)
{
	(void)atomic_load(&x);
	atomic_store(&x, 2);
	atomic_fetch_add(&x, 2);
	return argument;
}
int main(void)
{
	RUN(stores, waits, adds);
	return 0;
}
