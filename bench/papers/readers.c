/*
 * readers(N): one thread writes a variable, N others read it.
 */
#include "papers.h"

#ifndef N
#define N 8
#endif

static atomic_int x;

static void *body(void *argument)
{
	if (number(argument) == 0)
		set(x, 42);
	else
		(void)get(x);
	return NULL;
}

int main(void)
{
	run(N + 1, body);
	return 0;
}
