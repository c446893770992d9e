/*
 * Peterson's mutual exclusion of two threads.
 */
#include "papers.h"

static atomic_int flag[2], turn, inside;

static int may_enter(int self, int other)
{
	int wants = get(flag[other]), whose = get(turn);
	return wants == 0 || whose == self;
}

static void *body(void *argument)
{
	int self = number(argument), other = 1 - self;
	for (int round = 0; round < ROUNDS; round++) {
		set(flag[self], 1);
		fence_pso();
		fence_ra();
		set(turn, other);
		fence_tso();
		fence_ra();
		wait_until(may_enter(self, other));
		set(inside, self);
		assert(get(inside) == self);
		fence_pso();
		set(flag[self], 0);
	}
	return NULL;
}

int main(void)
{
	run(2, body);
	return 0;
}
