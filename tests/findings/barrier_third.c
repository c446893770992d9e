// Three for a barrier of two: one of them, whichever, waits for ever. 3! orders.
// everett: -I../programs -k
// executions: sc/none:1104 tso/traces:6 ra/rf:6
// finding: deadlock
#include "run.h"
static pthread_barrier_t b;
THREAD(work)
{
	pthread_barrier_wait(&b);
	return argument;
}
int main(void)
{
	pthread_barrier_init(&b, NULL, 2);
	RUN(work, work, work);
	return 0;
}
