// The last load finds what it stored in the upper byte, and the exchange and the addition 0, if these two come first, in reverse order. But if
// the load has got the initial 0 of the lower byte, the exchange would have to come after it, and can no more read what the
// addition wrote before the store: it cannot be made at all, and so cannot tell rvf that the load has another source. 4!/2! orders.
// executions: sc/none:12
// finding: none
#include "run.h"
#include <stdatomic.h>
static union {
	_Atomic unsigned short whole;
	_Atomic unsigned char half[2];
} u;
THREAD(stores)
{
	atomic_store(&u.half[1], 2);
	(void)atomic_load(&u.whole);
	return argument;
}
THREAD(exchanges)
{
	atomic_exchange(&u.whole, 0x100);
	return argument;
}
THREAD(adds)
{
	atomic_fetch_add(&u.half[1], 0);
	return argument;
}
int main(void)
{
	RUN(stores, exchanges, adds);
	return 0;
}
