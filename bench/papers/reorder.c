/*
 * reorder_N_bad: N - 1 threads set a to 1 and b to -1; one claims to see both or neither. The smallest delay bound that shows
 * the mistake grows with N.
 *
 * -DNO_ASSERT: the same accesses, without the claim.
 */
#include "papers.h"

#ifndef N
#define N 3
#endif

static atomic_int a, b;

static void *body(void *argument)
{
	if (number(argument) < N - 1) {
		set(a, 1);
		set(b, -1);
		return NULL;
	}
	int together = (get(a) == 0 && get(b) == 0) || (get(a) == 1 && get(b) == -1);
#ifdef NO_ASSERT
	(void)together;
#else
	assert(together);
#endif
	return NULL;
}

int main(void)
{
	run(N, body);
	return 0;
}
