/*
 * CLH_c11(N): N threads queue up by exchanging the tail of a list, and wait for whoever is in front of them.
 */
#include "lockfree.h"

#ifndef N
#define N 3
#endif

struct node {
	atomic_int locked;
};

static struct node nodes[N + 1]; /* the last one is of nobody, and not locked */
static struct node *_Atomic tail = &nodes[N];
static int shared;

static bool lock(struct node *mine)
{
	store(mine->locked, 1);
	struct node *previous = atomic_exchange(&tail, mine);
	int locked = load(previous->locked);
	for (int rounds = 0; locked;) {
		locked = load(previous->locked);
		if (give_up(rounds))
			return false;
	}
	return true;
}

static void *body(void *argument)
{
	struct node *mine = &nodes[number(argument)];
	if (!lock(mine))
		return NULL;
	shared++;
	store(mine->locked, 0);
	return NULL;
}

int main(void)
{
	run(N, body);
	return 0;
}
