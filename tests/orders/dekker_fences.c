/*
 * Dekker's mutual exclusion, the entry only: each thread announces itself and enters if it does not see the other. The accesses are relaxed, and the
 * fence between them is sequentially consistent. Whoever is inside counts, in a plain variable.
 */
#include "orders.h"

static atomic_bool wants[2];
static int counter;

static int try_once(int me)
{
	STORE(enter_wants, relaxed, &wants[me], true);
	FENCE(enter_fence, seq_cst);
	bool entered = !LOAD(enter_other, acquire, &wants[1 - me]);
	if (entered)
		counter++;
	STORE(leave, release, &wants[me], false);
	return entered;
}

static void *work(void *entered)
{
	*(int *)entered = try_once(1) + try_once(1);
	return NULL;
}

int main(void)
{
	int mine, other;
	pthread_t thread = start(work, &other);
	mine = try_once(0) + try_once(0);
	finish(thread);
	assert(counter == mine + other);
	return 0;
}
