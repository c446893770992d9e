/* mutexes(K): two threads, each of which takes K mutexes, one after the other. */
#include <pthread.h>
#include <stddef.h>

#ifndef N
#define N 1000
#endif

static pthread_mutex_t mutex[N];
static int value[N];

static void *run(void *unused)
{
	for (int i = 0; i < N; i++) {
		pthread_mutex_lock(&mutex[i]);
		value[i]++;
		pthread_mutex_unlock(&mutex[i]);
	}
	return unused;
}

int main(void)
{
	pthread_t t;
	for (int i = 0; i < N; i++)
		pthread_mutex_init(&mutex[i], NULL);
	pthread_create(&t, NULL, run, NULL);
	run(NULL);
	pthread_join(t, NULL);
	return 0;
}
