/*
 * Thread pool: N workers poll for tasks until main, which posts TASKS tasks, closes the pool.
 *
 * -DBROKEN=1: a worker finds no task and then sees that the pool is closed; a task posted in between is lost.
 * finding: assertion under sc tso pso ra
 * -DBROKEN=2: a task is posted by a relaxed store, so a worker may see its number before its data.
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
#ifndef TASKS
#define TASKS 1
#endif

enum { release = BROKEN == 2 ? memory_order_relaxed : memory_order_release };
static int task[TASKS], result[TASKS];
static atomic_int posted, taken, closed;

/* Returns the number of a task that is now this worker's, or -1 if there is none at the moment. */
static int take(void)
{
	int i = atomic_load_explicit(&taken, memory_order_relaxed);
	while (i < atomic_load_explicit(&posted, memory_order_acquire))
		if (atomic_compare_exchange_weak_explicit(&taken, &i, i + 1, memory_order_relaxed,
							  memory_order_relaxed))
			return i;
	return -1;
}

static void *worker(void *unused)
{
	for (;;) {
		int last = BROKEN != 1 && atomic_load_explicit(&closed, memory_order_acquire);
		int i = take();
		if (BROKEN == 1)
			last = atomic_load_explicit(&closed, memory_order_acquire);
		if (i >= 0)
			result[i] = task[i] + 1;
		else if (last)
			return unused;
		else
			sched_yield();
	}
}

int main(void)
{
	pthread_t threads[N];
	for (int i = 0; i < N; i++)
		pthread_create(&threads[i], NULL, worker, NULL);
	for (int i = 0; i < TASKS; i++) {
		task[i] = i + 1;
		atomic_store_explicit(&posted, i + 1, release);
	}
	atomic_store_explicit(&closed, 1, memory_order_release);
	for (int i = 0; i < N; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < TASKS; i++)
		assert(result[i] == i + 2);
	return 0;
}
