/* Dekker's entry protocol, several rounds: under TSO both may pass, because each one's store waits in its buffer. */
#include "hunt.h"

static atomic_int wants[2], inside, rounds;

static void body(int number)
{
	for (int i = 0; i < 8; i++) {
		atomic_store_explicit(&wants[number], 1, memory_order_release);
		if (!atomic_load_explicit(&wants[!number], memory_order_acquire)) {
			assert(!atomic_exchange(&inside, 1));
			atomic_store_explicit(&inside, 0, memory_order_release);
		}
		atomic_store_explicit(&wants[number], 0, memory_order_release);
		rounds++;
	}
}

int main(void)
{
	run(2, body);
	return 0;
}
