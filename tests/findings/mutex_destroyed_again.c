// A mutex that was destroyed may be initialised again.
// executions: sc/none:1
// finding: none
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int main(void)
{
	pthread_mutex_destroy(&m);
	pthread_mutex_init(&m, NULL);
	assert(pthread_mutex_lock(&m) == 0 && pthread_mutex_unlock(&m) == 0);
	return 0;
}
