// C11: there is nothing to look at, so a signal that comes first is lost. 2 ways.
// everett: -k
// executions: sc/none:3 tso/traces:2 ra/none:3 ra/rf:2
// finding: deadlock at c11_lost_wakeup.c:24
#include <threads.h>
static mtx_t m;
static cnd_t c;
static int wait(void *argument)
{
	mtx_lock(&m);
	cnd_wait(&c, &m);
	mtx_unlock(&m);
	return argument != NULL;
}
int main(void)
{
	thrd_t t;
	mtx_init(&m, mtx_plain);
	cnd_init(&c);
	thrd_create(&t, wait, NULL);
	mtx_lock(&m);
	cnd_signal(&c);
	mtx_unlock(&m);
	thrd_join(t, NULL);
	return 0;
}
