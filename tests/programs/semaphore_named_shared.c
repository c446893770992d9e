// Both open the semaphore by its name, whoever comes first creates it. The one posts, the other waits, and never for ever. They open it
// in either order: 2.
// executions: sc/none:27 tso/traces:2 pso/traces:2 ra/none:18 ra/rf:2
// finding: none
#include "run.h"
#include <fcntl.h>
#include <semaphore.h>
static int data;
THREAD(produce)
{
	sem_t *s = sem_open("/everett-shared", O_CREAT, 0600, 0);
	assert(s != SEM_FAILED);
	data = 42;
	assert(sem_post(s) == 0 && sem_close(s) == 0);
	return argument;
}
THREAD(consume)
{
	sem_t *s = sem_open("/everett-shared", O_CREAT, 0600, 0);
	assert(s != SEM_FAILED);
	assert(sem_wait(s) == 0 && data == 42 && sem_close(s) == 0);
	return argument;
}
int main(void)
{
	RUN(produce, consume);
	assert(sem_unlink("/everett-shared") == 0);
	return 0;
}
