// everett: -k
// executions: sc/none:1 tso/traces:1 ra/rf:1
// finding: uninitialised at barrier_uninitialised.c:9
#include <pthread.h>
#include <stdlib.h>
int main(void)
{
	pthread_barrier_t *b = malloc(sizeof(*b));
	pthread_barrier_wait(b);
	return 0;
}
