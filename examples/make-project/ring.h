/* A bounded queue between one producer and one consumer. Neither ever waits. */
#ifndef RING_H
#define RING_H

#include <stdatomic.h>
#include <stdbool.h>

enum { RING_SIZE = 2 };

struct ring {
	atomic_uint head; /* the producer's: how many were put */
	atomic_uint tail; /* the consumer's: how many were taken */
	int slots[RING_SIZE];
};

/* Both return whether there was room, or something to take. */
bool ring_put(struct ring *r, int value);
bool ring_take(struct ring *r, int *value);

#endif
