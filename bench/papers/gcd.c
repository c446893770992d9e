/*
 * The greatest common divisor of A and B by two threads, each of which subtracts the other's number from its own while its own is larger.
 * A thread compares, and subtracts under a mutex after it has compared again; it does so N times, whether or not it is done by then.
 */
#include "papers.h"

#ifndef N
#define N 3
#endif
#ifndef A
#define A 17
#endif
#ifndef B
#define B 7
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int x[2] = { A, B };

/* Both numbers are read in their order, whoever asks. */
static int equal(void)
{
	int a = get(x[0]), b = get(x[1]);
	return a == b;
}

static int larger(int self)
{
	int a = get(x[0]), b = get(x[1]);
	return self == 0 ? a > b : b > a;
}

static int difference(int self)
{
	int a = get(x[0]), b = get(x[1]);
	return self == 0 ? a - b : b - a;
}

static void *body(void *argument)
{
	int self = number(argument);
	for (int i = 0; i < N; i++) {
		if (equal())
			continue;
		pthread_mutex_lock(&mutex);
		if (larger(self))
			set(x[self], difference(self));
		pthread_mutex_unlock(&mutex);
		int a = get(x[0]), b = get(x[1]);
		assert(a > 0 && b > 0);
	}
	return NULL;
}

int main(void)
{
	run(2, body);
	return 0;
}
