// The mutex n is destroyed while the thread holds it, or before it locks it, or when it is done, as m orders it: 3. Under RA, too, whoever
// destroys it finds it as it was left last.
// everett: -I../programs -k
// executions: sc/none:3 tso/traces:3 ra/none:3 ra/rf:3
// finding: mutex-misuse at mutex_destroy_after.c:11, mutex-misuse at mutex_destroy_after.c:23
#include "run.h"
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
THREAD(work)
{
	pthread_mutex_lock(&m);
	pthread_mutex_lock(&n);
	pthread_mutex_unlock(&m);
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&n);
	pthread_mutex_unlock(&m);
	return argument;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, work, NULL);
	pthread_mutex_lock(&m);
	pthread_mutex_destroy(&n);
	pthread_mutex_unlock(&m);
	return 0;
}
