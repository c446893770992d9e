/*
 * harris of paper 002: Harris's non-blocking set. A node has been removed when its link is marked by its lowest bit; whoever
 * comes across such nodes unlinks them. Asserted is that the results could be those of atomic operations, and that no key is compared
 * and no pointer followed that was not initialised.
 *
 * Accesses are numbered. Under the paper's PSO a node can be reached (3) while its fields are still in the buffer: 1, which 13 and
 * others miss then, or 2, which 12 misses. With -DFENCES there is a store-store fence in front of 3. Everett's own PSO empties
 * the buffers at 3, and does not break it.
 */
#include "set.h"

struct node {
	atomic_int key;
	struct node *_Atomic next;
};

static struct node poison;
#define FRESH { NO_KEY, &poison }

static struct node nodes[NODES] = { FRESH, FRESH, FRESH, FRESH, FRESH };
static struct node tail = { GREATEST, NULL }, head = { LEAST, &tail };

static struct node *fresh(int i)
{
	return &nodes[i];
}

static struct node *linked(struct node *link)
{
	assert(link != &poison);
	return link;
}

static bool marked(struct node *link)
{
	return (uintptr_t)link & 1;
}

static struct node *mark(struct node *link)
{
	return (struct node *)((uintptr_t)link | 1);
}

static struct node *unmark(struct node *link)
{
	return (struct node *)((uintptr_t)link & ~(uintptr_t)1);
}

/*
 * The first node whose key is not less than this one, and in *before the one in front of it. Neither is marked, and marked ones
 * between them have been unlinked.
 */
static struct node *search(int key, struct node **before)
{
	for (;;) {
		struct node *node = &head, *last = NULL, *link = NULL;
		struct node *next = get(head.next); /* 11 */
		do {
			if (!marked(next)) {
				last = node;
				link = next;
			}
			node = unmark(next);
			if (node == &tail)
				break;
			next = linked(get(node->next)); /* 12 */
		} while (marked(next) || initialised(get(node->key)) < key); /* 13 */
		*before = last;
		if (link != node && !cas(last->next, link, node)) /* 14 */
			continue;
		if (node == &tail || !marked(linked(get(node->next)))) /* 15 */
			return node;
	}
}

static bool insert(struct node *new, int key)
{
	struct node *before;
	set(new->key, key); /* 1 */
	for (;;) {
		struct node *node = search(key, &before);
		if (node != &tail && initialised(get(node->key)) == key) /* 4 */
			return false;
		set(new->next, node); /* 2 */
		publish();
		if (cas(before->next, node, new)) /* 3 */
			return true;
	}
}

static bool erase(int key)
{
	struct node *before, *node, *next;
	do {
		node = search(key, &before);
		if (node == &tail || initialised(get(node->key)) != key) /* 5 */
			return false;
		next = linked(get(node->next)); /* 6 */
	} while (marked(next) || !cas(node->next, next, mark(next))); /* 7 */
	if (!cas(before->next, node, next)) /* 8 */
		search(key, &before);
	return true;
}

static bool contains(int key)
{
	struct node *before, *node = search(key, &before);
	return node != &tail && initialised(get(node->key)) == key; /* 9 */
}
