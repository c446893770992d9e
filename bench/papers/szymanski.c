/*
 * Szymanski's mutual exclusion of two threads: a waiting room with two doors.
 *
 * As in the paper, and unlike Szymanski, both threads wait at the second door, where he lets one of them pass: then they may wait for each other,
 * so that this program makes no progress in some executions under every model. -DASSUME leaves those out, and with -DTRIES they give up.
 */
#include "papers.h"

static atomic_int flag[2], inside;

static void lock(int self, int other)
{
	set(flag[self], 1);
	fence_tso();
	wait_until(get(flag[other]) < 3);
	set(flag[self], 3);
	fence_tso();
	fence_ra();
	if (get(flag[other]) == 1) {
		set(flag[self], 2);
		fence_tso();
		fence_ra();
		wait_until(get(flag[other]) == 4);
	}
	set(flag[self], 4);
	fence_tso();
	wait_until(get(flag[other]) < 2);
}

static void *body(void *argument)
{
	int self = number(argument), other = 1 - self;
	for (int round = 0; round < ROUNDS; round++) {
		lock(self, other);
		set(inside, self);
		assert(get(inside) == self);
		fence_pso();
		wait_until(get(flag[other]) < 2 || get(flag[other]) > 3);
		set(flag[self], 0);
	}
	return NULL;
}

int main(void)
{
	run(2, body);
	return 0;
}
