// The signal comes after the unlock: whoever waits may have seen the flag, and freed the condition variable. Main waits: 1. It does
// not, and frees it before, after or while the other signals: 3.
// everett: -I../programs -k
// executions: sc/none:16 tso/traces:4 ra/rf:4
// finding: use-after-free at cond_signal_freed.c:16
#include "run.h"
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t *c;
static int ready;
THREAD(wake)
{
	pthread_mutex_lock(&m);
	ready = 1;
	pthread_mutex_unlock(&m);
	pthread_cond_signal(c);
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
	pthread_mutex_unlock(&m);
	free(c);
	pthread_join(t, NULL);
	return 0;
}
