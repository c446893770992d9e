/*
 * MCS_lock(N): N threads queue up in a list, twice each, and wait at a gate of their own that the one in front opens. With
 * -DAS_MEASURED who gives up waiting goes on as if it were in; who leaves and has somebody behind itself at once does not open the gate,
 * and leaves once more instead of coming again.
 */
#include "lockfree.h"

#ifndef N
#define N 2
#endif
#ifndef ENTRIES
#define ENTRIES 2
#endif

struct node {
	struct node *_Atomic next;
	atomic_int closed;
};

static struct node nodes[N];
static struct node *_Atomic tail;
static int shared;

static bool lock(struct node *mine)
{
	store(mine->next, NULL);
	store(mine->closed, 1);
	struct node *previous = atomic_exchange(&tail, mine);
	if (!previous)
		return true;
	store(previous->next, mine);
	for (int rounds = 0; load(mine->closed);)
		if (give_up(rounds))
			return false;
	return true;
}

static bool unlock(struct node *mine)
{
	struct node *next = load(mine->next), *last = mine;
	if (!next) {
		if (atomic_compare_exchange_strong(&tail, &last, NULL))
			return true;
		/* Somebody is behind me, but has not said so yet. */
		for (int rounds = 0; !(next = load(mine->next));)
			if (give_up(rounds))
				return false;
	} else if (as_measured) {
		return false;
	}
	store(next->closed, 0);
	return true;
}

static void *body(void *argument)
{
	struct node *mine = &nodes[number(argument)];
	if (as_measured) {
		lock(mine);
		if (unlock(mine))
			lock(mine);
		unlock(mine);
		return NULL;
	}
	for (int i = 0; i < ENTRIES && lock(mine); i++) {
		shared++;
		if (!unlock(mine))
			break;
	}
	return NULL;
}

int main(void)
{
	run(N, body);
	return 0;
}
