/*
 * Exchange lock with back-off: N threads take it once each. A thread that does not get the lock waits, longer each time,
 * up to LIMIT pauses.
 *
 * -DBROKEN=1: a thread that has reached the longest delay goes on without the lock.
 * finding: assertion under sc tso pso; assertion, race under ra
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#ifndef N
#define N 2
#endif
#ifndef BROKEN
#define BROKEN 0
#endif
#ifndef LIMIT
#define LIMIT 128
#endif

static atomic_int locked;
static int counter;

static void relax(void)
{
#if defined(__x86_64__)
	__asm__ volatile("pause");
#else
	sched_yield();
#endif
}

static void lock(void)
{
	int delay = 1;
	while (atomic_exchange_explicit(&locked, 1, memory_order_acquire)) {
		for (int i = 0; i < delay; i++)
			relax();
		if (delay < LIMIT)
			delay += delay;
		else if (BROKEN == 1)
			break;
		else
			sched_yield();
	}
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
