// A wait without the mutex. The thread has no event before it, and the other is alone then.
// everett: -I../programs -k
// executions: sc/none:1 tso/traces:1 ra/none:1 ra/rf:1
// finding: mutex-misuse at cond_wait_unlocked.c:10
#include "run.h"
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
THREAD(wait)
{
	pthread_cond_wait(&c, &m);
	return argument;
}
THREAD(wake)
{
	pthread_mutex_lock(&m);
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&m);
	return argument;
}
int main(void)
{
	RUN(wait, wake);
	return 0;
}
