// C11: as cond_handoff.c, with a wait that may time out. Who has the mutex first: 2; if it is the consumer, it is woken, or gives up and
// waits again, which may be done once only, before or after the other comes: 2 more.
// executions: sc/none:6 tso/traces:4 pso/traces:4 ra/none:6 ra/rf:4
// finding: none
#include <assert.h>
#include <threads.h>
#include <time.h>
static mtx_t m;
static cnd_t c;
static int ready, gave_up;
static int produce(void *argument)
{
	mtx_lock(&m);
	ready = 1;
	assert(cnd_signal(&c) == thrd_success);
	mtx_unlock(&m);
	return argument != NULL;
}
static int consume(void *argument)
{
	struct timespec until = { 1, 0 };
	mtx_lock(&m);
	if (!ready) {
		int status = cnd_timedwait(&c, &m, &until);
		assert(status == thrd_success || status == thrd_timedout);
		gave_up = status == thrd_timedout;
		assert(gave_up || ready);
	}
	while (!ready)
		assert(cnd_wait(&c, &m) == thrd_success);
	mtx_unlock(&m);
	return argument != NULL;
}
int main(void)
{
	thrd_t t[2];
	mtx_init(&m, mtx_plain);
	cnd_init(&c);
	thrd_create(&t[0], produce, NULL);
	thrd_create(&t[1], consume, NULL);
	for (int i = 0; i < 2; i++)
		thrd_join(t[i], NULL);
	cnd_destroy(&c);
	mtx_destroy(&m);
	return 0;
}
