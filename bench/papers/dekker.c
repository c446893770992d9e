/*
 * Dekker's mutual exclusion of two threads.
 */
#include "papers.h"

static atomic_int flag[2], turn, inside;

static void lock(int self, int other)
{
	set(flag[self], 1);
	fence_tso();
	fence_ra();
	for (int tries = 0; get(flag[other]) == 1; tries = failed(tries)) {
		if (get(turn) != self) {
			set(flag[self], 0);
			wait_until(get(turn) == self);
			set(flag[self], 1);
			fence_tso();
			fence_ra();
		}
	}
}

static void *body(void *argument)
{
	int self = number(argument), other = 1 - self;
	for (int round = 0; round < ROUNDS; round++) {
		lock(self, other);
		set(inside, self);
		assert(get(inside) == self);
		fence_pso();
		set(turn, other);
		set(flag[self], 0);
	}
	return NULL;
}

int main(void)
{
	run(2, body);
	return 0;
}
