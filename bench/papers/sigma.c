/*
 * sigma(N): main counts an index up before it starts each of N threads; each marks the cell that it finds the index at.
 */
#include "papers.h"

#ifndef N
#define N 5
#endif

static atomic_int cell[N];
static atomic_int top = -1;

static void *body(void *unused)
{
	set(cell[get(top)], 1);
	return unused;
}

int main(void)
{
	pthread_t thread[N];
	for (int i = 0; i < N; i++) {
		set(top, get(top) + 1);
		start(&thread[i], body, i);
	}
	for (int i = 0; i < N; i++)
		pthread_join(thread[i], NULL);
	return 0;
}
