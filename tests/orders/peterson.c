/*
 * Peterson's mutual exclusion with atomic accesses and no fence: the stores that announce a thread and the loads that look for the other
 * must be sequentially consistent. Whoever is inside counts, in a plain variable.
 */
#include "orders.h"

static atomic_bool wants[2];
static atomic_int turn;
static int counter;

static void lock(int me)
{
	STORE(lock_wants, seq_cst, &wants[me], true);
	STORE(lock_turn, seq_cst, &turn, 1 - me);
	while (LOAD(lock_other, seq_cst, &wants[1 - me]) && LOAD(lock_whose, seq_cst, &turn) != me)
		;
}

static void unlock(int me)
{
	STORE(unlock_wants, release, &wants[me], false);
}

static void *work(void *me)
{
	for (int i = 0; i < 2; i++) {
		lock(me != NULL);
		counter++;
		unlock(me != NULL);
	}
	return NULL;
}

int main(void)
{
	pthread_t other = start(work, &counter);
	work(NULL);
	finish(other);
	assert(counter == 4);
	return 0;
}
