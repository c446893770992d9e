// Created in a loop, joined in the other order. Three atomic increments: 3! = 6.
// executions: sc/none:6
// finding: none
#include <stdatomic.h>
#include "run.h"
#include <stdlib.h>
static atomic_int n;
THREAD(work)
{
	atomic_fetch_add(&n, 1);
	return argument;
}
int main(void)
{
	pthread_t *t = malloc(3 * sizeof(*t));
	for (int i = 0; i < 3; i++)
		assert(pthread_create(&t[i], NULL, work, &t[i]) == 0);
	for (int i = 2; i >= 0; i--) {
		void *result;
		assert(pthread_join(t[i], &result) == 0);
		assert(result == &t[i]);
	}
	free(t);
	assert(n == 3);
	return 0;
}
