// Two semaphores of 1, taken in different orders. That is no cycle of threads, as anybody might post; but nobody will. One after the
// other, 2, or each has its first, 1.
// everett: -I../programs -k
// executions: sc/none:112 tso/traces:3 ra/rf:3
// finding: deadlock
#include "run.h"
#include <semaphore.h>
static sem_t a, b;
THREAD(left)
{
	sem_wait(&a);
	sem_wait(&b);
	sem_post(&b);
	sem_post(&a);
	return argument;
}
THREAD(right)
{
	sem_wait(&b);
	sem_wait(&a);
	sem_post(&a);
	sem_post(&b);
	return argument;
}
int main(void)
{
	sem_init(&a, 0, 1);
	sem_init(&b, 0, 1);
	RUN(left, right);
	return 0;
}
