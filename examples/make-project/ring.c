#include "ring.h"

bool ring_put(struct ring *r, int value)
{
	unsigned head = atomic_load_explicit(&r->head, memory_order_relaxed);
	if (head - atomic_load_explicit(&r->tail, memory_order_acquire) == RING_SIZE)
		return false;
#ifdef BUG
	/* Published before it is written. */
	atomic_store_explicit(&r->head, head + 1, memory_order_release);
	r->slots[head % RING_SIZE] = value;
#else
	r->slots[head % RING_SIZE] = value;
	atomic_store_explicit(&r->head, head + 1, memory_order_release);
#endif
	return true;
}

bool ring_take(struct ring *r, int *value)
{
	unsigned tail = atomic_load_explicit(&r->tail, memory_order_relaxed);
	if (tail == atomic_load_explicit(&r->head, memory_order_acquire))
		return false;
	*value = r->slots[tail % RING_SIZE];
	atomic_store_explicit(&r->tail, tail + 1, memory_order_release);
	return true;
}
