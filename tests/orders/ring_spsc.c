/*
 * A ring with one producer and one consumer. Each side owns an index and only looks at that of the other. Slots are plain. What comes out is what
 * went in, in order; the ring is full, empty and wrapped around in some execution.
 */
#include "orders.h"

#define SIZE 2
#define COUNT 4

static atomic_int head, tail;
static int slots[SIZE];

static bool enqueue(int value)
{
	int t = LOAD(enqueue_tail, relaxed, &tail);
	if (t - LOAD(enqueue_head, acquire, &head) == SIZE)
		return false;
	slots[t % SIZE] = value;
	STORE(enqueue_commit, release, &tail, t + 1);
	return true;
}

static int dequeue(void)
{
	int h = LOAD(dequeue_head, relaxed, &head);
	if (h == LOAD(dequeue_tail, acquire, &tail))
		return 0;
	int value = slots[h % SIZE];
	STORE(dequeue_commit, release, &head, h + 1);
	return value;
}

static void *produce(void *put)
{
	for (int i = 0; i < COUNT; i++)
		*(int *)put += enqueue(*(int *)put + 1);
	return NULL;
}

int main(void)
{
	int put = 0, got = 0, value;
	pthread_t producer = start(produce, &put);
	for (int i = 0; i < COUNT; i++) {
		value = dequeue();
		assert(value == 0 || value == got + 1);
		got += value != 0;
	}
	finish(producer);
	while ((value = dequeue()) != 0)
		assert(value == ++got);
	assert(put == got);
	return 0;
}
