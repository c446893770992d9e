// Each thread has its own values of a key; destructors run when a thread ends, by return or pthread_exit, but not when main
// returns, not for values that are NULL, and not for keys that were deleted. The threads come one after the other, and only
// `destroyed` is shared, which main reads when the thread has ended: 1.
// executions: sc/none:1 tso/traces:1 pso/traces:1 ra/rf:1
// finding: none
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
static pthread_key_t a, b, plain;
static int x, y, destroyed;
static void destroy_a(void *value)
{
	assert(value == &x && pthread_getspecific(a) == NULL);
	destroyed += 1;
}
static void destroy_b(void *value)
{
	assert(value == &y);
	destroyed += 10;
}
static void set(void)
{
	assert(pthread_getspecific(a) == NULL && pthread_getspecific(b) == NULL);
	assert(pthread_setspecific(a, &y) == 0 && pthread_getspecific(a) == &y);
	assert(pthread_setspecific(a, &x) == 0 && pthread_getspecific(a) == &x);
	assert(pthread_setspecific(b, &y) == 0 && pthread_getspecific(b) == &y);
	assert(pthread_setspecific(plain, &x) == 0);
}
static void *returns(void *argument)
{
	set();
	return argument;
}
static void *exits(void *argument)
{
	set();
	pthread_setspecific(a, NULL);
	pthread_exit(argument);
}
static void *deletes(void *argument)
{
	set();
	assert(pthread_key_delete(b) == 0);
	return argument;
}
static int run(void *(*function)(void *))
{
	pthread_t t;
	destroyed = 0;
	pthread_create(&t, NULL, function, NULL);
	pthread_join(t, NULL);
	return destroyed;
}
int main(void)
{
	assert(pthread_key_create(&a, destroy_a) == 0 && pthread_key_create(&b, destroy_b) == 0);
	assert(pthread_key_create(&plain, NULL) == 0);
	assert(a != b && b != plain && a != plain);
	assert(pthread_setspecific(a, &destroyed) == 0);
	assert(run(returns) == 11);
	assert(run(exits) == 10);
	assert(run(deletes) == 1);
	assert(pthread_getspecific(a) == &destroyed);
	assert(pthread_key_delete(b) == EINVAL && pthread_setspecific(b, &x) == EINVAL);
	assert(pthread_getspecific(b) == NULL);
	assert(pthread_key_delete(a) == 0 && pthread_key_delete(plain) == 0);
	assert(pthread_key_create(&a, destroy_a) == 0 && pthread_getspecific(a) == NULL);
	/* destroy_a() would complain. */
	assert(pthread_setspecific(a, &destroyed) == 0);
	return 0;
}
