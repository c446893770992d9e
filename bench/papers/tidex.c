/*
 * Tidex(N): N threads exchange their names at the entrance, and wait until the name they got is at the exit.
 */
#include "lockfree.h"

#ifndef N
#define N 3
#endif

static atomic_int ingress, egress;
static int shared;

static int lock(int self)
{
	if (load(egress) == self)
		self = -self;
	int previous = atomic_exchange(&ingress, self);
	for (int rounds = 0; load(egress) != previous;)
		if (give_up(rounds))
			return 0;
	return self;
}

static void *body(void *argument)
{
	int self = lock(number(argument) + 1);
	if (self == 0)
		return NULL;
	shared++;
	store(egress, self);
	return NULL;
}

int main(void)
{
	run(N, body);
	return 0;
}
