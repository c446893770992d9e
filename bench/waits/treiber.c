/*
 * Treiber's stack: thread 0 pushes N - 1 values, each other thread pops one and retries while the stack is empty.
 *
 * -DBROKEN=1: the value is written after the node is pushed.
 * finding: assertion under sc tso pso; assertion, race under ra
 * -DBROKEN=2 -DN=3: a popped node is freed while another thread may still read it.
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
	struct node *next;
	int value;
};

static struct node *_Atomic top;

static void push(int value)
{
	struct node *node = malloc(sizeof *node);
	node->value = BROKEN == 1 ? 0 : value;
	node->next = atomic_load_explicit(&top, memory_order_relaxed);
	while (!atomic_compare_exchange_weak_explicit(&top, &node->next, node, memory_order_release,
						      memory_order_relaxed))
		;
	if (BROKEN == 1)
		node->value = value;
}

static bool pop(int *value)
{
	struct node *node = atomic_load_explicit(&top, memory_order_acquire);
	do {
		if (!node)
			return false;
	} while (!atomic_compare_exchange_weak_explicit(&top, &node, node->next, memory_order_acquire,
							memory_order_acquire));
	*value = node->value;
	if (BROKEN == 2)
		free(node);
	return true;
}

static void *producer(void *unused)
{
	for (int i = 1; i < N; i++)
		push(i);
	return unused;
}

static void *consumer(void *unused)
{
	int value;
	while (!pop(&value))
		sched_yield();
	assert(value > 0);
	return unused;
}

int main(void)
{
	pthread_t threads[N];
	for (int i = 0; i < N; i++)
		pthread_create(&threads[i], NULL, i ? consumer : producer, NULL);
	for (int i = 0; i < N; i++)
		pthread_join(threads[i], NULL);
	assert(!atomic_load(&top));
	return 0;
}
