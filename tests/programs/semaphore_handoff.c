// One waits until the other has posted, and sees what it has done before. There is only one way.
// executions: sc/none:2 tso/traces:1 pso/traces:1 ra/none:2 ra/rf:1
// finding: none
#include "run.h"
#include <semaphore.h>
static sem_t s;
static int data;
THREAD(produce)
{
	data = 42;
	assert(sem_post(&s) == 0);
	return argument;
}
THREAD(consume)
{
	assert(sem_wait(&s) == 0);
	assert(data == 42);
	return argument;
}
int main(void)
{
	assert(sem_init(&s, 0, 0) == 0);
	RUN(produce, consume);
	assert(sem_destroy(&s) == 0);
	return 0;
}
