/*
 * ck_ring with one producer and one consumer: what comes out is what went in, in order, and whole. The ring has room for one, so that
 * it is full, empty and wrapped around.
 * WRONG: the producer commits its slot before it has filled it.
 */
#include "real.h"

#include <ck_ring.h>

#ifndef N
#define N 3
#endif

static ck_ring_t ring;
static ck_ring_buffer_t buffer[2];
static int message[N];

static bool enqueue(int *m)
{
	ck_ring_buffer_t *slot = ck_ring_enqueue_reserve_spsc(&ring, buffer);
	if (!slot)
		return false;
	if (WRONG)
		ck_ring_enqueue_commit_spsc(&ring);
	slot->value = m;
	if (!WRONG)
		ck_ring_enqueue_commit_spsc(&ring);
	return true;
}

static void *produce(void *produced)
{
	int n = 0;
	for (int i = 0; i < N; i++) {
		message[n] = 10 + n;
		/* Both interfaces in turn. */
		n += i % 2 == WRONG ? ck_ring_enqueue_spsc(&ring, buffer, &message[n]) : enqueue(&message[n]);
	}
	*(int *)produced = n;
	return NULL;
}

static int consume(int n)
{
	void *m = NULL;
	if (!ck_ring_dequeue_spsc(&ring, buffer, &m))
		return n;
	assert(m == &message[n] && "in order");
	assert(message[n] == 10 + n && "whole");
	return n + 1;
}

int main(void)
{
	int produced, n = 0;
	ck_ring_init(&ring, 2);
	pthread_t producer = start(produce, &produced);
	for (int i = 0; i < N; i++)
		n = consume(n);
	finish(producer);
	n = consume(n);
	assert(n == produced && n >= 1);
	return 0;
}
