// As semaphore_freed.c, with two who post and two waits. Who posts first: 2; the first wait comes before or after the second post:
// 2. In all 4.
// executions: sc/none:1048 tso/traces:4 pso/traces:4 ra/rf:4
// finding: none
#include "run.h"
#include <semaphore.h>
#include <stdlib.h>
THREAD(post)
{
	sem_post(argument);
	return NULL;
}
int main(void)
{
	pthread_t t, u;
	sem_t *s = malloc(sizeof(*s));
	sem_init(s, 0, 0);
	pthread_create(&t, NULL, post, s);
	pthread_create(&u, NULL, post, s);
	sem_wait(s);
	sem_wait(s);
	sem_destroy(s);
	free(s);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	return 0;
}
