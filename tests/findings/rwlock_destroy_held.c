// The thread that reads may not be done, or may not have begun, when main destroys the lock. Before it comes, while it is there, after it
// has gone; or while it comes, and then it is as if before. In all 4.
// everett: -I../programs -k
// executions: sc/none:10 tso/traces:4 ra/none:10 ra/rf:4
// finding: mutex-misuse at rwlock_destroy_held.c:11, mutex-misuse at rwlock_destroy_held.c:19
#include "run.h"
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int x;
THREAD(read)
{
	pthread_rwlock_rdlock(&lock);
	pthread_rwlock_unlock(&lock);
	return argument;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, read, NULL);
	pthread_rwlock_destroy(&lock);
	return x;
}
