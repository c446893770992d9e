// Main has left by pthread_exit, so the process waits for its threads: one of them for ever, on a mutex whose holder ended.
// everett: -I../programs
// executions: sc/none:1
// finding: deadlock at deadlock_after_pthread_exit.c:9
#include "run.h"
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
THREAD(work)
{
	pthread_mutex_lock(&m);
	return argument;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, work, NULL);
	pthread_create(&t, NULL, work, NULL);
	pthread_exit(NULL);
}
