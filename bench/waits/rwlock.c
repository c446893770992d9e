/*
 * Reader-writer lock: threads 0, 2, ... write, threads 1, 3, ... read. Both retry until they hold the lock.
 *
 * -DBROKEN=1: a reader tests for a writer and counts itself in two steps, between which a writer may take the lock.
 * finding: assertion under sc tso pso; assertion, race under ra
 * -DBROKEN=2: a writer's unlock is relaxed, so its writes may reach memory after the lock is free.
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

enum { release = BROKEN == 2 ? memory_order_relaxed : memory_order_release };
static atomic_int holders; /* the number of readers, or -1 for a writer */
static int left, right;    /* equal, except to a writer */

static void lock_read(void)
{
#if BROKEN == 1
	while (atomic_load_explicit(&holders, memory_order_acquire) < 0)
		;
	atomic_fetch_add_explicit(&holders, 1, memory_order_acquire);
#else
	int found;
	do {
		found = atomic_load_explicit(&holders, memory_order_relaxed);
	} while (found < 0 || !atomic_compare_exchange_weak_explicit(&holders, &found, found + 1, memory_order_acquire,
								     memory_order_relaxed));
#endif
}

static void unlock_read(void)
{
	atomic_fetch_sub_explicit(&holders, 1, memory_order_release);
}

static void lock_write(void)
{
	int found = 0;
	while (!atomic_compare_exchange_weak_explicit(&holders, &found, -1, memory_order_acquire, memory_order_relaxed))
		found = 0;
}

static void unlock_write(void)
{
#if BROKEN == 1
	atomic_fetch_add_explicit(&holders, 1, release); /* readers may have been counted meanwhile */
#else
	atomic_store_explicit(&holders, 0, release);
#endif
}

static void *reader(void *unused)
{
	lock_read();
	assert(left == right);
	unlock_read();
	return unused;
}

static void *writer(void *unused)
{
	lock_write();
	left++;
	right++;
	unlock_write();
	return unused;
}

int main(void)
{
	pthread_t threads[N];
	for (int i = 0; i < N; i++)
		pthread_create(&threads[i], NULL, i % 2 ? reader : writer, NULL);
	for (int i = 0; i < N; i++)
		pthread_join(threads[i], NULL);
	assert(left == (N + 1) / 2 && right == left);
	return 0;
}
