/*
 * ck_ring with two producers and CONSUMERS at the same time: nothing is lost, nothing comes twice, and a consumer finds it whole.
 * WRONG=1: the producers use the function for a single one; WRONG=2: the consumers do.
 */
#include "real.h"

#include <ck_ring.h>

#ifndef CONSUMERS
#define CONSUMERS 2
#endif

static ck_ring_t ring;
static ck_ring_buffer_t buffer[4];
static int message[2], seen[2];

static void *produce(void *m)
{
	*(int *)m = 1;
	bool done = WRONG == 1 ? ck_ring_enqueue_spsc(&ring, buffer, m) : ck_ring_enqueue_mpmc(&ring, buffer, m);
	assert(done);
	return NULL;
}

static void *consume(void *unused)
{
	void *m;
	bool done = WRONG == 2 ? ck_ring_dequeue_spsc(&ring, buffer, &m) : ck_ring_dequeue_mpmc(&ring, buffer, &m);
	if (done) {
		assert(*(int *)m == 1 && "whole");
		__atomic_add_fetch(&seen[(int *)m - message], 1, __ATOMIC_SEQ_CST);
	}
	return unused;
}

int main(void)
{
	ck_ring_init(&ring, 4);
	pthread_t producer[2], consumer[2];
	for (int i = 0; i < 2; i++)
		producer[i] = start(produce, &message[i]);
	for (int i = 0; i < CONSUMERS - 1; i++)
		consumer[i] = start(consume, NULL);
	if (CONSUMERS)
		consume(NULL);
	for (int i = 0; i < 2; i++)
		finish(producer[i]);
	for (int i = 0; i < CONSUMERS - 1; i++)
		finish(consumer[i]);
	consume(NULL);
	consume(NULL);
	assert(seen[0] == 1 && seen[1] == 1);
	return 0;
}
