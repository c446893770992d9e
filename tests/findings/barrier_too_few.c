// The barrier waits for one only: whoever comes goes through, and sees what is not there yet. The second to come sees what the first has
// written; the first does, or does not: 2 * 2.
// everett: -I../programs -k --no-races
// executions: sc/none:132 tso/traces:4 ra/rf:4
// finding: assertion at barrier_too_few.c:14
#include "run.h"
static pthread_barrier_t b;
static int x[2];
THREAD(work)
{
	size_t me = (size_t)argument;
	x[me] = 1;
	pthread_barrier_wait(&b);
	assert(x[1 - me] == 1);
	return argument;
}
int main(void)
{
	pthread_barrier_init(&b, NULL, 1);
	RUN(work, work);
	return 0;
}
