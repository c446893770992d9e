/* Threads that should run one after the other, and do not wait for each other. */
#include "hunt.h"

#define N 5

static atomic_int value[N + 1] = { 1 };

static void body(int number)
{
	value[number + 1] = value[number] + 1;
}

int main(void)
{
	run(N, body);
	/* If none has gone before the one that it depends on, or only the first. */
	assert(value[N] != 3);
	return 0;
}
