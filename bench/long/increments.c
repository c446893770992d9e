/* increments(K): two threads, each with K increments of one atomic counter. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef N
#define N 10
#endif

static atomic_int counter;

static void *count(void *unused)
{
	for (int i = 0; i < N; i++)
		atomic_fetch_add(&counter, 1);
	return unused;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, count, NULL);
	count(NULL);
	pthread_join(t, NULL);
	return 0;
}
