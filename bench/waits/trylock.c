/*
 * A mutex as a spin lock: N threads call pthread_mutex_trylock() until it succeeds, once each.
 *
 * -DBROKEN=1: a thread that does not get the mutex at once goes on without it.
 * finding: assertion under sc tso pso; assertion, race under ra
 * -DBROKEN=2: the first thread returns without unlocking the mutex.
 * finding: no-progress under sc tso pso ra
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>

#ifndef N
#define N 2
#endif
#ifndef BROKEN
#define BROKEN 0
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *worker(void *unused)
{
#if BROKEN == 1
	int locked = !pthread_mutex_trylock(&mutex);
	counter++;
	if (locked)
		pthread_mutex_unlock(&mutex);
#else
	while (pthread_mutex_trylock(&mutex))
		sched_yield();
	counter++;
	if (BROKEN == 2 && counter == 1)
		return unused;
	pthread_mutex_unlock(&mutex);
#endif
	return unused;
}

int main(void)
{
	pthread_t threads[N];
	for (int i = 0; i < N; i++)
		pthread_create(&threads[i], NULL, worker, NULL);
	for (int i = 0; i < N; i++)
		pthread_join(threads[i], NULL);
	assert(counter == N);
	return 0;
}
