/* A message is published by a relaxed store, several times: under PSO the flag may overtake the message. */
#include "hunt.h"

static atomic_int message, flag, seen;

static void body(int number)
{
	for (int i = 1; i <= 8; i++) {
		if (number == 0) {
			atomic_store_explicit(&message, i, memory_order_relaxed);
			atomic_store_explicit(&flag, i, memory_order_relaxed);
		} else {
			int f = atomic_load_explicit(&flag, memory_order_relaxed);
			assert(atomic_load_explicit(&message, memory_order_relaxed) >= f);
			seen++;
		}
	}
}

int main(void)
{
	run(3, body);
	return 0;
}
