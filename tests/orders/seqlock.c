/*
 * A sequence lock with the fences of Boehm, "Can seqlocks get along with programming language memory models?" (MSPC 2012): the data are relaxed atomics,
 * the sequence number is odd while they are written. A reader that finds the same even number twice has read data that belong together.
 * With -DWITHOUT_FENCES it is what one writes without thinking of fences, and broken.
 */
#include "orders.h"

#define WRITES 2

static atomic_int sequence, first, second;

static void write_both(int value)
{
	int s = LOAD(write_sequence, relaxed, &sequence);
	STORE(write_begin, relaxed, &sequence, s + 1);
#ifndef WITHOUT_FENCES
	FENCE(write_fence, release);
#endif
	STORE(write_first, relaxed, &first, value);
	STORE(write_second, relaxed, &second, value);
	STORE(write_end, release, &sequence, s + 2);
}

static bool read_both(int *a, int *b)
{
	int s = LOAD(read_begin, acquire, &sequence);
	*a = LOAD(read_first, relaxed, &first);
	*b = LOAD(read_second, relaxed, &second);
#ifndef WITHOUT_FENCES
	FENCE(read_fence, acquire);
#endif
	return LOAD(read_end, relaxed, &sequence) == s && s % 2 == 0;
}

static void *writer(void *unused)
{
	for (int i = 1; i <= WRITES; i++)
		write_both(i);
	return unused;
}

int main(void)
{
	int a, b, c, d;
	pthread_t thread = start(writer, NULL);
	if (read_both(&a, &b)) {
		assert(a == b);
		if (read_both(&c, &d))
			assert(c == d && c >= a);
	}
	finish(thread);
	return 0;
}
