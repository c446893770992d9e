/*
 * race-parametric(N): two threads write their name to a variable and read it, N times, after 42 such rounds on a variable of
 * their own.
 */
#include "papers.h"

#ifndef N
#define N 2
#endif

static atomic_int x, own[2];

static void *body(void *argument)
{
	int self = number(argument);
	for (int i = 0; i < 42; i++) {
		set(own[self], i);
		(void)get(own[self]);
	}
	for (int i = 0; i < N; i++) {
		set(x, self);
		(void)get(x);
	}
	return NULL;
}

int main(void)
{
	run(2, body);
	return 0;
}
