// Once nobody waits any more a condition variable may be destroyed, also if those who were woken have not yet gone on: POSIX says so.
// Here it lies on the heap, and is freed at once. The thread that was woken does not touch it again.
// Two ways: who has the mutex first.
// executions: sc/none:5 tso/traces:2 ra/none:3 ra/rf:2
// finding: none
#include "run.h"
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t *c;
static int waiting, ready;
THREAD(wait)
{
	pthread_mutex_lock(&m);
	waiting = 1;
	if (!ready)
		pthread_cond_wait(c, &m);
	assert(ready);
	pthread_mutex_unlock(&m);
	return argument;
}
int main(void)
{
	pthread_t t;
	c = malloc(sizeof(*c));
	assert(pthread_cond_init(c, NULL) == 0);
	pthread_create(&t, NULL, wait, NULL);
	pthread_mutex_lock(&m);
	ready = 1;
	if (waiting)
		pthread_cond_broadcast(c);
	assert(pthread_cond_destroy(c) == 0);
	free(c);
	pthread_mutex_unlock(&m);
	pthread_join(t, NULL);
	return 0;
}
