// executions: sc/none:1
// finding: invalid-access at null_mutex.c:8
// Nothing is known of any mutex when an execution begins, and so not of one at address 0.
#include <pthread.h>
int main(void)
{
	pthread_mutex_t *volatile m = 0;
	return pthread_mutex_lock(m);
}
