/*
 * Peterson's lock: two threads take it once each.
 *
 * The exchange of `turn` orders the store to wants[me] before the load of wants[other]: a read-modify-write empties the
 * store buffer under tso and pso, and under ra the later exchange reads from the earlier one.
 *
 * -DBROKEN=1: `turn` is written by a release store, so each thread may miss that the other wants the lock.
 * finding: none under sc; assertion under tso pso; assertion, race under ra
 * -DBROKEN=2: a thread gives way before it says that it wants the lock.
 * finding: assertion under sc tso pso; assertion, race under ra
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

static_assert(N == 2, "Peterson's lock is for two threads");

static atomic_int wants[2], turn;
static int counter;

static void give_way(int other)
{
#if BROKEN == 1
	atomic_store_explicit(&turn, other, memory_order_release);
#else
	atomic_exchange_explicit(&turn, other, memory_order_acq_rel);
#endif
}

static void lock(int me)
{
	int other = 1 - me;
	if (BROKEN == 2)
		give_way(other);
	atomic_store_explicit(&wants[me], 1, memory_order_relaxed);
	if (BROKEN != 2)
		give_way(other);
	while (atomic_load_explicit(&wants[other], memory_order_acquire) &&
	       atomic_load_explicit(&turn, memory_order_acquire) == other)
		;
}

static void unlock(int me)
{
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
