/*
 * lamport(N): Lamport's fast mutual exclusion among N threads; each enters once.
 */
#include "papers.h"

#ifndef N
#define N 2
#endif

static atomic_int b[N + 1], x, y, inside;

static void lock(int self)
{
	for (;;) {
		set(b[self], 1);
		set(x, self);
		if (get(y) != 0) {
			set(b[self], 0);
			wait_until(get(y) == 0);
			continue;
		}
		set(y, self);
		if (get(x) == self)
			return;
		set(b[self], 0);
		for (int i = 1; i <= N; i++)
			wait_until(get(b[i]) == 0);
		if (get(y) == self)
			return;
		wait_until(get(y) == 0);
	}
}

static void *body(void *argument)
{
	int self = number(argument) + 1;
	lock(self);
	set(inside, self);
	assert(get(inside) == self);
	set(y, 0);
	set(b[self], 0);
	return NULL;
}

int main(void)
{
	run(N, body);
	return 0;
}
