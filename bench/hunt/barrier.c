/* A barrier made of a counter that the last thread resets: who is slow may find it reset, and wait for ever, or be overtaken by a phase. */
#include "hunt.h"

#define N 4

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t all = PTHREAD_COND_INITIALIZER;
static int arrived;

static void wait_for_all(void)
{
	pthread_mutex_lock(&lock);
	if (++arrived == N) {
		arrived = 0;
		pthread_cond_broadcast(&all);
	} else {
		/* It should be the phase that is waited for: a fast thread makes it false again. */
		while (arrived != 0)
			pthread_cond_wait(&all, &lock);
	}
	pthread_mutex_unlock(&lock);
}

static void body(int number)
{
	(void)number;
	wait_for_all();
	wait_for_all();
}

int main(void)
{
	run(N, body);
	return 0;
}
