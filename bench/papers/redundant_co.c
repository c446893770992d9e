/*
 * redundant_co(N): two threads write a variable N times each, a third reads it twice.
 */
#include "papers.h"

#ifndef N
#define N 5
#endif

static atomic_int x;

static void *body(void *argument)
{
	int self = number(argument);
	if (self == 2) {
		(void)get(x);
		(void)get(x);
		return NULL;
	}
	for (int i = 0; i < N; i++)
		set(x, self + 1);
	return NULL;
}

int main(void)
{
	run(3, body);
	return 0;
}
