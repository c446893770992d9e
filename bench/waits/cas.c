/*
 * Compare-exchange lock: N threads take it once each. -DWEAK: the compare-exchange is weak.
 *
 * -DBROKEN=1: after a failure `expected` is 1, so the next attempt succeeds although the lock is held.
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
#ifdef WEAK
#define compare_exchange atomic_compare_exchange_weak_explicit
#else
#define compare_exchange atomic_compare_exchange_strong_explicit
#endif

static atomic_int locked;
static int counter;

static void lock(void)
{
	int expected = 0;
	while (!compare_exchange(&locked, &expected, 1, memory_order_acquire, memory_order_relaxed))
		if (BROKEN != 1)
			expected = 0;
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
