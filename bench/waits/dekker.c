/*
 * Dekker's lock: two threads take it once each.
 *
 * -DBROKEN=1: there are no fences, so each thread may miss that the other wants the lock.
 * finding: none under sc; assertion under tso pso; assertion, race under ra
 * -DBROKEN=2: unlock() does not pass the turn on, so a thread that has stepped back waits for it for ever.
 * finding: no-progress under sc tso pso ra
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 2
#endif
#ifndef BROKEN
#define BROKEN 0
#endif

static_assert(N == 2, "Dekker's lock is for two threads");

static atomic_int wants[2], turn;
static int counter;

static void announce(int me)
{
	atomic_store_explicit(&wants[me], 1, memory_order_relaxed);
	if (BROKEN != 1)
		atomic_thread_fence(memory_order_seq_cst);
}

static void lock(int me)
{
	int other = 1 - me;
	announce(me);
	while (atomic_load_explicit(&wants[other], memory_order_acquire)) {
		if (atomic_load_explicit(&turn, memory_order_acquire) == me)
			continue;
		atomic_store_explicit(&wants[me], 0, memory_order_relaxed);
		while (atomic_load_explicit(&turn, memory_order_acquire) != me)
			;
		announce(me);
	}
}

static void unlock(int me)
{
	if (BROKEN != 2)
		atomic_store_explicit(&turn, 1 - me, memory_order_release);
	atomic_store_explicit(&wants[me], 0, memory_order_release);
}

static void *worker(void *argument)
{
	int me = (int)(intptr_t)argument;
	lock(me);
	counter++;
	unlock(me);
	return NULL;
}

int main(void)
{
	pthread_t threads[N];
	for (intptr_t i = 0; i < N; i++)
		pthread_create(&threads[i], NULL, worker, (void *)i);
	for (int i = 0; i < N; i++)
		pthread_join(threads[i], NULL);
	assert(counter == N);
	return 0;
}
