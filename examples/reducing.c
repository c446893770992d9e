// What a search costs: docs/reducing.md runs this with one of the names below defined, and tells what to learn from it.
#include <assert.h>
#include <everett.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef THREADS
#define THREADS 2
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif

static atomic_int counter, other, calls, ready;
static int balance[2] = { 10, 10 };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

#if defined LOAD_AND_CAS // the same step made of two accesses
static void work(void)
{
	int old = atomic_load(&counter);

	while (!atomic_compare_exchange_strong(&counter, &old, old + 1))
		;
}
#elif defined ASSUME // only the executions in which nobody has to try again
static void work(void)
{
	int old = atomic_load(&counter);

	everett_assume(atomic_compare_exchange_strong(&counter, &old, old + 1));
}
#elif defined LOCK // four accesses under a lock
static void work(void)
{
	pthread_mutex_lock(&mutex);
	balance[0]--;
	balance[1]++;
	pthread_mutex_unlock(&mutex);
}
#elif defined FINE // the same four accesses, each atomic by itself
static void work(void)
{
	atomic_store(&counter, atomic_load(&counter) - 1);
	atomic_store(&other, atomic_load(&other) + 1);
}
#elif defined STATISTICS // a number that all threads count, for nobody
static void work(void)
{
	atomic_fetch_add(&counter, 1);
	atomic_fetch_add(&calls, 1);
}
#elif defined TWO_TESTS // two things that have nothing to do with each other
static void work(void)
{
	atomic_fetch_add(&counter, 1);
	atomic_fetch_add(&other, 1);
}
#elif defined WAIT // a loop that only waits
static void work(void)
{
	while (!atomic_load(&ready))
		;
	atomic_fetch_add(&counter, 1);
}
#elif defined WAIT_AND_COUNT // one that leaves something behind each time it goes round
static void work(void)
{
	while (!atomic_load(&ready))
		atomic_fetch_add(&calls, 1);
	atomic_fetch_add(&counter, 1);
}
#elif defined CHOOSE // every input in one test
static void work(void)
{
	atomic_fetch_add(&counter, 1 + (int)everett_choose(3));
}
#else
static void work(void)
{
	atomic_fetch_add(&counter, 1);
}
#endif

static void *worker(void *unused)
{
	for (int i = 0; i < ROUNDS; i++)
		work();
	return unused;
}

int main(void)
{
	pthread_t threads[THREADS];

	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, worker, NULL);
	atomic_store(&ready, 1);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
