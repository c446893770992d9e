/*
 * Test-and-set lock: N threads take it once each.
 *
 * -DBROKEN=1: unlock() is relaxed, so the counter may be written after the lock is free.
 * finding: none under sc tso; assertion under pso; race under ra
 * -DBROKEN=2: lock() is relaxed, so nothing orders the critical sections.
 * finding: none under sc tso pso; race under ra
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

enum { acquire = BROKEN == 2 ? memory_order_relaxed : memory_order_acquire };
enum { release = BROKEN == 1 ? memory_order_relaxed : memory_order_release };
static atomic_int locked;
static int counter;

static void lock(void)
{
	while (atomic_exchange_explicit(&locked, 1, acquire))
		;
}

static void unlock(void)
{
	atomic_store_explicit(&locked, 0, release);
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
