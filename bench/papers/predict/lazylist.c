/*
 * lazylist of paper 002: the lazy list-based set of Heller and others. Who inserts or removes locks two nodes, removed nodes are
 * marked before they are unlinked, and who looks for a key takes no locks. Asserted is that the results could be those of atomic
 * operations, and that no key is compared and no pointer followed that was not initialised.
 *
 * Accesses are numbered. Under PSO a node can be reached (4) while its fields (1, 2, 3) are still in the buffer, so that somebody
 * without a lock (11, 12, 21, 22, 23) reads what was there before. With -DFENCES there is a store-store fence in front of 4.
 */
#include "set.h"

struct node {
	atomic_int key;
	atomic_bool marked;
	struct node *_Atomic next;
	pthread_mutex_t lock;
};

static struct node poison;
#define FRESH { NO_KEY, true, &poison, PTHREAD_MUTEX_INITIALIZER }

static struct node nodes[NODES] = { FRESH, FRESH, FRESH, FRESH, FRESH };
static struct node tail = { GREATEST, false, NULL, PTHREAD_MUTEX_INITIALIZER };
static struct node head = { LEAST, false, &tail, PTHREAD_MUTEX_INITIALIZER };

static struct node *fresh(int i)
{
	return &nodes[i];
}

static struct node *linked(struct node *node)
{
	assert(node != &poison);
	return node;
}

static void unlock(struct node *before, struct node *node)
{
	pthread_mutex_unlock(&node->lock);
	pthread_mutex_unlock(&before->lock);
}

/*
 * The first node whose key is not less than this one, and in *before the one in front of it. Both are locked, and neither has been
 * removed.
 */
static struct node *search(int key, struct node **before)
{
	for (;;) {
		struct node *last = &head;
		struct node *node = get(head.next); /* 10 */
		while (initialised(get(node->key)) < key) { /* 11 */
			last = node;
			node = linked(get(node->next)); /* 12 */
		}
		pthread_mutex_lock(&last->lock);
		pthread_mutex_lock(&node->lock);
		*before = last;
		if (!get(last->marked) && /* 13 */
		    !get(node->marked) && /* 14 */
		    get(last->next) == node) /* 15 */
			return node;
		unlock(last, node);
	}
}

static bool insert(struct node *new, int key)
{
	struct node *before, *node = search(key, &before);
	bool absent = initialised(get(node->key)) != key; /* 16 */
	if (absent) {
		set(new->key, key); /* 1 */
		set(new->marked, false); /* 2 */
		set(new->next, node); /* 3 */
		publish();
		set(before->next, new); /* 4 */
	}
	unlock(before, node);
	return absent;
}

static bool erase(int key)
{
	struct node *before, *node = search(key, &before);
	bool present = initialised(get(node->key)) == key; /* 17 */
	if (present) {
		set(node->marked, true); /* 5 */
		struct node *next = get(node->next); /* 6 */
		set(before->next, next); /* 7 */
	}
	unlock(before, node);
	return present;
}

static bool contains(int key)
{
	struct node *node = get(head.next); /* 20 */
	int found;
	while ((found = initialised(get(node->key))) < key) /* 21 */
		node = linked(get(node->next)); /* 22 */
	return found == key && !get(node->marked); /* 23 */
}
