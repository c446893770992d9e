/*
 * lastzero(N): N threads set a[i] = a[i - 1] + 1, i = 1..N; another looks for the last zero of the array, from its end.
 */
#include "papers.h"

#ifndef N
#define N 5
#endif

static atomic_int a[N + 1];

static void *body(void *argument)
{
	int i = number(argument);
	if (i == 0) {
		for (i = N; get(a[i]) != 0; i--)
			;
	} else {
		set(a[i], get(a[i - 1]) + 1);
	}
	return NULL;
}

int main(void)
{
	run(N + 1, body);
	return 0;
}
