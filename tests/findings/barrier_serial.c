// Which thread is the serial one is asked by one of the two only, and not by the one that was created first. Still it may
// be either: 1 choice, of 2.
// everett: -k -I../programs
// executions: sc/none:2 tso/none:2 ra/none:2 sc/rvf:2
// finding: assertion at barrier_serial.c:16
#include "run.h"
static pthread_barrier_t b;
THREAD(indifferent)
{
	pthread_barrier_wait(&b);
	return argument;
}
THREAD(asks)
{
	int serial = pthread_barrier_wait(&b);
	assert(serial != PTHREAD_BARRIER_SERIAL_THREAD);
	return argument;
}
int main(void)
{
	pthread_barrier_init(&b, 0, 2);
	RUN(indifferent, asks);
	return 0;
}
