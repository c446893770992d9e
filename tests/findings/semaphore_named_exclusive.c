// Both want to create it, and whoever comes second does not look at what sem_open() has returned.
// everett: -I../programs -k
// executions: sc/none:2 tso/traces:2 ra/none:2 ra/rf:2
// finding: invalid-access at semaphore_named_exclusive.c:11
#include "run.h"
#include <fcntl.h>
#include <semaphore.h>
THREAD(work)
{
	sem_t *s = sem_open("/everett-exclusive", O_CREAT | O_EXCL, 0600, 0);
	sem_post(s);
	return argument;
}
int main(void)
{
	RUN(work, work);
	return 0;
}
