/*
 * Two threads count up a number under a mutex, N times each.
 */
#include "papers.h"

#ifndef N
#define N 5
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *body(void *argument)
{
	(void)argument;
	for (int i = 0; i < N; i++) {
		pthread_mutex_lock(&mutex);
		counter++;
		pthread_mutex_unlock(&mutex);
	}
	return NULL;
}

int main(void)
{
	run(2, body);
	assert(counter == 2 * N);
	return 0;
}
