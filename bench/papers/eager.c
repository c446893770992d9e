/*
 * The example of 003 for testing consistency eagerly (figure 6): whoever finds that the other has not come yet empties N counters. Under SC at
 * most one does; under RA both may, and each counter may then be emptied by either.
 */
#include "papers.h"

#ifndef N
#define N 3
#endif

static atomic_int come[2], counter[N];

static void *body(void *argument)
{
	int self = number(argument);
	set(come[self], 1);
	if (get(come[1 - self]) == 1)
		return NULL;
	for (int i = 0; i < N; i++)
		atomic_exchange_explicit(&counter[i], 0, memory_order_relaxed);
	return NULL;
}

int main(void)
{
	run(2, body);
	return 0;
}
