// The one tries to write, the other to read: one after the other, 2, or whoever comes second finds the first there, 2.
// executions: sc/none:4 tso/traces:4 pso/traces:4 ra/rf:4
// finding: none
#include "run.h"
#include <errno.h>
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int written, read_it;
THREAD(write)
{
	int status = pthread_rwlock_trywrlock(&lock);
	assert(status == 0 || status == EBUSY);
	if (status)
		return argument;
	written = 1;
	pthread_rwlock_unlock(&lock);
	return argument;
}
THREAD(read)
{
	int status = pthread_rwlock_tryrdlock(&lock);
	assert(status == 0 || status == EBUSY);
	if (status)
		return argument;
	read_it = 1;
	pthread_rwlock_unlock(&lock);
	return argument;
}
int main(void)
{
	RUN(write, read);
	assert(written || read_it);
	return 0;
}
