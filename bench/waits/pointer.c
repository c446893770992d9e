/*
 * A lock that is called through function pointers: N threads take it once each.
 *
 * -DBROKEN=1: an attempt tests and sets in two steps, between which another thread may take the lock.
 * finding: assertion under sc tso pso; assertion, race under ra
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#ifndef N
#define N 2
#endif
#ifndef BROKEN
#define BROKEN 0
#endif

struct lock {
	bool (*attempt)(struct lock *);
	void (*release)(struct lock *);
	atomic_int held;
};

static bool attempt(struct lock *lock)
{
#if BROKEN == 1
	if (atomic_load(&lock->held))
		return false;
	atomic_store(&lock->held, 1);
	return true;
#else
	int free = 0;
	return atomic_compare_exchange_strong_explicit(&lock->held, &free, 1, memory_order_acquire,
						       memory_order_relaxed);
#endif
}

static void release(struct lock *lock)
{
	atomic_store_explicit(&lock->held, 0, memory_order_release);
}

static struct lock lock = { attempt, release, 0 };
static int counter;

static void *worker(void *unused)
{
	while (!lock.attempt(&lock))
		;
	counter++;
	lock.release(&lock);
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
