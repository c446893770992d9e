// A thread that finds an error does not come to the second meeting, and the other waits there for ever.
// everett: -I../programs -k
// executions: sc/none:1 tso/traces:1 ra/none:1 ra/rf:1
// finding: deadlock
#include "run.h"
static pthread_barrier_t b;
static int failed[2];
THREAD(work)
{
	size_t me = (size_t)argument;
	failed[me] = me == 1;
	pthread_barrier_wait(&b);
	if (failed[me])
		return argument;
	pthread_barrier_wait(&b);
	return argument;
}
int main(void)
{
	pthread_barrier_init(&b, NULL, 2);
	RUN(work, work);
	return 0;
}
