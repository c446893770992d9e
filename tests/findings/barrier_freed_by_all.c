// Each takes itself for the one who has to clean up. They come in 2 orders, and so go: 4.
// everett: -I../programs -k
// executions: sc/none:150 tso/traces:4 ra/rf:4
// finding: double-free at barrier_freed_by_all.c:11
#include "run.h"
#include <stdlib.h>
static pthread_barrier_t *b;
THREAD(work)
{
	pthread_barrier_wait(argument);
	free(argument);
	return NULL;
}
int main(void)
{
	pthread_t t[2];
	b = malloc(sizeof(*b));
	pthread_barrier_init(b, NULL, 2);
	pthread_create(&t[0], NULL, work, b);
	pthread_create(&t[1], NULL, work, b);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	return 0;
}
