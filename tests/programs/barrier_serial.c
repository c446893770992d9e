// Just one of the three is the serial thread, and each of them in some execution: 3.
// executions: sc/none:3 tso/traces:3 pso/traces:3 ra/none:3 ra/rf:3
// finding: none
#include "run.h"
static pthread_barrier_t b;
static int serial[3];
THREAD(work)
{
	int status = pthread_barrier_wait(&b);
	assert(status == 0 || status == PTHREAD_BARRIER_SERIAL_THREAD);
	serial[(size_t)argument] = status != 0;
	return argument;
}
int main(void)
{
	pthread_barrier_init(&b, NULL, 3);
	RUN(work, work, work);
	assert(serial[0] + serial[1] + serial[2] == 1);
	return 0;
}
