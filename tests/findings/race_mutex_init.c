// To initialise a mutex does not synchronise with whoever locks it next (as unlocking it does): what was written before is not
// ordered before what the other one writes while it holds the mutex. The relaxed flag, which is seen or not, does not help.
// everett: -I../programs --races -k
// executions: sc/rf:2 sc/traces:2 tso/traces:2 ra/rf:2
// finding: race at race_mutex_init.c:21
#include "run.h"
#include <stdatomic.h>
static pthread_mutex_t mutex;
static int data;
static atomic_int ready;
THREAD(maker)
{
	data = 1;
	pthread_mutex_init(&mutex, NULL);
	atomic_store_explicit(&ready, 1, memory_order_relaxed);
	return argument;
}
THREAD(user)
{
	if (atomic_load_explicit(&ready, memory_order_relaxed)) {
		pthread_mutex_lock(&mutex), data++;
		pthread_mutex_unlock(&mutex);
	}
	return argument;
}
int main(void)
{
	RUN(maker, user);
	return 0;
}
