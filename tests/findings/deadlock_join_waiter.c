// Main joins a thread that waits for a mutex that main holds.
// everett: -I../programs
// executions: sc/none:1 tso/none:1 ra/none:1
// finding: deadlock
#include "run.h"
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
THREAD(work)
{
	pthread_mutex_lock(&m);
	return argument;
}
int main(void)
{
	pthread_mutex_lock(&m);
	RUN(work);
	return 0;
}
