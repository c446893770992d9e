// Main destroys the barrier at which the thread waits, or to which it is still to come.
// everett: -I../programs -k
// executions: sc/none:2 tso/traces:2 ra/none:2 ra/rf:2
// finding: mutex-misuse at barrier_destroy_awaited.c:9, mutex-misuse at barrier_destroy_awaited.c:17 under sc tso; mutex-misuse at barrier_destroy_awaited.c:9, race at barrier_destroy_awaited.c:17 under ra
#include "run.h"
static pthread_barrier_t b;
THREAD(work)
{
	pthread_barrier_wait(&b);
	return argument;
}
int main(void)
{
	pthread_t t;
	pthread_barrier_init(&b, NULL, 2);
	pthread_create(&t, NULL, work, NULL);
	pthread_barrier_destroy(&b);
	return 0;
}
