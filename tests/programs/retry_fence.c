// A fence behind the compare-exchange of a retry loop: the last event of a round that was for nothing is the fence, but the one to take back is the
// compare-exchange before it.
// executions: ra/none:29 ra/rf:7 rc11/none:30 rc11/rf:6
// finding: none under ra rc11
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int top = 2, next[3] = { 0, 0, 1 };

static void pop(void)
{
	for (;;) {
		int h = atomic_load_explicit(&top, memory_order_relaxed), old = h;
		if (!h)
			return;
		int n = atomic_load_explicit(&next[h], memory_order_relaxed);
		atomic_compare_exchange_strong_explicit(&top, &old, n, memory_order_relaxed, memory_order_relaxed);
		atomic_thread_fence(memory_order_seq_cst);
		if (old == h)
			return;
	}
}

static void *one(void *unused)
{
	pop();
	return unused;
}

static void *two(void *unused)
{
	pop();
	atomic_store_explicit(&next[2], 0, memory_order_relaxed);
	atomic_store_explicit(&top, 2, memory_order_relaxed);
	return unused;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, one, NULL);
	pthread_create(&b, NULL, two, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(atomic_load(&top) < 3);
	return 0;
}
