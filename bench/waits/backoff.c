/*
 * Exchange lock with back-off: N threads take it once each. A thread that does not get the lock waits, longer each time,
 * up to LIMIT pauses.
 *
 * -DBROKEN=1: a thread that has waited for long enough goes on as if it had the lock.
 * finding: assertion under sc tso pso; assertion, race under ra
 * -DBROKEN=2: unlock() is relaxed, so the counter may be written after the lock is free.
 * finding: none under sc tso; assertion under pso; race under ra
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

enum { release = BROKEN == 2 ? memory_order_relaxed : memory_order_release };
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
