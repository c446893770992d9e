/* N philosophers, each of whom takes the left fork first. */
#include "hunt.h"

#ifndef N
#define N 3
#endif

static pthread_mutex_t forks[N];

static void body(int number)
{
	pthread_mutex_lock(&forks[number]);
	pthread_mutex_lock(&forks[(number + 1) % N]);
	pthread_mutex_unlock(&forks[(number + 1) % N]);
	pthread_mutex_unlock(&forks[number]);
}

int main(void)
{
	for (int i = 0; i < N; i++)
		pthread_mutex_init(&forks[i], NULL);
	run(N, body);
	return 0;
}
