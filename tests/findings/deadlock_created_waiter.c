// Two threads lock a mutex that nobody unlocks, and main locks it before it creates the second one: that one waits, and cannot have been first.
// everett: -I../programs -k
// executions: sc/rf:2 sc/traces:2 tso/traces:2 ra/rf:2 rc11/rf:2
// finding: deadlock at deadlock_created_waiter.c:10, deadlock at deadlock_created_waiter.c:18
#include "run.h"
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static _Atomic int x;
THREAD(keeps)
{
	pthread_mutex_lock(&m);
	x++;
	return argument;
}
int main(void)
{
	pthread_t first, second;
	pthread_create(&first, NULL, keeps, NULL);
	pthread_mutex_lock(&m);
	x++;
	pthread_create(&second, NULL, keeps, NULL);
	pthread_join(second, NULL);
	return 0;
}
