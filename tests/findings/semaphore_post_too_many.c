// A semaphore as a mutex, which one of the threads posts before it has waited for it: then two are inside.
// everett: -I../programs -k --no-races
// executions: sc/none:1077 tso/traces:15 ra/rf:15
// finding: assertion at semaphore_post_too_many.c:27
#include "run.h"
#include <semaphore.h>
static sem_t s;
static int count;
THREAD(right)
{
	sem_wait(&s);
	count++;
	sem_post(&s);
	return argument;
}
THREAD(wrong)
{
	sem_post(&s);
	sem_wait(&s);
	count++;
	return argument;
}
int main(void)
{
	sem_init(&s, 0, 1);
	RUN(right, wrong);
	assert(count == 2);
	return 0;
}
