/* The test of the ring: whatever the consumer gets, it gets in order. */
#include "ring.h"

#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static struct ring ring;

static void *produce(void *unused)
{
	for (int i = 1; i <= 2; i++)
		ring_put(&ring, i);
	return unused;
}

static void *consume(void *unused)
{
	int value, expected = 1;
	for (int i = 0; i < 2; i++)
		if (ring_take(&ring, &value))
			assert(value == expected++);
	return unused;
}

int main(void)
{
	pthread_t producer, consumer;
	pthread_create(&producer, NULL, produce, NULL);
	pthread_create(&consumer, NULL, consume, NULL);
	pthread_join(producer, NULL);
	pthread_join(consumer, NULL);
	return 0;
}
