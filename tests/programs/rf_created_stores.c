// A thread is created when the stores of the one that creates it have taken effect. If the first that it does is to store, too, this
// one may take effect later; but what it loads next comes after the creation nevertheless. So a and b are not both 0.
// executions: sc/rf:3 tso/rf:3 pso/rf:3
// finding: none
#include "run.h"
#include <stdatomic.h>
static atomic_int x, y, z;
static int a, b;
THREAD(first)
{
	atomic_store_explicit(&z, 1, memory_order_relaxed);
	atomic_thread_fence(memory_order_seq_cst);
	a = atomic_load_explicit(&x, memory_order_relaxed);
	/* So that y is shared. */
	atomic_store_explicit(&y, 2, memory_order_relaxed);
	return argument;
}
THREAD(created)
{
	atomic_store_explicit(&y, 1, memory_order_relaxed);
	b = atomic_load_explicit(&z, memory_order_relaxed);
	return argument;
}
int main(void)
{
	pthread_t t[2];
	pthread_create(&t[0], NULL, first, NULL);
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	pthread_create(&t[1], NULL, created, NULL);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	assert(a || b);
	return 0;
}
