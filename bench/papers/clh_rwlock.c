/*
 * CLH_rwlock_c11(N): a queue as in clh_mutex, of readers, who let the next one go at once, and -DWRITERS=... writers, who wait until
 * no reader is left and let the next one go when they are done. With -DAS_MEASURED whoever's turn it is gives up, too.
 */
#include "lockfree.h"

#ifndef N
#define N 3
#endif
#ifndef WRITERS
#define WRITERS 1
#endif

struct node {
	atomic_int locked;
};

static struct node nodes[N + 1]; /* the last one is of nobody, and not locked */
static struct node *_Atomic tail = &nodes[N];
static atomic_int readers;
static int shared;

/* Wait for whoever is in front. */
static bool queue_up(struct node *mine)
{
	store(mine->locked, 1);
	struct node *previous = atomic_exchange(&tail, mine);
	for (int rounds = 0; load(previous->locked);)
		if (give_up(rounds))
			return false;
	return !as_measured;
}

static void read(struct node *mine)
{
	if (!queue_up(mine))
		return;
	atomic_fetch_add(&readers, 1);
	store(mine->locked, 0);
	assert(shared >= 0);
	atomic_fetch_sub(&readers, 1);
}

static void write(struct node *mine)
{
	if (!queue_up(mine))
		return;
	for (int rounds = 0; load(readers);)
		if (give_up(rounds))
			return;
	shared++;
	store(mine->locked, 0);
}

static void *body(void *argument)
{
	int self = number(argument);
	if (self < WRITERS)
		write(&nodes[self]);
	else
		read(&nodes[self]);
	return NULL;
}

int main(void)
{
	run(N, body);
	return 0;
}
