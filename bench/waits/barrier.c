/*
 * Sense-reversing barrier: N threads meet there ROUNDS times. What a thread wrote before the barrier, its neighbour reads after it.
 *
 * -DBROKEN=1: arrivals are counted by a load and a store, so one may be lost.
 * finding: no-progress under sc tso pso ra
 * -DBROKEN=2: the last thread to arrive releases the others by a relaxed store.
 * finding: none under sc tso pso; race under ra
 * -DBROKEN=3 -DROUNDS=2: the counter is reset after the others are released, so the arrival of one that is already back is lost.
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
#ifndef ROUNDS
#define ROUNDS 1
#endif

enum { release = BROKEN == 2 ? memory_order_relaxed : memory_order_release };
static atomic_int arrived, sense;
static int written[ROUNDS][N];

static int arrive(void)
{
#if BROKEN == 1
	int n = atomic_load(&arrived);
	atomic_store(&arrived, n + 1);
	return n + 1;
#else
	return atomic_fetch_add_explicit(&arrived, 1, memory_order_acq_rel) + 1;
#endif
}

static void meet(int my_sense)
{
	if (arrive() != N) {
		while (atomic_load_explicit(&sense, memory_order_acquire) != my_sense)
			;
		return;
	}
	if (BROKEN != 3)
		atomic_store_explicit(&arrived, 0, memory_order_relaxed);
	atomic_store_explicit(&sense, my_sense, release);
	if (BROKEN == 3)
		atomic_store_explicit(&arrived, 0, memory_order_relaxed);
}

static void *worker(void *argument)
{
	int me = (int)(intptr_t)argument;
	for (int i = 0; i < ROUNDS; i++) {
		written[i][me] = 1;
		meet(1 - i % 2);
		assert(written[i][(me + 1) % N] == 1);
	}
	return NULL;
}

int main(void)
{
	pthread_t threads[N];
	for (intptr_t i = 0; i < N; i++)
		pthread_create(&threads[i], NULL, worker, (void *)i);
	for (int i = 0; i < N; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
