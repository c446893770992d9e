/*
 * Event: thread 0 writes a message and raises a flag, for which the others wait.
 *
 * -DBROKEN=1: the flag is lowered again at once, so a thread may miss it and wait for ever.
 * finding: no-progress under sc tso pso ra
 * -DBROKEN=2: the flag is raised by a relaxed store, so it may reach memory before the message.
 * finding: none under sc tso; assertion under pso; race under ra
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 2
#endif
#ifndef BROKEN
#define BROKEN 0
#endif

enum { release = BROKEN == 2 ? memory_order_relaxed : memory_order_release };

static atomic_int raised;
static int message;

static void *sender(void *unused)
{
	message = 1;
	atomic_store_explicit(&raised, 1, release);
	if (BROKEN == 1)
		atomic_store_explicit(&raised, 0, release);
	return unused;
}

static void *receiver(void *unused)
{
	while (!atomic_load_explicit(&raised, memory_order_acquire))
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
