// A store that waits in a buffer has initialised nothing yet, except for its own thread. SC: the read of the other thread comes
// before the write, and then it fails, between, or after the writer's own read. With buffers the two reads and the update are
// in any of 3! orders; only whether the first comes before the update makes a trace.
// everett: --keep-going
// executions: sc/none:3 sc/traces:2 tso/none:6 tso/traces:2 pso/none:6 pso/traces:2
// finding: uninitialised at uninitialised_buffered.c:14
#include <pthread.h>
#include <stdlib.h>
static int *p;
static void *reader(void *argument)
{
	if (argument)
		return NULL;
	return *p ? argument : NULL;
}
static void *writer(void *argument)
{
	*p = 1;
	return *p ? argument : NULL;
}
int main(void)
{
	pthread_t s, t;
	p = malloc(sizeof(*p));
	pthread_create(&s, 0, reader, 0);
	pthread_create(&t, 0, writer, 0);
	pthread_join(s, 0);
	pthread_join(t, 0);
	return 0;
}
