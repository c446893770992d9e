// While the first thread holds the mutex, once or twice, the other cannot come in: 2 orders of whole critical sections.
// executions: sc/none:2 sc/traces:2 sc/rvf:2 tso/traces:2 pso/traces:2
// finding: none
#include "run.h"
static pthread_mutex_t m;
static int x;
THREAD(twice)
{
	assert(pthread_mutex_lock(&m) == 0);
	assert(pthread_mutex_lock(&m) == 0);
	x++;
	assert(pthread_mutex_unlock(&m) == 0);
	x++;
	assert(pthread_mutex_unlock(&m) == 0);
	return argument;
}
THREAD(once)
{
	assert(pthread_mutex_lock(&m) == 0);
	assert(x == 0 || x == 2);
	x++;
	assert(pthread_mutex_unlock(&m) == 0);
	return argument;
}
int main(void)
{
	pthread_mutexattr_t attr;
	int type = -1;
	pthread_mutexattr_init(&attr);
	pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutexattr_gettype(&attr, &type);
	assert(type == PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&m, &attr);
	pthread_mutexattr_destroy(&attr);
	RUN(twice, once);
	assert(x == 3);
	pthread_mutex_destroy(&m);
	return 0;
}
