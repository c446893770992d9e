/*
 * control-flow(N): N threads read x, N threads set y; one sets z unless y is set; one that sees z set, and y not, sets x.
 */
#include "papers.h"

#ifndef N
#define N 3
#endif

static atomic_int x, y, z;

static void *body(void *argument)
{
	int self = number(argument);
	if (self < N) {
		(void)get(x);
	} else if (self < 2 * N) {
		set(y, 1);
	} else if (self == 2 * N) {
		if (get(y) == 0)
			set(z, 1);
	} else if (get(z) == 1 && get(y) == 0) {
		set(x, 1);
	}
	return NULL;
}

int main(void)
{
	run(2 * N + 2, body);
	return 0;
}
