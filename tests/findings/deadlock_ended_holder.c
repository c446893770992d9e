// The thread ends with the mutex held, and main waits for it. In the other order main is first: fine.
// everett: -I../programs
// executions: sc/none:2
// finding: deadlock at deadlock_ended_holder.c:16
#include "run.h"
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
THREAD(keeps)
{
	pthread_mutex_lock(&m);
	return argument;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, keeps, NULL);
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	return 0;
}
