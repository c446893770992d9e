/*
 * linuxrwlocks(N): the reader-writer lock of older Linux kernels, a counter from which a writer takes all and a reader one. One thread
 * writes, N - 1 read, and the last one reads and then writes, N + 1 in all. Whoever is turned away waits until the lock looks free, which
 * is an assumption, and tries again.
 */
#include "papers.h"

#ifndef N
#define N 1
#endif
#define BIAS 0x00100000

static atomic_int counter = BIAS, shared;

static int is_free(int value, int amount)
{
	return amount == BIAS ? value == BIAS : value > 0;
}

static void lock(int amount)
{
	while (!is_free(atomic_fetch_sub(&counter, amount), amount)) {
		atomic_fetch_add(&counter, amount);
		everett_assume(is_free(get(counter), amount));
	}
}

static void unlock(int amount)
{
	atomic_fetch_add(&counter, amount);
}

static void reads(void)
{
	lock(1);
	(void)get(shared);
	unlock(1);
}

static void writes(void)
{
	lock(BIAS);
	set(shared, 42);
	unlock(BIAS);
}

static void *body(void *argument)
{
	if (number(argument) > 0)
		reads();
	if (number(argument) == 0 || number(argument) == N)
		writes();
	return NULL;
}

int main(void)
{
	run(N + 1, body);
	return 0;
}
