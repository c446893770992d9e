// Both count under a read lock, which keeps nobody out. One after the other: 2. Both inside, as they come and go in 4 orders: one reads
// what the other has written, 2, or neither does, and either writes last, 2. In all 18.
// everett: -I../programs -k --no-races
// executions: sc/none:166 tso/traces:18 ra/rf:18
// finding: assertion at rwlock_write_as_reader.c:19
#include "run.h"
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int count;
THREAD(work)
{
	pthread_rwlock_rdlock(&lock);
	count++;
	pthread_rwlock_unlock(&lock);
	return argument;
}
int main(void)
{
	RUN(work, work);
	assert(count == 2);
	return 0;
}
