/* A deadlock in a place that is seldom visited: two locks in opposite order, the second time only. */
#include "hunt.h"

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static atomic_int rounds;

static void both(pthread_mutex_t *first, pthread_mutex_t *second)
{
	pthread_mutex_lock(first);
	pthread_mutex_lock(second);
	rounds++;
	pthread_mutex_unlock(second);
	pthread_mutex_unlock(first);
}

static void body(int number)
{
	for (int i = 0; i < 6; i++)
		if (i == 4 && number == 1)
			both(&b, &a);
		else
			both(&a, &b);
}

int main(void)
{
	run(3, body);
	return 0;
}
