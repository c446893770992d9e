// Three threads and main for a barrier of two: they go through in pairs, whoever they are, and all go on. As many ways as orders
// in which they come: 4! = 24.
// executions: sc/traces:24 sc/rf:24 tso/traces:24 pso/traces:24 ra/rf:24
// finding: none
#include "run.h"
static pthread_barrier_t b;
static int serial[4];
THREAD(work)
{
	serial[(size_t)argument] = pthread_barrier_wait(&b) != 0;
	return argument;
}
int main(void)
{
	pthread_t t[3];
	pthread_barrier_init(&b, NULL, 2);
	for (size_t i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, work, (void *)i);
	work((void *)3);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	assert(serial[0] + serial[1] + serial[2] + serial[3] == 2);
	return 0;
}
