// executions: sc/none:1 tso/none:1 pso/none:1 ra/none:1
// finding: mutex-misuse at mutex_destroy_held.c:9
#include <pthread.h>
int main(void)
{
	pthread_mutex_t m;
	pthread_mutex_init(&m, NULL);
	pthread_mutex_lock(&m);
	pthread_mutex_destroy(&m);
	return 0;
}
