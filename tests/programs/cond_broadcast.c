// A broadcast wakes all who wait, be it none, one or both. If the one who opens is first: 2 orders of the others. Second: 2 who was
// before, and then 2 orders of who goes on and who comes. Last: 2 orders of going to wait, 2 of going on. In all 10.
// executions: sc/none:102 tso/traces:10 pso/traces:10 ra/rf:10
// finding: none
#include "run.h"
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int open, through;
THREAD(wait)
{
	pthread_mutex_lock(&m);
	while (!open)
		pthread_cond_wait(&c, &m);
	through++;
	pthread_mutex_unlock(&m);
	return argument;
}
THREAD(let_in)
{
	pthread_mutex_lock(&m);
	open = 1;
	assert(pthread_cond_broadcast(&c) == 0);
	pthread_mutex_unlock(&m);
	return argument;
}
int main(void)
{
	RUN(wait, let_in, wait);
	assert(through == 2);
	return 0;
}
