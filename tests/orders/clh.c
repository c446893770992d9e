/*
 * The queue lock of Craig, and of Landin and Hagersten, 1993: whoever comes waits for the node of the one before, and takes that node along when it leaves. A section that
 * runs second has the other thread's node, and puts it into the queue again.
 */
#include "orders.h"

struct node {
	_Atomic bool waits; /* who has put it there has not left yet */
};

static struct node nodes[3];
static struct node *_Atomic tail = &nodes[0];
static int counter;

static void work(struct node *own, int times)
{
	while (times--) {
		STORE(lock_announce, relaxed, &own->waits, true);
		struct node *before = EXCHANGE(lock_enqueue, acq_rel, &tail, own);
		while (LOAD(lock_wait, acquire, &before->waits))
			;
		counter++;
		STORE(unlock, release, &own->waits, false);
		own = before;
	}
}

static void *other(void *unused)
{
	work(&nodes[2], 1);
	return unused;
}

int main(void)
{
	pthread_t t = start(other, NULL);
	work(&nodes[1], 2);
	finish(t);
	assert(counter == 3);
	return 0;
}
