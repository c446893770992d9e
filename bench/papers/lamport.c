/*
 * Lamport's fast mutual exclusion of two threads, as it is checked under TSO and PSO; lamport_n.c has any number of threads,
 * but no fences.
 */
#include "papers.h"

static atomic_int b[3], x, y, inside;

static void lock(int self, int other)
{
	for (int tries = 0;; tries = failed(tries)) {
		set(b[self], 1);
		set(x, self);
		fence_tso();
		fence_ra();
		if (get(y) != 0) {
			set(b[self], 0);
			wait_until(get(y) == 0);
			continue;
		}
		set(y, self);
		fence_tso();
		fence_ra();
		if (get(x) == self)
			return;
		set(b[self], 0);
		wait_until(get(b[other]) == 0);
		if (get(y) == self)
			return;
		wait_until(get(y) == 0);
	}
}

static void *body(void *argument)
{
	int self = number(argument) + 1;
	for (int round = 0; round < ROUNDS; round++) {
		lock(self, 3 - self);
		set(inside, self);
		assert(get(inside) == self);
		fence_pso();
		set(y, 0);
		set(b[self], 0);
	}
	return NULL;
}

int main(void)
{
	run(2, body);
	return 0;
}
