/*
 * The harness of the queues of paper 002: one thread enqueues twice, dequeues twice and enqueues, the other one does the opposite.
 */
#ifndef QUEUE_H
#define QUEUE_H

#define THREADS 2
#define STEPS 5
#include "predict.h"

struct node {
	struct node *_Atomic next;
	atomic_uint data;
};

/* What a node holds before it is initialised. Who finds it behind a pointer that was published has found a bug. */
static struct node poison;
#define FRESH { &poison, POISON }

/* A node for each operation that may need one, and the one with which the queue begins. */
static struct node nodes[THREADS][STEPS] = {
	{ FRESH, FRESH, FRESH, FRESH, FRESH },
	{ FRESH, FRESH, FRESH, FRESH, FRESH },
};
static struct node dummy;

static void enqueue(struct node *node, unsigned data);
static unsigned dequeue(void); /* NOTHING if it is empty */

static bool enqueues(int thread, int step)
{
	return (step == 0 || step == 1 || step == 4) == (thread == 0);
}

static unsigned value(int thread, int step)
{
	return 1 + step + 8 * thread;
}

static unsigned operate(int thread, int step)
{
	if (!enqueues(thread, step))
		return dequeue();
	enqueue(&nodes[thread][step], value(thread, step));
	return NOTHING;
}

static uint64_t after(uint64_t state, int thread, int step, unsigned result)
{
	return enqueues(thread, step) ? pushed_left(state, value(thread, step)) : popped_right(state, result);
}

int main(void)
{
	harness(0);
	return 0;
}

#endif
