#include "run.h"
#ifndef ROUNDS
#define ROUNDS 1
#endif
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int counter;
THREAD(work)
{
	for (int i = 0; i < ROUNDS; i++) {
		pthread_mutex_lock(&m);
		counter++;
		pthread_mutex_unlock(&m);
	}
	return argument;
}
int main(void)
{
	RUN(THREADS);
	assert(counter == SUM);
	return 0;
}
