/*
 * MPMC_queue(N): a bounded queue with one word that counts the reads and writes that were begun, and two that count those that are
 * done. Main puts one element in; then one thread takes one, and N - 1 put one in.
 */
#include "lockfree.h"

#ifndef N
#define N 3
#endif

#define SIZE 4
#define NONE -1
#define READ (1U << 16) /* a read, in `begun`; a write is 1 */

static atomic_uint begun, reads, writes;
static int elements[SIZE];

/* Begin a read or a write; its place, when whoever was there before is done. */
static int begin(bool reading)
{
	unsigned now = load(begun);
	for (int rounds = 0;;) {
		unsigned count = now % READ - now / READ;
		if (count == (reading ? 0 : SIZE))
			return NONE;
		if (atomic_compare_exchange_strong(&begun, &now, now + (reading ? READ : 1)))
			break;
		if (give_up(rounds))
			return NONE;
	}
	for (int rounds = 0; reading ? load(writes) != now % READ : load(reads) != now / READ;)
		if (give_up(rounds))
			return NONE;
	return (int)((reading ? now / READ : now % READ) % SIZE);
}

static void put(int value)
{
	int place = begin(false);
	if (place == NONE)
		return;
	elements[place] = value;
	atomic_fetch_add(&writes, 1);
}

static void take(void)
{
	int place = begin(true);
	if (place == NONE)
		return;
	assert(elements[place] != 0);
	atomic_fetch_add(&reads, 1);
}

static void *body(void *argument)
{
	if (number(argument) == 0)
		take();
	else
		put(number(argument));
	return NULL;
}

int main(void)
{
	put(N);
	run(N, body);
	return 0;
}
