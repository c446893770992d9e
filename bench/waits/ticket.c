/*
 * Ticket lock: N threads take it once each.
 *
 * -DBROKEN=1: tickets are drawn by a load and a store, so two threads may get the same one.
 * finding: assertion, no-progress under sc tso pso; assertion, no-progress, race under ra
 * -DBROKEN=2: unlock() is relaxed, so the counter may be written after the next ticket is called.
 * finding: none under sc tso; assertion under pso; race under ra
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

enum { release = BROKEN == 2 ? memory_order_relaxed : memory_order_release };
static atomic_int next_ticket, serving;
static int counter;

static int draw(void)
{
#if BROKEN == 1
	int ticket = atomic_load(&next_ticket);
	atomic_store(&next_ticket, ticket + 1);
	return ticket;
#else
	return atomic_fetch_add_explicit(&next_ticket, 1, memory_order_relaxed);
#endif
}

static int lock(void)
{
	int ticket = draw();
	while (atomic_load_explicit(&serving, memory_order_acquire) != ticket)
		;
	return ticket;
}

static void unlock(int ticket)
{
	atomic_store_explicit(&serving, ticket + 1, release);
}

static void *worker(void *unused)
{
	int ticket = lock();
	counter++;
	unlock(ticket);
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
