/*
 * A ticket lock: a thread draws a number and waits until it is called. Whoever has it counts, in a plain variable.
 */
#include "orders.h"

static atomic_int drawn, called;
static int counter;

static void lock(void)
{
	int mine = ADD(lock_draw, relaxed, &drawn, 1);
	while (LOAD(lock_wait, acquire, &called) != mine)
		;
}

static void unlock(void)
{
	int now = LOAD(unlock_load, relaxed, &called);
	STORE(unlock_store, release, &called, now + 1);
}

static void *work(void *unused)
{
	lock();
	counter++;
	unlock();
	return unused;
}

int main(void)
{
	pthread_t a = start(work, NULL), b = start(work, NULL);
	work(NULL);
	finish(a);
	finish(b);
	assert(counter == 3);
	return 0;
}
