// A destructor that sets its key again is called again, four times in all (PTHREAD_DESTRUCTOR_ITERATIONS); one that sets another
// key has that one destroyed, too. Keys are many, and can be created and deleted without end. One thread at a time: 1.
// executions: sc/none:1 tso/traces:1 pso/traces:1 ra/rf:1
// finding: none
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
static pthread_key_t stubborn, first, second;
static int times, chain;
static void again(void *value)
{
	times++;
	pthread_setspecific(stubborn, value);
}
static void start_chain(void *value)
{
	pthread_setspecific(second, value);
}
static void end_chain(void *value)
{
	chain += value == &chain;
}
static void *work(void *argument)
{
	pthread_setspecific(stubborn, &times);
	pthread_setspecific(first, &chain);
	return argument;
}
int main(void)
{
	pthread_t t;
	pthread_key_t key, last = 0;
	pthread_key_create(&stubborn, again);
	pthread_key_create(&second, end_chain);
	pthread_key_create(&first, start_chain);
	pthread_create(&t, NULL, work, NULL);
	pthread_join(t, NULL);
	assert(times == 4 && chain == 1);
	for (int i = 0; i < 2000; i++)
		assert(pthread_key_create(&key, NULL) == 0 && pthread_key_delete(key) == 0);
	for (int i = 0; i < 1021; i++)
		assert(pthread_key_create(&last, NULL) == 0);
	assert(pthread_key_create(&key, NULL) == EAGAIN);
	assert(pthread_key_delete(last) == 0 && pthread_key_create(&key, NULL) == 0);
	return 0;
}
