/*
 * A semaphore as a lock: N threads call sem_trywait() until it succeeds, once each.
 *
 * -DBROKEN=1: the semaphore starts at 2, so two threads may hold it at the same time.
 * finding: assertion under sc tso pso; assertion, race under ra
 * -DBROKEN=2: the semaphore starts at 0, and only a thread that holds it posts it.
 * finding: no-progress under sc tso pso ra
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>

#ifndef N
#define N 2
#endif
#ifndef BROKEN
#define BROKEN 0
#endif

static sem_t semaphore;
static int counter;

static void *worker(void *unused)
{
	while (sem_trywait(&semaphore))
		sched_yield();
	counter++;
	sem_post(&semaphore);
	return unused;
}

int main(void)
{
	pthread_t threads[N];
	sem_init(&semaphore, 0, BROKEN == 1 ? 2 : BROKEN == 2 ? 0 : 1);
	for (int i = 0; i < N; i++)
		pthread_create(&threads[i], NULL, worker, NULL);
	for (int i = 0; i < N; i++)
		pthread_join(threads[i], NULL);
	assert(counter == N);
	return 0;
}
