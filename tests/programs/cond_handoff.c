// One sets a flag and signals, under the mutex; the other waits while it is not set. It never sees what is not there yet.
// Two ways: who has the mutex first.
// executions: sc/none:15 tso/traces:2 pso/traces:2 ra/none:3 ra/rf:2
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
	assert(pthread_cond_signal(&c) == 0);
	pthread_mutex_unlock(&m);
	return argument;
}
THREAD(consumer)
{
	pthread_mutex_lock(&m);
	while (!ready)
		assert(pthread_cond_wait(&c, &m) == 0);
	assert(data == 42);
	pthread_mutex_unlock(&m);
	return argument;
}
int main(void)
{
	RUN(producer, consumer);
	assert(pthread_cond_destroy(&c) == 0);
	return 0;
}
