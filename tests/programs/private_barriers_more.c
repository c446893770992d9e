// As private_barriers.c; the barriers are a mutex that only one thread uses, and the second of two seq_cst stores, after a
// compare-exchange that fails.
// executions: sc/none:6 tso/none:6 pso/none:6
// finding: none
#include "run.h"
static int x, y, own, read_left, read_right;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
THREAD(left)
{
	x = 1;
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
	read_left = y;
	return argument;
}
THREAD(right)
{
	int expected = 7;
	__atomic_compare_exchange_n(&own, &expected, 1, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
	__atomic_store_n(&own, 1, __ATOMIC_SEQ_CST);
	y = 1;
	__atomic_store_n(&own, 1, __ATOMIC_SEQ_CST);
	read_right = x;
	return argument;
}
int main(void)
{
	RUN(left, right);
	assert(read_left || read_right);
	return 0;
}
