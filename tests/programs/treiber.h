/*
 * Treiber's stack over a fixed set of nodes: who pops a node owns it until it is pushed again, so that nodes come back. A
 * thread that has read the top and its successor is overtaken by one that pops both and pushes the first again (ABA): the
 * compare-exchange succeeds, and makes a node the top that is somebody's. TOP is what the top is: with a tag that counts
 * changes, or without.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
struct node {
	_Atomic(struct node *) next;
	atomic_int owned;
};
struct top {
	struct node *first;
#ifdef TAGGED
	size_t tag;
#endif
};
static _Atomic(struct top) top;
static struct node nodes[2];

static struct top changed(struct top old, struct node *first)
{
	struct top t = old;
	t.first = first;
#ifdef TAGGED
	t.tag++;
#endif
	return t;
}

static struct node *pop(void)
{
	struct top old = atomic_load(&top);
	do {
		if (!old.first)
			return NULL;
	} while (!atomic_compare_exchange_strong(&top, &old, changed(old, atomic_load(&old.first->next))));
	assert(atomic_exchange(&old.first->owned, 1) == 0);
	return old.first;
}

static void push(struct node *n)
{
	struct top old = atomic_load(&top);
	atomic_store(&n->owned, 0);
	do
		atomic_store(&n->next, old.first);
	while (!atomic_compare_exchange_strong(&top, &old, changed(old, n)));
}

static void *one(void *argument)
{
	pop();
	return argument;
}

static void *two(void *argument)
{
	struct node *a = pop();
	pop();
	if (a)
		push(a);
	return argument;
}

int main(void)
{
	pthread_t s, t;
	atomic_store(&nodes[0].next, &nodes[1]);
	atomic_store(&top, changed((struct top){ 0 }, &nodes[0]));
	pthread_create(&s, NULL, one, NULL);
	pthread_create(&t, NULL, two, NULL);
	pthread_join(s, NULL);
	pthread_join(t, NULL);
	pop();
	return 0;
}
