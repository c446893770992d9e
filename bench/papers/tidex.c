/*
 * Tidex(N): N threads exchange their names at the entrance, and wait until the name they got is at the exit. Nobody's name is 0. In
 * paper 000 the first thread is called 0, too, -DFIRST=0; then two threads may be in at once, and there is nothing they could race for.
 */
#include "lockfree.h"

#ifndef N
#define N 3
#endif
#ifndef FIRST
#define FIRST 1
#endif
#define GAVE_UP (N + FIRST)

static atomic_int ingress, egress;
static int shared;

static int lock(int self)
{
	if (load(egress) == self)
		self = -self;
	int previous = atomic_exchange(&ingress, self);
	for (int rounds = 0; load(egress) != previous;)
		if (give_up(rounds))
			return GAVE_UP;
	return self;
}

static void *body(void *argument)
{
	int self = lock(number(argument) + FIRST);
	if (self == GAVE_UP)
		return NULL;
	if (FIRST > 0)
		shared++;
	store(egress, self);
	return NULL;
}

int main(void)
{
	run(N, body);
	return 0;
}
