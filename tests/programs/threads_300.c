// Store buffering between the last two of 302 threads, of which the others came one after the other before: as if there were but two.
// everett: --keep-going
// executions: sc/rf:3 sc/traces:3 sc/rvf:3 tso/traces:4 tso/rf:4 pso/traces:4 ra/rf:4 ra/traces:4 rc11/rf:4
// finding: none under sc; assertion at threads_300.c:39 under tso pso ra rc11
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y, ended;
static int r1, r2;
static void *count(void *unused)
{
	ended++;
	return unused;
}
static void *left(void *unused)
{
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	r1 = atomic_load_explicit(&y, memory_order_relaxed);
	return unused;
}
static void *right(void *unused)
{
	atomic_store_explicit(&y, 1, memory_order_relaxed);
	r2 = atomic_load_explicit(&x, memory_order_relaxed);
	return unused;
}
int main(void)
{
	pthread_t t, u;
	for (int i = 0; i < 300; i++) {
		pthread_create(&t, 0, count, 0);
		pthread_join(t, 0);
	}
	assert(ended == 300);
	pthread_create(&t, 0, left, 0);
	pthread_create(&u, 0, right, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	assert(r1 || r2);
	return 0;
}
