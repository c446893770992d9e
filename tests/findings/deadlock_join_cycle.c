// Two threads join each other; main is not part of it.
// everett: -I../programs
// executions: sc/none:1 tso/none:1 ra/none:1
// finding: deadlock
#include "run.h"
static pthread_t ids[2];
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
THREAD(work)
{
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	pthread_join(ids[1 - (size_t)argument], NULL);
	return argument;
}
int main(void)
{
	pthread_mutex_lock(&m);
	for (size_t i = 0; i < 2; i++)
		pthread_create(&ids[i], NULL, work, (void *)i);
	pthread_mutex_unlock(&m);
	return 0;
}
