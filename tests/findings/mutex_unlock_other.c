// Held by main. The thread's unlock is its only event, main's lock comes before its creation.
// everett: -I../programs
// executions: sc/none:1 tso/none:1 pso/none:1 ra/none:1
// finding: mutex-misuse at mutex_unlock_other.c:9
#include "run.h"
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
THREAD(work)
{
	pthread_mutex_unlock(&m);
	return argument;
}
int main(void)
{
	pthread_mutex_lock(&m);
	RUN(work);
	return 0;
}
