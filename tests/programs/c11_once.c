// C11: call_once, a mutex that is tried, a thread that is detached. Two callers: 2 orders. The detached thread tries the mutex, which
// main locks and unlocks: 3 ways, as spinlocks.c. In all 6.
// executions: sc/none:24 tso/traces:6 pso/traces:6 ra/rf:6
// finding: none
#include <assert.h>
#include <threads.h>
static once_flag flag = ONCE_FLAG_INIT;
static mtx_t m;
static int runs;
static void init(void)
{
	runs++;
}
static int work(void *argument)
{
	call_once(&flag, init);
	assert(runs == 1);
	return argument != NULL;
}
static int try(void *argument)
{
	int status = mtx_trylock(&m);
	assert(status == thrd_success || status == thrd_busy);
	if (status == thrd_success)
		mtx_unlock(&m);
	return argument != NULL;
}
int main(void)
{
	thrd_t t, u;
	mtx_init(&m, mtx_plain);
	thrd_create(&t, work, NULL);
	call_once(&flag, init);
	assert(runs == 1);
	thrd_join(t, NULL);
	thrd_create(&u, try, NULL);
	assert(thrd_detach(u) == thrd_success);
	mtx_lock(&m);
	mtx_unlock(&m);
	return 0;
}
