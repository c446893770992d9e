// The flag is set without the mutex: between the look at it and the wait comes the signal, which nobody hears. The flag is seen: 1; or
// not, and the signal comes before or after the thread waits: 2.
// everett: -I../programs -k
// executions: sc/none:11 tso/traces:3 ra/rf:3
// finding: deadlock
#include "run.h"
#include <stdatomic.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static atomic_int ready;
THREAD(wait)
{
	pthread_mutex_lock(&m);
	while (!atomic_load(&ready))
		pthread_cond_wait(&c, &m);
	pthread_mutex_unlock(&m);
	return argument;
}
THREAD(wake)
{
	atomic_store(&ready, 1);
	pthread_cond_signal(&c);
	return argument;
}
int main(void)
{
	RUN(wait, wake);
	return 0;
}
