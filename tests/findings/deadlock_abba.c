// Both have their first mutex and want the other's. Depth first the left thread runs through, then the right: fine; the
// search turns back at the last choice. lA lB uB uA | rB rA uA uB; then rB before uA: rB can only wait: lA lB uB rB uA rA ...;
// then r's lock of B while the left holds A and not yet B: third.
// everett: -I../programs
// executions: sc/none:3
// finding: deadlock
#include "run.h"
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
THREAD(left)
{
	pthread_mutex_lock(&a);
	pthread_mutex_lock(&b);
	pthread_mutex_unlock(&b);
	pthread_mutex_unlock(&a);
	return argument;
}
THREAD(right)
{
	pthread_mutex_lock(&b);
	pthread_mutex_lock(&a);
	pthread_mutex_unlock(&a);
	pthread_mutex_unlock(&b);
	return argument;
}
int main(void)
{
	RUN(left, right);
	return 0;
}
