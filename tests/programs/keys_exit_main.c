// Main leaves by pthread_exit: then its destructors run, also its cleanup handlers, before them. The thread writes x, and so
// does main's destructor: 2.
// executions: sc/none:2 sc/traces:2 sc/rf:1 sc/rvf:1 tso/traces:2 pso/traces:2 ra/none:2 ra/rf:1
// finding: none
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static int cleaned;
static void destroy(void *value)
{
	assert(cleaned == 1);
	atomic_store((atomic_int *)value, 2);
}
static void clean(void *value)
{
	*(int *)value += 1;
}
static void *work(void *argument)
{
	atomic_store(&x, 1);
	return argument;
}
int main(void)
{
	pthread_t t;
	pthread_key_t key;
	pthread_key_create(&key, destroy);
	pthread_setspecific(key, &x);
	pthread_create(&t, NULL, work, NULL);
	pthread_cleanup_push(clean, &cleaned);
	pthread_exit(NULL);
	pthread_cleanup_pop(0);
	return 0;
}
