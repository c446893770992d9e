// One thread adds to the whole, one to its lower half, the third stores twice to the upper. The order of the additions, and
// what was in the upper half: 6 classes. If the additions change places, the first one needs not come where the other was:
// that could have read another value of the upper half, too.
// executions: sc/none:12 sc/traces:6 sc/rf:6
// finding: none
#include "run.h"
#include <stdatomic.h>
#include <stdint.h>
static union {
	_Atomic uint64_t whole;
	_Atomic uint32_t half[2];
} u;
THREAD(stores)
{
	atomic_store(&u.half[1], 1);
	atomic_store(&u.half[1], 2);
	return argument;
}
THREAD(adds)
{
	atomic_fetch_add(&u.whole, 0x1000000010);
	return argument;
}
THREAD(adds_to_half)
{
	atomic_fetch_add(&u.half[0], 1);
	return argument;
}
int main(void)
{
	RUN(stores, adds, adds_to_half);
	return 0;
}
