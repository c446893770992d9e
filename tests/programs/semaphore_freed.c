// POSIX demands that whoever was let through may destroy the semaphore and free it at once, although the other may not
// have returned from sem_post().
// There is only one way, but that to post makes events of its own.
// executions: sc/none:9 tso/traces:1 pso/traces:1 ra/none:9 ra/rf:1
// finding: none
#include "run.h"
#include <semaphore.h>
#include <stdlib.h>
THREAD(post)
{
	assert(sem_post(argument) == 0);
	return NULL;
}
int main(void)
{
	pthread_t t;
	sem_t *s = malloc(sizeof(*s));
	assert(sem_init(s, 0, 0) == 0);
	pthread_create(&t, NULL, post, s);
	assert(sem_wait(s) == 0);
	assert(sem_destroy(s) == 0);
	free(s);
	pthread_join(t, NULL);
	return 0;
}
