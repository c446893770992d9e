/*
 * A ring for several producers and consumers in the style of DPDK: each side has a head, which a thread moves by compare-exchange to reserve a
 * slot, and a tail, which it moves when its slot is done, after all threads that came before it. Slots are plain, and indices are unsigned.
 *
 * The orders are those that C11 needs. Whoever sees a head must see the other side's tail as whoever moved the head did, or the difference is negative.
 * Whoever waits for its turn to move the tail must acquire what those before it have done, because its own release of the tail is no part of
 * their release sequence.
 */
#include "orders.h"

#include <everett.h>

#define SIZE 2U

struct side {
	atomic_uint head, tail;
};

static struct side produced, consumed;
static int slots[SIZE];

static int enqueue(int value)
{
	unsigned old = LOAD(enqueue_head, acquire, &produced.head), limit;
	do {
		limit = LOAD(enqueue_limit, acquire, &consumed.tail);
		if (SIZE + limit - old == 0)
			return 0;
	} while (!CAS(enqueue_reserve, release, enqueue_reserve_failed, acquire, &produced.head, &old, old + 1));
	slots[old % SIZE] = value;
	while (LOAD(enqueue_turn, acquire, &produced.tail) != old)
		;
	STORE(enqueue_commit, release, &produced.tail, old + 1);
	return value;
}

static int dequeue(void)
{
	unsigned old = LOAD(dequeue_head, acquire, &consumed.head), limit;
	do {
		limit = LOAD(dequeue_limit, acquire, &produced.tail);
		if (limit - old == 0)
			return 0;
	} while (!CAS(dequeue_reserve, release, dequeue_reserve_failed, acquire, &consumed.head, &old, old + 1));
	int value = slots[old % SIZE];
	while (LOAD(dequeue_turn, acquire, &consumed.tail) != old)
		;
	STORE(dequeue_commit, release, &consumed.tail, old + 1);
	return value;
}

/* What was put in and what came out; each value is a bit of its own. */
static int put[3], got[3];

static void *put_and_get(void *unused)
{
	put[1] = enqueue(4);
	got[1] = dequeue();
	return unused;
}

static void *get_and_put(void *unused)
{
	got[1] = dequeue();
	put[1] = enqueue(4);
	return unused;
}

static void *put_one(void *unused)
{
	put[2] = enqueue(8);
	return unused;
}

static void *get_one(void *unused)
{
	got[2] = dequeue();
	return unused;
}

/* The ring is empty, or it is full of 1 and 2. */
int main(void)
{
	bool full = everett_choose(2), third = everett_choose(2);
	int value[6], sum = 0;
	if (full)
		put[0] = enqueue(1) + enqueue(2);
	pthread_t a = start(full ? get_and_put : put_and_get, NULL), b = start(third ? put_one : get_one, NULL);
	if (full)
		got[0] = dequeue();
	else
		put[0] = enqueue(1);
	finish(a);
	finish(b);
	for (int i = 0; i < 3; i++) {
		value[i] = got[i];
		value[3 + i] = dequeue();
	}
	for (int i = 0; i < 6; i++) {
		assert((sum & value[i]) == 0);
		sum |= value[i];
	}
	assert(sum == (put[0] | put[1] | put[2]) && value[5] == 0);
	return 0;
}
