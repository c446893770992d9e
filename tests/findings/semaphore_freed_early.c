// Two post, and main frees the semaphore when one of them has.
// everett: -I../programs -k
// executions: sc/none:568 tso/traces:10 ra/rf:10
// finding: use-after-free at semaphore_freed_early.c:10
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
	pthread_t t[2];
	sem_t *s = malloc(sizeof(*s));
	sem_init(s, 0, 0);
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, post, s);
	sem_wait(s);
	free(s);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	return 0;
}
