// There is nothing to look at: if the signal comes first, nobody hears it. Two ways, one of which is a deadlock.
// everett: -I../programs -k
// executions: sc/none:3 tso/traces:2 ra/none:3 ra/rf:2
// finding: deadlock
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
