/*
 * A node is written, then published; or published, then written; or written, then published by a store that a machine may
 * let overtake the other. The reader takes what is published and reads it.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct node {
	int key, value;
};
static _Atomic(struct node *) published;
static void *writer(void *argument)
{
	struct node *n = malloc(sizeof(*n));
	n->key = 1;
#if defined(TOO_EARLY)
	atomic_store_explicit(&published, n, memory_order_release);
	n->value = 2;
#elif defined(RELAXED)
	n->value = 2;
	atomic_store_explicit(&published, n, memory_order_relaxed);
#else
	n->value = 2;
	atomic_store_explicit(&published, n, memory_order_release);
#endif
	return argument;
}
static void *reader(void *argument)
{
	struct node *n = atomic_load_explicit(&published, memory_order_acquire);
	if (n)
		assert(n->value == 2);
	return argument;
}
int main(void)
{
	pthread_t r, w;
	pthread_create(&r, NULL, reader, NULL);
	pthread_create(&w, NULL, writer, NULL);
	pthread_join(r, NULL);
	pthread_join(w, NULL);
	return 0;
}
