/*
 * Seqlock(N): N - 1 threads write two numbers while a sequence number is odd; one reads them, and again if it has changed meanwhile.
 */
#include "lockfree.h"

#ifndef N
#define N 3
#endif

static atomic_int sequence, first, second;

static void write(int value)
{
	for (int rounds = 0;;) {
		int now = load(sequence);
		if (now % 2 == 0 && atomic_compare_exchange_strong(&sequence, &now, now + 1))
			break;
		if (give_up(rounds))
			return;
	}
	store(first, value);
	store(second, value);
	atomic_fetch_add(&sequence, 1);
}

static void read(void)
{
	for (int rounds = 0;;) {
		int now = load(sequence);
		if (now % 2 == 0) {
			int one = load(first), two = load(second);
			if (load(sequence) == now) {
				assert(one == two);
				return;
			}
		}
		if (give_up(rounds))
			return;
	}
}

static void *body(void *argument)
{
	if (number(argument) == 0)
		read();
	else
		write(number(argument));
	return NULL;
}

int main(void)
{
	run(N, body);
	return 0;
}
