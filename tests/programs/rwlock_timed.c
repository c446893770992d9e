// With a time limit a reader may give up while a writer has the lock, and a writer while somebody has it. Either comes first, 2, and
// whoever comes second waits or gives up, 2. For none, the reader can give up before, between and after the two writes: 3 more.
// executions: sc/none:7 tso/traces:4 pso/traces:4 ra/rf:4
// finding: none
#define _GNU_SOURCE
#include "run.h"
#include <errno.h>
#include <time.h>
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static const struct timespec until = { 1, 0 };
static int inside;
THREAD(write)
{
	int status = pthread_rwlock_timedwrlock(&lock, &until);
	assert(status == 0 || status == ETIMEDOUT);
	if (status)
		return argument;
	inside = 1;
	inside = 0;
	assert(pthread_rwlock_unlock(&lock) == 0);
	return argument;
}
THREAD(read)
{
	int status = pthread_rwlock_clockrdlock(&lock, CLOCK_MONOTONIC, &until);
	assert(status == 0 || status == ETIMEDOUT);
	if (status)
		return argument;
	assert(!inside);
	assert(pthread_rwlock_unlock(&lock) == 0);
	return argument;
}
int main(void)
{
	RUN(write, read);
	return 0;
}
