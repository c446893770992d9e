// executions: sc/none:1
// finding: mutex-misuse at mutex_uninitialised.c:8
#include <pthread.h>
#include <stdlib.h>
int main(void)
{
	pthread_mutex_t *m = malloc(sizeof(*m));
	pthread_mutex_lock(m);
	return 0;
}
