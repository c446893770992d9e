/*
 * Lamport's bakery: N threads take it once each.
 *
 * -DBROKEN=1: there are no fences, so threads may miss each other's numbers.
 * finding: none under sc; assertion under tso pso; assertion, race under ra
 * -DBROKEN=2: a thread does not wait for another that is still choosing, and so may miss a smaller number.
 * finding: assertion under sc tso pso; assertion, race under ra
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#ifndef N
#define N 2
#endif
#ifndef BROKEN
#define BROKEN 0
#endif

static atomic_int choosing[N], number[N];
static int counter;

static void fence(void)
{
	if (BROKEN != 1)
		atomic_thread_fence(memory_order_seq_cst);
}

static int highest(int me)
{
	int max = 0;
	for (int i = 0; i < N; i++) {
		int n = i == me ? 0 : atomic_load_explicit(&number[i], memory_order_acquire);
		if (n > max)
			max = n;
	}
	return max;
}

/* Does thread i go before the one that has drawn `mine`? */
static bool goes_before(int i, int me, int mine)
{
	int n = atomic_load_explicit(&number[i], memory_order_acquire);
	return n && (n < mine || (n == mine && i < me));
}

static void lock(int me)
{
	atomic_store_explicit(&choosing[me], 1, memory_order_relaxed);
	fence();
	int mine = 1 + highest(me);
	atomic_store_explicit(&number[me], mine, memory_order_relaxed);
	atomic_store_explicit(&choosing[me], 0, memory_order_release);
	fence();
	for (int i = 0; i < N; i++) {
		if (i == me)
			continue;
		while (BROKEN != 2 && atomic_load_explicit(&choosing[i], memory_order_acquire))
			;
		while (goes_before(i, me, mine))
			;
	}
}

static void unlock(int me)
{
	atomic_store_explicit(&number[me], 0, memory_order_release);
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
