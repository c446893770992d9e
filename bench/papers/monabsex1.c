/*
 * 45_monabsex1(N): N threads write the same value to a variable and claim to read it.
 */
#include "papers.h"

#ifndef N
#define N 3
#endif

static atomic_int x;

static void *body(void *unused)
{
	set(x, 4);
	assert(get(x) == 4);
	return unused;
}

int main(void)
{
	run(N, body);
	return 0;
}
