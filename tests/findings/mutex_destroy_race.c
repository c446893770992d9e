// Main destroys while the thread may still lock. Depth first main (the lower number) comes first: destroyed, then locked.
// everett: -I../programs
// executions: sc/none:1
// finding: mutex-misuse at mutex_destroy_race.c:9
#include "run.h"
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
THREAD(work)
{
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	return argument;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, work, NULL);
	pthread_mutex_destroy(&m);
	return 0;
}
