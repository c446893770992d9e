/*
 * Test-and-test-and-set lock: N threads take it once each.
 *
 * -DBROKEN=1: the lock is taken by a store, so two threads that find it free both take it.
 * finding: assertion under sc tso pso; assertion, race under ra
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

static atomic_int locked;
static int counter;

static int try_lock(void)
{
#if BROKEN == 1
	atomic_store_explicit(&locked, 1, memory_order_seq_cst);
	return 1;
#else
	return !atomic_exchange_explicit(&locked, 1, memory_order_acquire);
#endif
}

static void lock(void)
{
	do {
		while (atomic_load_explicit(&locked, memory_order_relaxed))
			;
	} while (!try_lock());
}

static void unlock(void)
{
	atomic_store_explicit(&locked, 0, memory_order_release);
}

static void *worker(void *unused)
{
	lock();
	counter++;
	unlock();
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
