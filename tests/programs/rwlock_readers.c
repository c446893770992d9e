// Two readers are in there at once: each waits for the other to have come. With a lock that lets in one only this would
// be a deadlock. They come in either order, and so go: 4.
// executions: sc/none:4 tso/traces:4 pso/traces:4 ra/none:4 ra/rf:4
// finding: none
#include "run.h"
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t both;
THREAD(read)
{
	assert(pthread_rwlock_rdlock(&lock) == 0);
	pthread_barrier_wait(&both);
	assert(pthread_rwlock_unlock(&lock) == 0);
	return argument;
}
int main(void)
{
	pthread_barrier_init(&both, NULL, 2);
	RUN(read, read);
	assert(pthread_rwlock_destroy(&lock) == 0);
	return 0;
}
