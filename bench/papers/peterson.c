/*
 * Peterson's mutual exclusion of two threads.
 */
#include "papers.h"

static atomic_int flag[2], turn, inside;

static void *body(void *argument)
{
	int self = number(argument), other = 1 - self;
	set(flag[self], 1);
	fence_pso();
	set(turn, other);
	fence_tso();
	wait_until(get(flag[other]) == 0 || get(turn) == self);
	set(inside, self);
	assert(get(inside) == self);
	fence_pso();
	set(flag[self], 0);
	return NULL;
}

int main(void)
{
	run(2, body);
	return 0;
}
