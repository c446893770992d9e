// executions: sc/none:1 tso/none:1 pso/none:1 ra/none:1
// finding: mutex-misuse at mutex_unlock_free.c:7
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int main(void)
{
	pthread_mutex_unlock(&m);
	return 0;
}
