/*
 * MPSC_c11(N): N threads queue up by exchanging the tail of a list, and wait until its head is the one in front of them.
 */
#include "lockfree.h"

#ifndef N
#define N 3
#endif

struct node {
	struct node *_Atomic next;
};

static struct node nodes[N + 1];
static struct node *_Atomic head = &nodes[N];
static struct node *_Atomic tail = &nodes[N];
static int shared;

static bool lock(struct node *mine)
{
	struct node *previous = atomic_exchange(&tail, mine);
	store(previous->next, mine);
	struct node *first = load(head);
	for (int rounds = 0; first != previous;) {
		first = load(head);
		if (give_up(rounds))
			return false;
	}
	return true;
}

static void unlock(void)
{
	struct node *first = load(head);
	store(head, load(first->next));
}

static void *body(void *argument)
{
	if (!lock(&nodes[number(argument)]))
		return NULL;
	shared++;
	unlock();
	return NULL;
}

int main(void)
{
	run(N, body);
	return 0;
}
