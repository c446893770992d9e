/*
 * A flag that a mutex protects: thread 0 sets it; the others lock the mutex, read the flag and unlock the mutex, until it is set.
 *
 * -DBROKEN=1: the message is written after the flag is set.
 * finding: assertion under sc tso pso; assertion, race under ra
 * -DBROKEN=2: the flag is set only if a receiver is already waiting, so one that comes later waits for ever.
 * finding: no-progress under sc tso pso ra
 * -DBROKEN=3: the sender gives up if the mutex is locked, even if only by a receiver that reads the flag.
 * finding: no-progress under sc tso pso ra
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

#ifndef N
#define N 2
#endif
#ifndef BROKEN
#define BROKEN 0
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static bool ready, waited;
static int message;

static void *sender(void *unused)
{
	if (BROKEN != 1)
		message = 1;
#if BROKEN == 3
	if (pthread_mutex_trylock(&mutex))
		return unused;
#else
	pthread_mutex_lock(&mutex);
#endif
	if (BROKEN != 2 || waited)
		ready = true;
	pthread_mutex_unlock(&mutex);
	if (BROKEN == 1)
		message = 1;
	return unused;
}

static bool is_ready(void)
{
	pthread_mutex_lock(&mutex);
	bool r = ready;
	if (BROKEN == 2)
		waited = true;
	pthread_mutex_unlock(&mutex);
	return r;
}

static void *receiver(void *unused)
{
	while (!is_ready())
		;
	assert(message == 1);
	return unused;
}

int main(void)
{
	pthread_t threads[N];
	for (int i = 0; i < N; i++)
		pthread_create(&threads[i], NULL, i ? receiver : sender, NULL);
	for (int i = 0; i < N; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
