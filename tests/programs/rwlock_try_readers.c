// Readers never find each other: among readers tryrdlock() does not fail, whatever the others are about. Each comes and goes: 6
// orders. An execution in which the other has gone, but has yet to say so, is given up.
// executions: sc/none:8 tso/traces:6 pso/traces:6 ra/rf:6
// blocked: sc/none:1 tso/traces:1 pso/traces:1 ra/rf:1
// finding: none
#include "run.h"
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
THREAD(read)
{
	pthread_rwlock_rdlock(&lock);
	pthread_rwlock_unlock(&lock);
	return argument;
}
THREAD(try)
{
	assert(pthread_rwlock_tryrdlock(&lock) == 0);
	assert(pthread_rwlock_unlock(&lock) == 0);
	return argument;
}
int main(void)
{
	RUN(read, try);
	return 0;
}
