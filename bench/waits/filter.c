/*
 * Filter lock, Peterson's for N threads: each takes it once. At each of the N - 1 levels one thread stays behind.
 *
 * -DBROKEN=1: the victim is written by a release store, so threads may miss each other's levels.
 * finding: none under sc; assertion under tso pso; assertion, race under ra
 * -DBROKEN=2: a thread makes itself the victim before it raises its level.
 * finding: assertion under sc tso pso; assertion, race under ra
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#ifndef N
#define N 2
#endif
#ifndef BROKEN
#define BROKEN 0
#endif

static atomic_int level[N], victim[N];
static int counter;

static void become_victim(int l, int me)
{
#if BROKEN == 1
	atomic_store_explicit(&victim[l], me, memory_order_release);
#else
	atomic_exchange_explicit(&victim[l], me, memory_order_acq_rel);
#endif
}

/* Is another thread at level l or beyond? */
static bool contended(int l, int me)
{
	for (int i = 0; i < N; i++)
		if (i != me && atomic_load_explicit(&level[i], memory_order_acquire) >= l)
			return true;
	return false;
}

static void lock(int me)
{
	for (int l = 1; l < N; l++) {
		if (BROKEN == 2)
			become_victim(l, me);
		atomic_store_explicit(&level[me], l, memory_order_relaxed);
		if (BROKEN != 2)
			become_victim(l, me);
		while (contended(l, me) && atomic_load_explicit(&victim[l], memory_order_acquire) == me)
			;
	}
}

static void unlock(int me)
{
	atomic_store_explicit(&level[me], 0, memory_order_release);
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
