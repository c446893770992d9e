// Each thread locks a mutex of its own, made in its heap: nothing that another could see. One execution.
// executions: sc/none:1
// finding: none
#include "run.h"
#include <stdlib.h>
THREAD(work)
{
	pthread_mutex_t *m = malloc(sizeof(*m));
	pthread_mutex_init(m, NULL);
	pthread_mutex_lock(m);
	assert(pthread_mutex_trylock(m) != 0);
	pthread_mutex_unlock(m);
	pthread_mutex_destroy(m);
	free(m);
	return argument;
}
int main(void)
{
	RUN(work, work);
	return 0;
}
