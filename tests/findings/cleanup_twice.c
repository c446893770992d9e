// The handler is popped without being removed from what it unlocks: the mutex is unlocked by hand and by the handler.
// everett: -I../programs -k
// executions: sc/none:1 tso/traces:1 ra/rf:1
// finding: mutex-misuse at cleanup_twice.c:9
#include "run.h"
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void unlock(void *mutex)
{
	pthread_mutex_unlock(mutex);
}
THREAD(work)
{
	pthread_mutex_lock(&m);
	pthread_cleanup_push(unlock, &m);
	pthread_mutex_unlock(&m);
	pthread_cleanup_pop(1);
	return argument;
}
int main(void)
{
	RUN(work);
	return 0;
}
