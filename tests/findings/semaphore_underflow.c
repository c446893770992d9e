// Two waits for one post: main waits for a thread that waits for ever, whichever of them it is.
// everett: -I../programs -k
// executions: sc/none:4 tso/traces:2 ra/none:4 ra/rf:2
// finding: deadlock
#include "run.h"
#include <semaphore.h>
static sem_t s;
THREAD(take)
{
	sem_wait(&s);
	return argument;
}
THREAD(give)
{
	sem_post(&s);
	return argument;
}
int main(void)
{
	sem_init(&s, 0, 0);
	RUN(take, give, take);
	return 0;
}
