/*
 * Sequence lock: thread 0 writes, the others read, and retry if the writer was active meanwhile.
 *
 * -DBROKEN=1: a reader accepts an odd sequence number.
 * finding: assertion under sc tso pso ra
 * -DBROKEN=2: the writer has no fence, so the data may reach memory before the odd sequence number. Under ra every store is a release.
 * finding: none under sc tso ra; assertion under pso
 * -DBROKEN=3: a reader reads the data after it has checked the sequence number.
 * finding: assertion under sc tso pso ra
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

static atomic_uint sequence; /* odd while the writer is active */
static atomic_int left, right; /* equal, except to the writer */

static void *writer(void *unused)
{
	atomic_store_explicit(&sequence, 1, memory_order_relaxed);
	if (BROKEN != 2)
		atomic_thread_fence(memory_order_release);
	atomic_store_explicit(&left, 1, memory_order_relaxed);
	atomic_store_explicit(&right, 1, memory_order_relaxed);
	atomic_store_explicit(&sequence, 2, memory_order_release);
	return unused;
}

static void *reader(void *unused)
{
	unsigned before, after;
	int l, r;
	do {
		before = atomic_load_explicit(&sequence, memory_order_acquire);
#if BROKEN == 3
		after = atomic_load_explicit(&sequence, memory_order_acquire);
#endif
		l = atomic_load_explicit(&left, memory_order_relaxed);
		r = atomic_load_explicit(&right, memory_order_relaxed);
#if BROKEN != 3
		atomic_thread_fence(memory_order_acquire);
		after = atomic_load_explicit(&sequence, memory_order_relaxed);
#endif
	} while (before != after || (BROKEN != 1 && before % 2 != 0));
	assert(l == r);
	return unused;
}

int main(void)
{
	pthread_t threads[N];
	for (int i = 0; i < N; i++)
		pthread_create(&threads[i], NULL, i ? reader : writer, NULL);
	for (int i = 0; i < N; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
