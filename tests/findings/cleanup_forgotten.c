// The thread ends by pthread_exit() with the mutex locked, as no cleanup handler unlocks it. cleanup.c in programs does it right.
// everett: -I../programs -k
// executions: sc/none:2 tso/traces:2 ra/none:2 ra/rf:2
// finding: deadlock
#include "run.h"
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;
static void step(void)
{
	if (x++)
		pthread_exit(NULL);
}
THREAD(work)
{
	pthread_mutex_lock(&m);
	step();
	pthread_mutex_unlock(&m);
	return argument;
}
int main(void)
{
	RUN(work, work);
	pthread_mutex_lock(&m);
	return 0;
}
