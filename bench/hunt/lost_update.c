/* Four threads that add to a counter a hundred times each, by a load and a store. */
#include "hunt.h"

static atomic_int counter;

static void body(int number)
{
	(void)number;
	for (int i = 0; i < 100; i++) {
		int c = counter;
		counter = c + 1;
	}
}

int main(void)
{
	run(4, body);
	assert(counter == 400);
	return 0;
}
