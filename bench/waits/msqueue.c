/*
 * Michael and Scott's queue: thread 0 enqueues N - 1 values, each other thread dequeues one and retries while the queue is empty.
 *
 * -DBROKEN=1: the value is written after the node is linked.
 * finding: assertion under sc tso pso; assertion, race under ra
 * -DBROKEN=2 -DN=3: the old dummy is freed while another thread may still read it.
 * finding: use-after-free under sc tso pso; race, use-after-free under ra
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#ifndef N
#define N 2
#endif
#ifndef BROKEN
#define BROKEN 0
#endif

struct node {
	struct node *_Atomic next;
	int value;
};

static struct node *_Atomic head, *_Atomic tail;

static struct node *new_node(int value)
{
	struct node *node = malloc(sizeof *node);
	atomic_init(&node->next, NULL);
	node->value = value;
	return node;
}

static struct node *get(struct node *_Atomic *pointer)
{
	return atomic_load_explicit(pointer, memory_order_acquire);
}

static bool replace(struct node *_Atomic *pointer, struct node *from, struct node *to)
{
	return atomic_compare_exchange_strong_explicit(pointer, &from, to, memory_order_acq_rel, memory_order_relaxed);
}

static void put(int value)
{
	struct node *node = new_node(BROKEN == 1 ? 0 : value), *last;
	for (;;) {
		last = get(&tail);
		struct node *next = get(&last->next);
		if (next)
			replace(&tail, last, next);
		else if (replace(&last->next, NULL, node))
			break;
	}
	replace(&tail, last, node);
	if (BROKEN == 1)
		node->value = value;
}

static bool take(int *value)
{
	for (;;) {
		struct node *first = get(&head), *last = get(&tail), *next = get(&first->next);
		if (!next)
			return false;
		if (first == last) {
			replace(&tail, last, next);
			continue;
		}
		*value = next->value;
		if (!replace(&head, first, next))
			continue;
		if (BROKEN == 2)
			free(first);
		return true;
	}
}

static void *producer(void *unused)
{
	for (int i = 1; i < N; i++)
		put(i);
	return unused;
}

static void *consumer(void *unused)
{
	int value;
	while (!take(&value))
		sched_yield();
	assert(value > 0);
	return unused;
}

int main(void)
{
	pthread_t threads[N];
	struct node *dummy = new_node(0);
	atomic_init(&head, dummy);
	atomic_init(&tail, dummy);
	for (int i = 0; i < N; i++)
		pthread_create(&threads[i], NULL, i ? consumer : producer, NULL);
	for (int i = 0; i < N; i++)
		pthread_join(threads[i], NULL);
	assert(get(&head) == get(&tail));
	return 0;
}
