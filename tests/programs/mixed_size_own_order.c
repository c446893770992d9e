// A thread stores a word and then its upper half, which no other thread touches: the second store is not overwritten by the first, when
// that one leaves the buffer. Two stores, in their order, and a load, with the other's store to the lowest byte in any of 4 places;
// the fence makes the updates of the two come in their place. The traces are the orders of the stores to the byte.
// executions: sc/none:4 tso/none:4 pso/none:4 sc/traces:2 tso/traces:2 pso/traces:2 sc/rf:1
// finding: none
#include "run.h"
#include <stdatomic.h>
#include <stdint.h>
static union {
	_Atomic uint32_t whole;
	_Atomic uint16_t half[2];
	_Atomic uint8_t byte[4];
} u;
THREAD(whole)
{
	atomic_store_explicit(&u.whole, 0x02020202, memory_order_relaxed);
	atomic_store_explicit(&u.half[1], 5, memory_order_relaxed);
	atomic_thread_fence(memory_order_seq_cst);
	assert(atomic_load_explicit(&u.half[1], memory_order_relaxed) == 5);
	return argument;
}
THREAD(byte)
{
	atomic_store_explicit(&u.byte[0], 1, memory_order_relaxed);
	return argument;
}
int main(void)
{
	RUN(byte, whole);
	return 0;
}
