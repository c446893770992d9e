// One has the spinlock, the other waits or tries. Lock and unlock, trylock and unlock or not: 3 ways, as with a mutex. The value
// checks at the end are main's alone.
// executions: sc/none:5 tso/traces:3 pso/traces:3 ra/none:4 ra/rf:3
// finding: none
#include "run.h"
#include <errno.h>
static pthread_spinlock_t lock;
static int count, tried;
THREAD(work)
{
	assert(pthread_spin_lock(&lock) == 0);
	count++;
	assert(pthread_spin_unlock(&lock) == 0);
	return argument;
}
THREAD(try)
{
	int status = pthread_spin_trylock(&lock);
	assert(status == 0 || status == EBUSY);
	if (status)
		return argument;
	count++;
	tried = 1;
	pthread_spin_unlock(&lock);
	return argument;
}
int main(void)
{
	assert(pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE) == 0);
	RUN(work, try);
	assert(count == 1 + tried);
	assert(pthread_spin_lock(&lock) == 0 && pthread_spin_trylock(&lock) == EBUSY && pthread_spin_unlock(&lock) == 0);
	assert(pthread_spin_trylock(&lock) == 0 && pthread_spin_unlock(&lock) == 0);
	assert(pthread_spin_destroy(&lock) == 0);
	assert(pthread_spin_init(&lock, PTHREAD_PROCESS_SHARED) == 0 && pthread_spin_destroy(&lock) == 0);
	return 0;
}
