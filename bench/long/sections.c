/* sections(K): two threads, each with K critical sections under one mutex. */
#include <pthread.h>
#include <stddef.h>

#ifndef N
#define N 10
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *count(void *unused)
{
	for (int i = 0; i < N; i++) {
		pthread_mutex_lock(&mutex);
		counter++;
		pthread_mutex_unlock(&mutex);
	}
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
