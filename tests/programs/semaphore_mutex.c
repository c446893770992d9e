// A semaphore of 1 is a mutex: the two come one after the other, 2 ways.
// executions: sc/none:4 tso/traces:2 pso/traces:2 ra/none:4 ra/rf:2
// finding: none
#include "run.h"
#include <semaphore.h>
static sem_t s;
static int count;
THREAD(work)
{
	sem_wait(&s);
	count++;
	sem_post(&s);
	return argument;
}
int main(void)
{
	int value;
	sem_init(&s, 0, 1);
	RUN(work, work);
	assert(count == 2 && sem_getvalue(&s, &value) == 0 && value == 1);
	return 0;
}
