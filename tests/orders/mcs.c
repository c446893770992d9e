/*
 * The lock of Mellor-Crummey and Scott: threads queue up, and each waits at a flag in its own node. Whoever has it counts, in a plain variable. A node is
 * used twice.
 */
#include "orders.h"

struct node {
	struct node *_Atomic next;
	atomic_bool waits;
};

static struct node *_Atomic last;
static int counter;

static void lock(struct node *mine)
{
	STORE(lock_next, relaxed, &mine->next, NULL);
	STORE(lock_waits, relaxed, &mine->waits, true);
	struct node *previous = EXCHANGE(lock_enqueue, acq_rel, &last, mine);
	if (!previous)
		return;
	STORE(lock_link, release, &previous->next, mine);
	while (LOAD(lock_wait, acquire, &mine->waits))
		;
}

static void unlock(struct node *mine)
{
	struct node *next = LOAD(unlock_next, acquire, &mine->next), *expected = mine;
	if (!next) {
		if (CAS(unlock_leave, release, unlock_leave_failed, relaxed, &last, &expected, NULL))
			return;
		while (!(next = LOAD(unlock_wait, acquire, &mine->next)))
			;
	}
	STORE(unlock_pass, release, &next->waits, false);
}

static void *work(void *node)
{
	for (int i = 0; i < 2; i++) {
		lock(node);
		counter++;
		unlock(node);
	}
	return NULL;
}

int main(void)
{
	static struct node nodes[2];
	pthread_t a = start(work, &nodes[0]);
	work(&nodes[1]);
	finish(a);
	assert(counter == 4);
	return 0;
}
