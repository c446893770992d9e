/*
 * Linux_lock(N): the reader-writer lock of older Linux kernels, a counter from which a writer takes all and a reader one. Of the N
 * threads every other one writes. With -DAS_MEASURED they try twice and look three times in between, which makes the bound of 6; then
 * they go on as if they had the lock. Who has not seen it free takes nothing, but gives back once more.
 */
#include "lockfree.h"

#ifndef N
#define N 2
#endif

#define BIAS 0x00100000

static atomic_int counter = BIAS;
static int shared;

static bool is_free(int value, int amount)
{
	return amount == BIAS ? value == BIAS : value > 0;
}

static bool lock(int amount)
{
	int prior = atomic_fetch_sub(&counter, amount);
	for (int rounds = 0; !is_free(prior, amount);) {
		atomic_fetch_add(&counter, amount);
		for (int spins = 0; !is_free(load(counter), amount);)
			if (give_up(spins))
				return false;
		prior = atomic_fetch_sub(&counter, amount);
		if (give_up(rounds))
			return false;
	}
	return true;
}

static void lock_as_measured(int amount)
{
	int prior = atomic_fetch_sub(&counter, amount);
	for (int rounds = 0; rounds < 2 && !is_free(prior, amount); rounds++) {
		atomic_fetch_add(&counter, amount);
		bool seen = false;
		for (int spins = 0; spins < 3 && !seen; spins++)
			seen = is_free(load(counter), amount);
		if (seen)
			prior = atomic_fetch_sub(&counter, amount);
	}
}

static void *body(void *argument)
{
	bool writes = number(argument) % 2 == 0;
	int amount = writes ? BIAS : 1;
	if (as_measured)
		lock_as_measured(amount);
	else if (!lock(amount))
		return NULL;
	else if (writes)
		shared++;
	else
		assert(shared >= 0);
	atomic_fetch_add(&counter, amount);
	return NULL;
}

int main(void)
{
	run(N, body);
	return 0;
}
