// Main destroys the condition variable, for which the thread may be waiting, or for which it is going to wait.
// everett: -I../programs -k
// executions: sc/none:2 tso/traces:2 ra/none:2 ra/rf:2
// finding: mutex-misuse at cond_destroy_awaited.c:11, mutex-misuse at cond_destroy_awaited.c:20
#include "run.h"
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
THREAD(wait)
{
	pthread_mutex_lock(&m);
	pthread_cond_wait(&c, &m);
	pthread_mutex_unlock(&m);
	return argument;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, wait, NULL);
	pthread_mutex_lock(&m);
	pthread_cond_destroy(&c);
	pthread_mutex_unlock(&m);
	return 0;
}
