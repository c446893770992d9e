// The semaphore is destroyed while the thread waits for it, or before it does so, which is as bad: in each of the 2 orders of their
// sections. It is the thread who finds that out.
// everett: -I../programs -k
// executions: sc/none:7 tso/traces:2 pso/traces:2 ra/none:7 ra/rf:2
// finding: mutex-misuse at semaphore_destroy_awaited.c:14
#include "run.h"
#include <semaphore.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static sem_t s;
THREAD(wait)
{
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	sem_wait(&s);
	return argument;
}
int main(void)
{
	pthread_t t;
	sem_init(&s, 0, 0);
	pthread_create(&t, NULL, wait, NULL);
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	sem_destroy(&s);
	return 0;
}
