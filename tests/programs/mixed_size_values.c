// Both halves are written by two threads, with the same values: what is read of each is 0 or 1, and which thread wrote it does
// not matter. The whole has neither, the first, or both: 3 executions under rvf. There are 5!/(2! 2!) orders. Under rf, 1 class has neither, 2
// the first, and 2 * 2 both.
// executions: sc/none:30 sc/rf:7 sc/rvf:3
// finding: none
#include "run.h"
#include <stdatomic.h>
#include <stdint.h>
static union {
	_Atomic uint64_t whole;
	_Atomic uint32_t half[2];
} u;
THREAD(writes)
{
	atomic_store(&u.half[0], 1);
	atomic_store(&u.half[1], 1);
	return argument;
}
THREAD(writes_too)
{
	atomic_store(&u.half[0], 1);
	atomic_store(&u.half[1], 1);
	return argument;
}
THREAD(reads)
{
	uint64_t whole = atomic_load(&u.whole);
	assert((uint32_t)whole >= whole >> 32);
	return argument;
}
int main(void)
{
	RUN(writes, writes_too, reads);
	return 0;
}
