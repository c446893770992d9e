// A loop that waits is entered again and again, and each time waits afresh: the numbers 1, 2, 3 are handed over, each after the
// answer to the one before. There is one order in which that can happen, and nobody who looks too early counts.
// executions: sc/none:1 tso/none:1 pso/none:1 ra/none:1
// blocked: sc/none:0 tso/none:0 pso/none:0 ra/none:0
// finding: none
#include "run.h"
#include <stdatomic.h>
static atomic_int number, answer;
static void wait_for(atomic_int *where, int value)
{
	while (atomic_load_explicit(where, memory_order_acquire) != value)
		;
}
THREAD(hands_over)
{
	for (int i = 1; i <= 3; i++) {
		atomic_store_explicit(&number, i, memory_order_release);
		if (i < 3)
			wait_for(&answer, i);
	}
	return argument;
}
THREAD(answers)
{
	for (int i = 1; i <= 3; i++) {
		wait_for(&number, i);
		if (i < 3)
			atomic_store_explicit(&answer, i, memory_order_release);
	}
	return argument;
}
int main(void)
{
	RUN(hands_over, answers);
	return 0;
}
