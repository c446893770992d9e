// The usual checks of what a barrier returns tell nobody who was the serial thread: one execution. What tells it is explored.
// executions: sc/none:1 sc/rf:1 tso/traces:1 ra/rf:1
// finding: none
#include "run.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static pthread_barrier_t b;
static void fail(void)
{
	assert(!"reached");
}
static void explain(int error)
{
	printf("pthread_barrier_wait: %s\n", strerror(error));
	exit(1);
}
static void check(int r)
{
	if (r != 0 && r != PTHREAD_BARRIER_SERIAL_THREAD)
		fail();
}
THREAD(work)
{
	int r = pthread_barrier_wait(&b);
	if (r != 0 && r != PTHREAD_BARRIER_SERIAL_THREAD)
		fail();
	r = pthread_barrier_wait(&b);
	assert(r == 0 || r == PTHREAD_BARRIER_SERIAL_THREAD);
	r = pthread_barrier_wait(&b);
	if (r > 0)
		fail();
	r = pthread_barrier_wait(&b);
	switch (r) {
	case 0:
	case PTHREAD_BARRIER_SERIAL_THREAD:
		break;
	default:
		fail();
	}
	r = pthread_barrier_wait(&b);
	int good = r == 0 || r == PTHREAD_BARRIER_SERIAL_THREAD;
	assert(good);
	if (pthread_barrier_wait(&b) == 1)
		fail();
	r = pthread_barrier_wait(&b);
	if (!(r == 0 || r == PTHREAD_BARRIER_SERIAL_THREAD))
		explain(r);
	r = pthread_barrier_wait(&b);
	if (r && r != PTHREAD_BARRIER_SERIAL_THREAD) {
		printf("%d\n", r);
		explain(r + 1);
	}
	(void)check;
	return argument;
}
int main(void)
{
	pthread_barrier_init(&b, NULL, 3);
	RUN(work, work, work);
	return 0;
}
