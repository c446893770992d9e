/* allocations(K): two threads, each of which allocates and frees K blocks, and increments a counter that both share. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

#ifndef N
#define N 1000
#endif

static atomic_int common;

static void *run(void *unused)
{
	for (int i = 0; i < N; i++) {
		int *block = malloc(sizeof(*block));
		*block = i;
		free(block);
	}
	atomic_fetch_add(&common, 1);
	return unused;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, run, NULL);
	run(NULL);
	pthread_join(t, NULL);
	return 0;
}
