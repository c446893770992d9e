// A thread stores a word and reads its upper half, which no other thread touches: it finds its own store, in the buffer or in
// memory. Store, load and the other's store to the lowest byte: it comes first, second or last; with buffers the two updates
// and the load come in 3! orders. The traces are the orders of the stores to the byte, which nobody reads.
// executions: sc/none:3 tso/none:6 pso/none:6 sc/traces:2 tso/traces:2 pso/traces:2 sc/rf:1
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
	assert(atomic_load_explicit(&u.half[1], memory_order_relaxed) == 0x0202);
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
