/*
 * Barrier(N): N + 1 threads meet at a barrier; the last one to come lets the others go. What one wrote before, all see.
 */
#include "lockfree.h"

#ifndef N
#define N 3
#endif

static atomic_int waiting, step;
static int shared;

static bool wait(void)
{
	int now = load(step);
	if (atomic_fetch_add(&waiting, 1) == N) {
		store(waiting, 0);
		atomic_fetch_add(&step, 1);
		return true;
	}
	for (int rounds = 0; load(step) == now;)
		if (give_up(rounds))
			return false;
	return true;
}

static void *body(void *argument)
{
	if (number(argument) == 0)
		shared = 1;
	if (wait())
		assert(shared == 1);
	return NULL;
}

int main(void)
{
	run(N + 1, body);
	return 0;
}
