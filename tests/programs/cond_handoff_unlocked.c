// As cond_handoff.c, but the signal comes after the unlock, which is as good: whoever waits has seen the flag unset.
// Two ways: who has the mutex first.
// executions: sc/none:22 tso/traces:2 pso/traces:2 ra/none:2 ra/rf:2
// finding: none
#include "run.h"
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready, data;
THREAD(producer)
{
	data = 42;
	pthread_mutex_lock(&m);
	ready = 1;
	pthread_mutex_unlock(&m);
	pthread_cond_signal(&c);
	return argument;
}
THREAD(consumer)
{
	pthread_mutex_lock(&m);
	while (!ready)
		pthread_cond_wait(&c, &m);
	assert(data == 42);
	pthread_mutex_unlock(&m);
	return argument;
}
int main(void)
{
	RUN(producer, consumer);
	return 0;
}
