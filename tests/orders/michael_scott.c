/*
 * The queue of Michael and Scott (PODC 1996). Nodes are never reused, so that a pointer needs no counter. What comes out is complete, and nothing is
 * lost; who has put something in does not find the queue empty.
 */
#include "orders.h"

struct node {
	int value;
	struct node *_Atomic next;
};

static struct node dummy, nodes[3];
static struct node *_Atomic head = &dummy, *_Atomic tail = &dummy;

static void enqueue(struct node *node)
{
	STORE(enqueue_init, relaxed, &node->next, NULL);
	for (;;) {
		struct node *last = LOAD(enqueue_tail, acquire, &tail);
		struct node *next = LOAD(enqueue_next, acquire, &last->next);
		if (next) {
			CAS(enqueue_help, release, enqueue_help_failed, relaxed, &tail, &last, next);
			continue;
		}
		if (CAS(enqueue_link, release, enqueue_link_failed, relaxed, &last->next, &next, node)) {
			CAS(enqueue_swing, release, enqueue_swing_failed, relaxed, &tail, &last, node);
			return;
		}
	}
}

static int dequeue(void)
{
	for (;;) {
		struct node *first = LOAD(dequeue_head, acquire, &head);
		struct node *last = LOAD(dequeue_tail, acquire, &tail);
		struct node *next = LOAD(dequeue_next, acquire, &first->next);
		if (!next)
			return 0;
		if (first == last) {
			CAS(dequeue_help, release, dequeue_help_failed, relaxed, &tail, &last, next);
			continue;
		}
		if (CAS(dequeue_swing, release, dequeue_swing_failed, relaxed, &head, &first, next))
			return next->value;
	}
}

static void put(int i)
{
	nodes[i].value = i + 1;
	enqueue(&nodes[i]);
}

static void *produce(void *unused)
{
	put(0);
	return unused;
}

static void *consume(void *got)
{
	put(1);
	((int *)got)[0] = dequeue();
	return NULL;
}

int main(void)
{
	int got[6] = { 0 }, seen = 0;
	pthread_t producer = start(produce, NULL), consumer = start(consume, got);
	got[1] = dequeue();
	put(2);
	got[2] = dequeue();
	finish(producer);
	finish(consumer);
	/* The consumer has put 2 in before; if main took that at its second attempt, there was 3. Main has put in 3 before. */
	assert((got[0] || got[1] == 2) && (got[2] || got[0] == 3));
	for (int i = 0; i < 6; i++) {
		if (i >= 3)
			got[i] = dequeue();
		assert(!got[i] || !(seen & 1 << got[i]));
		seen |= 1 << got[i];
	}
	assert((seen & 14) == 14 && got[5] == 0);
	return 0;
}
