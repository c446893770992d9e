/*
 * Anderson's array lock: N threads take it once each. Each waits at a slot of its own.
 *
 * -DBROKEN=1: there is one slot too few, so two threads may enter through the same one.
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

enum { slots = BROKEN == 1 ? N - 1 : N };

static atomic_int gate[slots] = { 1 }; /* 1: open */
static atomic_int drawn;
static int counter;

static int lock(void)
{
	int slot = atomic_fetch_add_explicit(&drawn, 1, memory_order_relaxed) % slots;
	while (!atomic_load_explicit(&gate[slot], memory_order_acquire))
		;
	return slot;
}

static void unlock(int slot)
{
	atomic_store_explicit(&gate[slot], 0, memory_order_relaxed);
	atomic_store_explicit(&gate[(slot + 1) % slots], 1, memory_order_release);
}

static void *worker(void *unused)
{
	int slot = lock();
	counter++;
	unlock(slot);
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
