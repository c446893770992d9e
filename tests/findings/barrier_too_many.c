// The barrier waits for one more than there are.
// everett: -I../programs -k
// executions: sc/none:1 tso/traces:1 ra/none:1 ra/rf:1
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
	pthread_barrier_init(&b, NULL, 3);
	RUN(work, work);
	return 0;
}
