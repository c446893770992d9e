// A thread that is left waiting when main has returned is no deadlock. Main locks first (1: it returns, the other waits for
// ever) or second: then the mutex is held by a thread that has unlocked it. T: lock, unlock; main: lock. m | T waits: 1;
// T lock, T unlock, m: 1. (After T's lock main cannot.)
// everett: -I../programs
// executions: sc/none:2
// finding: none
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
	pthread_mutex_lock(&m);
	return 0;
}
