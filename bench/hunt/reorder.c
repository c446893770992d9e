/* reorder: N - 1 threads set two variables, one looks whether both are set or neither. */
#include "hunt.h"

#ifndef N
#define N 20
#endif

static atomic_int a, b;

static void body(int number)
{
	if (number < N - 1) {
		a = 1;
		b = -1;
		return;
	}
	int seen_a = a, seen_b = b;
	assert((seen_a == 0 && seen_b == 0) || (seen_a == 1 && seen_b == -1));
}

int main(void)
{
	run(N, body);
	return 0;
}
