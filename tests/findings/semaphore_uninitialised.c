// everett: -k
// executions: sc/none:1 tso/traces:1 ra/rf:1
// finding: mutex-misuse at semaphore_uninitialised.c:9
#include <semaphore.h>
#include <stdlib.h>
int main(void)
{
	sem_t *s = malloc(sizeof(*s));
	sem_post(s);
	return 0;
}
