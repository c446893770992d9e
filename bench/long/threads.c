/* threads(K): K threads, each of which increments a counter of its own and, once, one that all share. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef N
#define N 50
#endif

static atomic_int own[N], common;

static void *run(void *mine)
{
	atomic_fetch_add((atomic_int *)mine, 1);
	atomic_fetch_add(&common, 1);
	return NULL;
}

int main(void)
{
	pthread_t t[N];
	for (int i = 0; i < N; i++)
		pthread_create(&t[i], NULL, run, &own[i]);
	for (int i = 0; i < N; i++)
		pthread_join(t[i], NULL);
	return 0;
}
