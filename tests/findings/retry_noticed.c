// To take and release a lock is nothing, unless somebody has noticed: the other's trylock can fail only while this loop holds the mutex in a round that
// finds nothing. So that round is not left out, and the thread goes on.
// Two executions: the trylock succeeds, or it fails while the mutex is held in the one round that counts besides the last.
// everett: -k
// executions: sc/traces:2 tso/traces:2 pso/traces:2 sc/rf:2 tso/rf:2 pso/rf:2 ra/rf:2
// finding: assertion at retry_noticed.c:25
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int told;
static int failed;
static void *polls(void *argument)
{
	int found;
	do {
		found = atomic_load_explicit(&told, memory_order_acquire);
		pthread_mutex_lock(&mutex);
		pthread_mutex_unlock(&mutex);
	} while (!found);
	return argument;
}
static void check(void)
{
	assert(!failed);
}
static void *tells(void *argument)
{
	failed = pthread_mutex_trylock(&mutex);
	if (!failed)
		pthread_mutex_unlock(&mutex);
	atomic_store_explicit(&told, 1, memory_order_release);
	return argument;
}
int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, polls, NULL);
	pthread_create(&b, NULL, tells, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	check();
	return 0;
}
