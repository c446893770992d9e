// everett: -k
// executions: sc/none:1 tso/traces:1 ra/rf:1
// finding: mutex-misuse at cond_uninitialised.c:9
#include <pthread.h>
#include <stdlib.h>
int main(void)
{
	pthread_cond_t *c = malloc(sizeof(*c));
	pthread_cond_broadcast(c);
	return 0;
}
