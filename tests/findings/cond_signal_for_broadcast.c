// Both wait for the door to open, and only one is woken. The one who opens comes first: 2 orders of the others. Second: 2 who was
// before, and 2 orders of who goes on and who comes. Last: 2 orders of going to wait, and 2 who is woken. In all 10.
// everett: -I../programs -k
// executions: sc/none:24 tso/traces:10 ra/rf:10
// finding: deadlock
#include "run.h"
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int open;
THREAD(wait)
{
	pthread_mutex_lock(&m);
	while (!open)
		pthread_cond_wait(&c, &m);
	pthread_mutex_unlock(&m);
	return argument;
}
THREAD(let_in)
{
	pthread_mutex_lock(&m);
	open = 1;
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&m);
	return argument;
}
int main(void)
{
	RUN(wait, let_in, wait);
	return 0;
}
