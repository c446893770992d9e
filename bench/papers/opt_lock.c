/*
 * opt-lock(N): two threads try an optimistic lock, N times at most: whoever still finds its own name at the door is in.
 */
#include "papers.h"

#ifndef N
#define N 6
#endif

static atomic_int x, y;

static void *body(void *argument)
{
	int self = number(argument);
	for (int i = 0; i < N; i++) {
		set(x, self);
		set(y, 1);
		if (get(x) == self) {
			(void)get(y);
			break;
		}
	}
	return NULL;
}

int main(void)
{
	run(2, body);
	return 0;
}
