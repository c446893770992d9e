/*
 * ck_fifo_spsc: what comes out is what went in, in order and whole, and the entries that the consumer has left behind can be used
 * again. Two producers take turns by the queue's own lock, if LOCKED.
 * WRONG: they do not.
 */
#include "real.h"

#include <ck_fifo.h>

#ifndef N
#define N 3
#endif

static ck_fifo_spsc_t fifo;
static int message[2 * N];

static void enqueue(int *m)
{
	*m = 1;
	if (!WRONG)
		ck_fifo_spsc_enqueue_lock(&fifo);
	ck_fifo_spsc_entry_t *entry = ck_fifo_spsc_recycle(&fifo);
	if (!entry)
		entry = malloc(sizeof *entry);
	ck_fifo_spsc_enqueue(&fifo, entry, m);
	if (!WRONG)
		ck_fifo_spsc_enqueue_unlock(&fifo);
}

static void *produce(void *first)
{
	for (int i = 0; i < N; i++)
		enqueue((int *)first + i);
	return NULL;
}

static int next[2];

static bool consume(void)
{
	int *m;
	if (!ck_fifo_spsc_dequeue(&fifo, &m))
		return false;
	int from = m >= message + N;
	assert(m == message + from * N + next[from] && "in order");
	next[from]++;
	assert(*m == 1 && "whole");
	return true;
}

int main(void)
{
	ck_fifo_spsc_init(&fifo, malloc(sizeof(ck_fifo_spsc_entry_t)));
	pthread_t a = start(produce, message);
#ifdef PRODUCERS
	pthread_t b = start(produce, message + N);
#endif
	for (int i = 0; i < N; i++)
		consume();
	finish(a);
#ifdef PRODUCERS
	finish(b);
#endif
	while (consume())
		;
	assert(next[0] == N);
#ifdef PRODUCERS
	assert(next[1] == N);
#endif
	return 0;
}
