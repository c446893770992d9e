// Findings of several kinds, some of them only in some executions, and a thread that goes on when another one has failed.
// everett: -k --leaks
// executions: tso/traces:9 rc11/rf:9
// finding: deadlock at state_faults.c:25, leak at state_faults.c:18, mutex-misuse at state_faults.c:28, uninitialised at state_faults.c:36, use-after-free at state_faults.c:36
#include "run.h"
#include <stdatomic.h>
#include <stdlib.h>
static int *_Atomic shared;
static atomic_int x, y;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static int seen;
static int read_now(atomic_int *from)
{
	return atomic_load_explicit(from, memory_order_relaxed);
}
THREAD(gives)
{
	int *block = malloc(3 * sizeof(*block));
	block[0] = 1;
	atomic_store_explicit(&shared, block, memory_order_release);
	if (read_now(&y))
		free(block);
	pthread_mutex_lock(&m);
	if (read_now(&x))
		pthread_mutex_lock(&n);
	else
		pthread_mutex_unlock(&m);
	pthread_mutex_unlock(&m);
	return argument;
}
THREAD(takes)
{
	atomic_store_explicit(&y, 1, memory_order_relaxed);
	int *block = atomic_load_explicit(&shared, memory_order_acquire);
	if (block)
		seen = block[read_now(&x) + 2];
	pthread_mutex_lock(&n);
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	pthread_mutex_unlock(&n);
	return argument;
}
int main(void)
{
	RUN(gives, takes);
	return 0;
}
