// Who waits holds the mutex that the other needs first. If the other was first, all is well: each of the two orders of the
// locks leaves no choice in anything else.
// everett: -I../programs -k
// executions: sc/none:1 tso/none:1 pso/none:1 ra/none:1
// blocked: sc/none:1 tso/none:1 pso/none:1 ra/none:1
// finding: no-progress at await_holding_mutex.c:14
#include "run.h"
#include <stdatomic.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int flag;
THREAD(waits)
{
	pthread_mutex_lock(&mutex);
	while (!atomic_load_explicit(&flag, memory_order_relaxed))
		;
	pthread_mutex_unlock(&mutex);
	return argument;
}
THREAD(sets)
{
	pthread_mutex_lock(&mutex);
	atomic_store_explicit(&flag, 1, memory_order_relaxed);
	pthread_mutex_unlock(&mutex);
	return argument;
}
int main(void)
{
	RUN(waits, sets);
	return 0;
}
