// Each thread: lock, lock again (EDEADLK), unlock, unlock again (EPERM). Only the last event is outside of the critical
// section; of the thread that comes first it can take place before, between or after the other's four: 2 * 5 = 10.
// executions: sc/none:10
// finding: none
#include "run.h"
#include <errno.h>
static pthread_mutex_t m;
THREAD(work)
{
	assert(pthread_mutex_lock(&m) == 0);
	assert(pthread_mutex_lock(&m) == EDEADLK);
	assert(pthread_mutex_unlock(&m) == 0);
	assert(pthread_mutex_unlock(&m) == EPERM);
	return argument;
}
int main(void)
{
	pthread_mutexattr_t attr;
	pthread_mutexattr_init(&attr);
	pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK);
	pthread_mutex_init(&m, &attr);
	RUN(work, work);
	return 0;
}
