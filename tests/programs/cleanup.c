// Cleanup handlers: the last that was pushed runs first; popped with 1 it runs there, with 0 not at all; pthread_exit runs what is
// left, also from functions that are called, and then the destructors. A return would run nothing. One thread at a time: 1.
// executions: sc/none:1 tso/traces:1 pso/traces:1 ra/rf:1
// finding: none
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
static pthread_key_t key;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static long order;
static void note(void *digit)
{
	order = order * 10 + (long)(size_t)digit;
}
static void unlock(void *mutex)
{
	note((void *)8);
	pthread_mutex_unlock(mutex);
}
static void leave(void)
{
	pthread_cleanup_push(note, (void *)4);
	pthread_exit((void *)42);
	pthread_cleanup_pop(1);
}
static void *exits(void *argument)
{
	pthread_setspecific(key, (void *)9);
	pthread_cleanup_push(note, (void *)1);
	pthread_cleanup_push(note, (void *)2);
	pthread_cleanup_push(note, (void *)3);
	pthread_cleanup_pop(0);
	pthread_cleanup_pop(1);
	pthread_mutex_lock(&m);
	pthread_cleanup_push(unlock, &m);
	leave();
	pthread_cleanup_pop(0);
	pthread_cleanup_pop(0);
	return argument;
}
int main(void)
{
	pthread_t t;
	void *result = NULL;
	pthread_key_create(&key, note);
	pthread_create(&t, NULL, exits, NULL);
	pthread_join(t, &result);
	assert(result == (void *)42);
	assert(order == 24819);
	assert(pthread_mutex_trylock(&m) == 0);
	return 0;
}
