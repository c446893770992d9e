/*
 * CLH queue lock: N threads take it ROUNDS times each. Each waits at its predecessor's node, and uses that node the next time.
 *
 * -DBROKEN=1: unlock() is relaxed, so the counter may be written after the lock is free.
 * finding: none under sc tso; assertion under pso; race under ra
 * -DBROKEN=2 -DROUNDS=2: a thread uses its own node again, and closes it while its successor still waits there.
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

struct node {
	atomic_int closed;
};

enum { release = BROKEN == 1 ? memory_order_relaxed : memory_order_release };
static struct node nodes[N + 1];
static struct node *_Atomic tail = &nodes[N];
static int counter;

/* Returns the predecessor's node, which nobody else uses once the lock is taken. */
static struct node *lock(struct node *mine)
{
	atomic_store_explicit(&mine->closed, 1, memory_order_relaxed);
	struct node *previous = atomic_exchange_explicit(&tail, mine, memory_order_acq_rel);
	while (atomic_load_explicit(&previous->closed, memory_order_acquire))
		;
	return previous;
}

static void unlock(struct node *mine)
{
	atomic_store_explicit(&mine->closed, 0, release);
}

static void *worker(void *argument)
{
	struct node *mine = &nodes[(intptr_t)argument];
	for (int i = 0; i < ROUNDS; i++) {
		struct node *previous = lock(mine);
		counter++;
		unlock(mine);
		if (BROKEN != 2)
			mine = previous;
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
	assert(counter == N * ROUNDS);
	return 0;
}
