// C11: two wait, main opens. As cond_broadcast.c: 10.
// executions: sc/none:78 tso/traces:10 pso/traces:10 ra/rf:10
// finding: none
#include <assert.h>
#include <threads.h>
static mtx_t m;
static cnd_t c;
static int open;
static int wait(void *argument)
{
	mtx_lock(&m);
	while (!open)
		cnd_wait(&c, &m);
	mtx_unlock(&m);
	return argument != NULL;
}
int main(void)
{
	thrd_t t[2];
	mtx_init(&m, mtx_plain);
	cnd_init(&c);
	thrd_create(&t[0], wait, NULL);
	thrd_create(&t[1], wait, NULL);
	mtx_lock(&m);
	open = 1;
	assert(cnd_broadcast(&c) == thrd_success);
	mtx_unlock(&m);
	thrd_join(t[0], NULL);
	thrd_join(t[1], NULL);
	return 0;
}
