/*
 * msn of paper 002: the non-blocking queue of Michael and Scott. Nodes are not used again, so that pointers need no counters.
 * Asserted is that what is dequeued could have been so by atomic operations, and that no pointer is followed that was not initialised.
 *
 * Accesses are numbered. Under the paper's PSO a node can be reached (6) while its fields are still in the buffer: 1, which 13 misses
 * then, or 2, which 4 and 11 miss. With -DFENCES there is a store-store fence in front of 6. Everett's own PSO empties the
 * buffers at 6, and does not break it.
 */
#include "queue.h"

static struct node *_Atomic head = &dummy, *_Atomic tail = &dummy;

static void enqueue(struct node *n, unsigned data)
{
	struct node *last, *next;
	set(n->data, data); /* 1 */
	set(n->next, NULL); /* 2 */
	for (;;) {
		last = get(tail); /* 3 */
		next = get(last->next); /* 4 */
		assert(next != &poison);
		if (last != get(tail)) /* 5 */
			continue;
		if (!next) {
			publish();
			if (cas(last->next, next, n)) /* 6 */
				break;
		} else {
			cas(tail, last, next); /* 7 */
		}
	}
	cas(tail, last, n); /* 8 */
}

static unsigned dequeue(void)
{
	for (;;) {
		struct node *first = get(head); /* 9 */
		struct node *last = get(tail); /* 10 */
		struct node *next = get(first->next); /* 11 */
		assert(next != &poison);
		if (first != get(head)) /* 12 */
			continue;
		if (first == last) {
			if (!next)
				return NOTHING;
			cas(tail, last, next); /* 15 */
		} else {
			unsigned data = get(next->data); /* 13 */
			if (cas(head, first, next)) /* 14 */
				return data;
		}
	}
}
