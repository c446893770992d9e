// The signal is given under the mutex, so whoever was woken comes after it, and may free the condition variable.
// Two ways: who has the mutex first.
// executions: sc/none:3 tso/traces:2 ra/none:3 ra/rf:2
// finding: none
#include "run.h"
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t *c;
static int ready;
THREAD(wake)
{
	pthread_mutex_lock(&m);
	ready = 1;
	pthread_cond_signal(c);
	pthread_mutex_unlock(&m);
	return argument;
}
int main(void)
{
	pthread_t t;
	c = malloc(sizeof(*c));
	pthread_cond_init(c, NULL);
	pthread_create(&t, NULL, wake, NULL);
	pthread_mutex_lock(&m);
	while (!ready)
		pthread_cond_wait(c, &m);
	assert(pthread_cond_destroy(c) == 0);
	free(c);
	pthread_mutex_unlock(&m);
	pthread_join(t, NULL);
	return 0;
}
