// A writer is alone: neither a reader nor another writer sees the two variables differ. They come one after the other: 3! = 6.
// executions: sc/none:6 tso/traces:6 pso/traces:6 ra/none:6 ra/rf:6
// finding: none
#include "run.h"
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int x, y;
THREAD(write)
{
	pthread_rwlock_wrlock(&lock);
	assert(x == y);
	x++;
	y++;
	pthread_rwlock_unlock(&lock);
	return argument;
}
THREAD(read)
{
	pthread_rwlock_rdlock(&lock);
	assert(x == y);
	pthread_rwlock_unlock(&lock);
	return argument;
}
int main(void)
{
	RUN(write, read, write);
	assert(x == 2 && y == 2);
	return 0;
}
