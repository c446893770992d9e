/*
 * ms2 of paper 002: the queue of Michael and Scott with two locks, one for each end. Asserted is that what is dequeued could have
 * been so by atomic operations, and that no pointer is followed that was not initialised.
 *
 * The numbers behind the statements are those of figure 10. Under the paper's PSO (2, 5, 10, 14) and (3, 5, 10, 10) break it: a node
 * can be reached (5) while its fields are still in the buffer. With -DFENCES there is a store-store fence in front of 5. Everett's
 * own PSO empties the buffers at 4, and does not break it.
 */
#include "queue.h"

static pthread_mutex_t head_lock = PTHREAD_MUTEX_INITIALIZER, tail_lock = PTHREAD_MUTEX_INITIALIZER;
static struct node *_Atomic head = &dummy, *_Atomic tail = &dummy;

static void enqueue(struct node *n, unsigned data)
{
	set(n->data, data); /* 2 */
	set(n->next, NULL); /* 3 */
	pthread_mutex_lock(&tail_lock); /* 4 */
	publish();
	struct node *last = get(tail); /* 5, of which this is the read */
	set(last->next, n); /* 5 */
	set(tail, n); /* 6 */
	pthread_mutex_unlock(&tail_lock); /* 7 */
}

static unsigned dequeue(void)
{
	pthread_mutex_lock(&head_lock); /* 8 */
	struct node *n = get(head); /* 9 */
	struct node *new_head = get(n->next); /* 10 */
	assert(new_head != &poison);
	if (new_head) {
		set(head, new_head); /* 12 */
		pthread_mutex_unlock(&head_lock); /* 13 */
		return get(new_head->data); /* 14 */
	}
	pthread_mutex_unlock(&head_lock); /* 16 */
	return NOTHING;
}
