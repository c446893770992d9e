/*
 * Linux_lock(N): the reader-writer lock of older Linux kernels, a counter from which a writer takes all and a reader one. Of the N
 * threads every other one writes.
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

static void *body(void *argument)
{
	bool writes = number(argument) % 2 == 0;
	int amount = writes ? BIAS : 1;
	if (!lock(amount))
		return NULL;
	if (writes)
		shared++;
	else
		(void)shared;
	atomic_fetch_add(&counter, amount);
	return NULL;
}

int main(void)
{
	run(N, body);
	return 0;
}
