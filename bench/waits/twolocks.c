/*
 * Two mutexes, taken in different orders: a thread that cannot lock its second one unlocks the first one and retries.
 * Threads 0, 2, ... begin with the first mutex, threads 1, 3, ... with the second.
 *
 * -DBROKEN=1: a thread keeps its first mutex while it tries to lock the second.
 * finding: no-progress under sc tso pso ra
 * -DBROKEN=2: a thread that retries unlocks the wrong mutex.
 * finding: mutex-misuse under sc tso pso ra
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

static pthread_mutex_t mutex[2] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
static int counter;

static void lock(pthread_mutex_t *first, pthread_mutex_t *second)
{
	pthread_mutex_lock(first);
	while (pthread_mutex_trylock(second)) {
#if BROKEN != 1
		pthread_mutex_unlock(BROKEN == 2 ? second : first);
		sched_yield();
		pthread_mutex_lock(first);
#endif
	}
}

static void *worker(void *argument)
{
	pthread_mutex_t *first = argument, *second = first == mutex ? mutex + 1 : mutex;
	lock(first, second);
	counter++;
	pthread_mutex_unlock(second);
	pthread_mutex_unlock(first);
	return NULL;
}

int main(void)
{
	pthread_t threads[N];
	for (int i = 0; i < N; i++)
		pthread_create(&threads[i], NULL, worker, &mutex[i % 2]);
	for (int i = 0; i < N; i++)
		pthread_join(threads[i], NULL);
	assert(counter == N);
	return 0;
}
