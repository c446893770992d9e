/*
 * indexer(N): N threads enter MAX numbers each into a hash table with a lock for every place. Only threads that are eleven apart
 * ever meet: up to eleven threads there is no race at all, and no analysis of the source alone would know.
 */
#include "papers.h"

#ifndef N
#define N 13
#endif
#define MAX 4
#define PLACES 128

static int table[PLACES];
static pthread_mutex_t mutex[PLACES];

static int enter(int place, int value)
{
	int entered = 0;
	pthread_mutex_lock(&mutex[place]);
	if (table[place] == 0) {
		table[place] = value;
		entered = 1;
	}
	pthread_mutex_unlock(&mutex[place]);
	return entered;
}

static void *body(void *argument)
{
	for (int i = 1; i <= MAX; i++) {
		int value = i * 11 + number(argument);
		int place = value * 7 % PLACES;
		assert(place >= 0);
		while (!enter(place, value))
			place = (place + 1) % PLACES;
	}
	return NULL;
}

int main(void)
{
	for (int i = 0; i < PLACES; i++)
		pthread_mutex_init(&mutex[i], NULL);
	run(N, body);
	return 0;
}
