/* A bounded buffer of one place with one condition variable: a signal that is meant for a consumer may wake a producer, and all wait for ever. */
#include "hunt.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int items;

static void put(void)
{
	pthread_mutex_lock(&lock);
	while (items == 1)
		pthread_cond_wait(&changed, &lock);
	items++;
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&lock);
}

static void get(void)
{
	pthread_mutex_lock(&lock);
	while (items == 0)
		pthread_cond_wait(&changed, &lock);
	items--;
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&lock);
}

static void body(int number)
{
	for (int i = 0; i < 2; i++)
		number % 2 ? put() : get();
}

int main(void)
{
	run(6, body);
	return 0;
}
