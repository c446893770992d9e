/*
 * The least of hazard pointers: one reader, who announces the node that it is about to use, and looks again whether that
 * is still the one; one writer, who replaces the node and frees the old one unless it is announced.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct node {
	int value;
};
static _Atomic(struct node *) head, hazard;
static struct node *new_node(int value)
{
	struct node *n = malloc(sizeof(*n));
	n->value = value;
	return n;
}
static void *reader(void *argument)
{
	struct node *n = atomic_load_explicit(&head, memory_order_acquire);
	atomic_store_explicit(&hazard, n, memory_order_relaxed);
#ifndef WITHOUT_FENCE
	atomic_thread_fence(memory_order_seq_cst);
#endif
#ifndef WITHOUT_SECOND_LOOK
	if (atomic_load_explicit(&head, memory_order_acquire) != n)
		return argument;
#endif
	assert(n->value == 1 || n->value == 2);
	atomic_store_explicit(&hazard, NULL, memory_order_release);
	return argument;
}
static void *writer(void *argument)
{
	struct node *old = atomic_exchange_explicit(&head, argument, memory_order_acq_rel);
#ifndef WITHOUT_FENCE
	atomic_thread_fence(memory_order_seq_cst);
#endif
	if (atomic_load_explicit(&hazard, memory_order_acquire) != old)
		free(old);
	return NULL;
}
int main(void)
{
	pthread_t r, w;
	head = new_node(1);
	pthread_create(&r, NULL, reader, NULL);
	pthread_create(&w, NULL, writer, new_node(2));
	pthread_join(r, NULL);
	pthread_join(w, NULL);
	return 0;
}
