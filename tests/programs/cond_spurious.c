// With --spurious a wait may end for no reason, once: the loop goes round, and waits again. Who waits comes first: woken for a reason,
// 1; or for none, and then before the other comes, to wait again: 1; or after it: 1. Or the other comes first: 1. In all 4.
// everett: --spurious
// executions: sc/none:6 tso/traces:4 pso/traces:4 ra/none:6 ra/rf:4
// finding: none
#include "run.h"
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;
THREAD(wait)
{
	pthread_mutex_lock(&m);
	while (!ready)
		assert(pthread_cond_wait(&c, &m) == 0);
	pthread_mutex_unlock(&m);
	return argument;
}
THREAD(wake)
{
	pthread_mutex_lock(&m);
	ready = 1;
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&m);
	return argument;
}
int main(void)
{
	RUN(wait, wake);
	return 0;
}
