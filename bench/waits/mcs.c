/*
 * MCS queue lock: N threads take it once each. Each waits at its own node until its predecessor hands the lock over.
 *
 * -DBROKEN=1: a thread that has a successor which is not linked yet does not wait for the link, and never hands the lock over.
 * finding: no-progress under sc tso pso ra
 * -DBROKEN=2: a thread marks its node closed after it has joined the queue, and so may overwrite the hand-over.
 * finding: no-progress under sc tso pso ra
 * -DBROKEN=3: the hand-over is relaxed, so the counter may be written after it.
 * finding: none under sc tso; assertion under pso; race under ra
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

struct node {
	struct node *_Atomic next;
	atomic_int closed;
};

enum { release = BROKEN == 3 ? memory_order_relaxed : memory_order_release };
static struct node nodes[N];
static struct node *_Atomic tail;
static int counter;

static void lock(int me)
{
	struct node *mine = &nodes[me];
	if (BROKEN != 2)
		atomic_store_explicit(&mine->closed, 1, memory_order_relaxed);
	struct node *previous = atomic_exchange_explicit(&tail, mine, memory_order_acq_rel);
	if (!previous)
		return;
	atomic_store_explicit(&previous->next, mine, memory_order_release);
	if (BROKEN == 2)
		atomic_store_explicit(&mine->closed, 1, memory_order_relaxed);
	while (atomic_load_explicit(&mine->closed, memory_order_acquire))
		;
}

static void unlock(int me)
{
	struct node *mine = &nodes[me], *last = mine;
	struct node *next = atomic_load_explicit(&mine->next, memory_order_acquire);
	if (!next) {
		if (atomic_compare_exchange_strong_explicit(&tail, &last, NULL, memory_order_release,
							    memory_order_relaxed))
			return;
		if (BROKEN == 1)
			return;
		while (!(next = atomic_load_explicit(&mine->next, memory_order_acquire)))
			;
	}
	atomic_store_explicit(&next->closed, 0, release);
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
