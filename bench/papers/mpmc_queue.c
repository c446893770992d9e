/*
 * MPMC_queue(N): a bounded queue with one word that counts the reads and writes that were begun, and two that count those that are
 * done. Main puts one element in; then one thread takes one, and N - 1 put one in. With -DAS_MEASURED the one takes up to LB, the
 * others count their write as done even if they gave up, and a compare-exchange that fails is an update as well, as it is in Tracer.
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

/*
 * An update that fails has to be guessed before, since C has none that leaves a value as it is: the executions in which the guess is
 * wrong are blocked.
 */
static bool exchange(atomic_uint *at, unsigned *now, unsigned next)
{
	if (!as_measured || everett_choose(2) == 0) {
		bool exchanged = atomic_compare_exchange_strong(at, now, next);
		everett_assume(exchanged || !as_measured);
		return exchanged;
	}
	unsigned before = *now;
	*now = atomic_fetch_add(at, 0);
	everett_assume(*now != before);
	return false;
}

/* Begin a read or a write; its place, when whoever was there before is done. */
static int begin(bool reading)
{
	unsigned now = load(begun);
	for (int rounds = 0;;) {
		unsigned count = now % READ - now / READ;
		if (count == (reading ? 0 : SIZE))
			return NONE;
		if (exchange(&begun, &now, now + (reading ? READ : 1)))
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
	if (place == NONE && !as_measured)
		return;
	if (place != NONE)
		elements[place] = value;
	atomic_fetch_add(&writes, 1);
}

static bool take(void)
{
	int place = begin(true);
	if (place == NONE)
		return false;
	assert(as_measured || elements[place] != 0);
	atomic_fetch_add(&reads, 1);
	return true;
}

static void *body(void *argument)
{
	if (number(argument) == 0)
		for (int rounds = 0; take() && as_measured && !give_up(rounds);)
			continue;
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
