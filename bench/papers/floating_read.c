/*
 * floating-read(N): N threads write a variable, which main reads meanwhile.
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
	pthread_t thread[N];
	for (int i = 0; i < N; i++)
		start(&thread[i], body, i);
	assert(get(x) <= N);
	for (int i = 0; i < N; i++)
		pthread_join(thread[i], NULL);
	return 0;
}
