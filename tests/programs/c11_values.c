// Values and errors of C11's <threads.h>. The threads come one after the other: 1.
// executions: sc/none:1 tso/traces:1 pso/traces:1 ra/rf:1
// finding: none
#include <assert.h>
#include <errno.h>
#include <threads.h>
#include <time.h>
static const struct timespec past, wrong = { 0, 1000000000 };
static tss_t key;
static int destroyed;
static int returns(void *argument)
{
	thrd_yield();
	return *(int *)argument;
}
static int exits(void *argument)
{
	tss_set(key, argument);
	thrd_exit(-7);
	return 0;
}
static void destroy(void *value)
{
	destroyed += *(int *)value;
}
static void threads(void)
{
	thrd_t t;
	int number = 5, result = 0;
	assert(thrd_create(&t, returns, &number) == thrd_success);
	assert(!thrd_equal(t, thrd_current()) && thrd_equal(t, t));
	assert(thrd_join(t, &result) == thrd_success && result == 5);
	assert(thrd_create(&t, exits, &number) == thrd_success);
	assert(thrd_join(t, &result) == thrd_success && result == -7);
	assert(destroyed == 5);
	assert(thrd_create(&t, returns, &number) == thrd_success && thrd_join(t, NULL) == thrd_success);
	assert(thrd_join(thrd_current(), NULL) == thrd_error);
	assert(thrd_sleep(&past, NULL) == 0 && thrd_sleep(&wrong, NULL) < -1);
}
static void mutexes(void)
{
	mtx_t m;
	assert(mtx_init(&m, mtx_plain) == thrd_success);
	assert(mtx_lock(&m) == thrd_success && mtx_trylock(&m) == thrd_busy && mtx_unlock(&m) == thrd_success);
	mtx_destroy(&m);
	assert(mtx_init(&m, mtx_plain | mtx_recursive) == thrd_success);
	assert(mtx_lock(&m) == thrd_success && mtx_lock(&m) == thrd_success && mtx_trylock(&m) == thrd_success);
	assert(mtx_unlock(&m) == thrd_success && mtx_unlock(&m) == thrd_success && mtx_unlock(&m) == thrd_success);
	assert(mtx_unlock(&m) == thrd_error);
	mtx_destroy(&m);
	assert(mtx_init(&m, mtx_timed) == thrd_success);
	assert(mtx_timedlock(&m, &past) == thrd_success && mtx_timedlock(&m, &past) == thrd_timedout);
	assert(mtx_timedlock(&m, &wrong) == thrd_error && mtx_unlock(&m) == thrd_success);
	mtx_destroy(&m);
	assert(mtx_init(&m, mtx_timed | mtx_recursive) == thrd_success);
	assert(mtx_timedlock(&m, &past) == thrd_success && mtx_timedlock(&m, &past) == thrd_success);
	mtx_unlock(&m);
	mtx_unlock(&m);
	mtx_destroy(&m);
}
static void conditions(void)
{
	mtx_t m;
	cnd_t c;
	assert(mtx_init(&m, mtx_plain) == thrd_success && cnd_init(&c) == thrd_success);
	assert(cnd_signal(&c) == thrd_success && cnd_broadcast(&c) == thrd_success);
	mtx_lock(&m);
	assert(cnd_timedwait(&c, &m, &wrong) == thrd_error);
	mtx_unlock(&m);
	cnd_destroy(&c);
	mtx_destroy(&m);
}
int main(void)
{
	assert(tss_create(&key, destroy) == thrd_success);
	assert(tss_get(key) == NULL && tss_set(key, &key) == thrd_success && tss_get(key) == &key);
	threads();
	mutexes();
	conditions();
	assert(tss_get(key) == &key);
	tss_delete(key);
	assert(tss_get(key) == NULL && tss_set(key, &key) == thrd_error);
	return 0;
}
