/*
 * Lock made of an atomic_flag: N threads take it once each.
 *
 * -DBROKEN=1: the counter is written after the lock is free.
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

static atomic_flag locked = ATOMIC_FLAG_INIT;
static int counter;

static void lock(void)
{
	while (atomic_flag_test_and_set_explicit(&locked, memory_order_acquire))
		;
}

static void unlock(void)
{
	atomic_flag_clear_explicit(&locked, memory_order_release);
}

static void *worker(void *unused)
{
	lock();
#if BROKEN == 1
	int before = counter;
	unlock();
	counter = before + 1;
#else
	counter++;
	unlock();
#endif
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
