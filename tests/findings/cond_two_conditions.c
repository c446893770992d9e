// Who waits for x and who waits for y share a condition variable: the signal for x may wake the one who waits for y, who goes
// back to sleep. X and Y come after x is set: 2. One of them comes before: 2, and the other before or after that one is woken: 2.
// Both come before: 2 orders, and 2 who is woken, one of which is a deadlock. In all 10.
// everett: -I../programs -k
// executions: sc/none:45 tso/traces:10 ra/rf:10
// finding: deadlock
#include "run.h"
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int x, y;
THREAD(wait_for_x)
{
	pthread_mutex_lock(&m);
	while (!x)
		pthread_cond_wait(&c, &m);
	y = 1;
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&m);
	return argument;
}
THREAD(wait_for_y)
{
	pthread_mutex_lock(&m);
	while (!y)
		pthread_cond_wait(&c, &m);
	pthread_mutex_unlock(&m);
	return argument;
}
THREAD(set_x)
{
	pthread_mutex_lock(&m);
	x = 1;
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&m);
	return argument;
}
int main(void)
{
	RUN(wait_for_x, wait_for_y, set_x);
	return 0;
}
