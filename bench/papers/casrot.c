/*
 * casrot(N): thread i, of 1..N, changes a variable from i - 1 to i if it is i - 1 just then.
 */
#include "papers.h"

#ifndef N
#define N 6
#endif

static atomic_int x;

static void *body(void *argument)
{
	int old = number(argument);
	atomic_compare_exchange_strong_explicit(&x, &old, old + 1, UPDATE_ORDER, LOAD_ORDER);
	return NULL;
}

int main(void)
{
	run(N, body);
	return 0;
}
