/*
 * lastwrite(N): N threads write a variable; main waits for them and reads which came last.
 */
#include "papers.h"

#ifndef N
#define N 3
#endif

static atomic_int x;

static void *body(void *argument)
{
	set(x, number(argument) + 1);
	return NULL;
}

int main(void)
{
	run(N, body);
	assert(get(x) >= 1 && get(x) <= N);
	return 0;
}
