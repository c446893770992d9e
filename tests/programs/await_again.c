// A loop that waits is entered again and again, and each time waits afresh: the numbers 1, 2, 3 are handed over, each after the
// answer to the one before. Only the execution in which nobody looks too early is complete.
// Under SC, on its way (w1 r1 a1 s1 w2 r2 a2 s2 w3 r3, s the reads of the answers) there is always one thread that may look too early
// and stop, after which the other goes on alone, until it stops: 9, one before each event but the last.
// Under TSO and PSO, between a write w and its update u, the reader may look too early (2: the writer then looks for the answer before or
// after u), or the writer (3: the reader before u; behind it, and looks for the next before or after the update of its answer);
// between u and the read, the writer (2, the same). 7 for w1, a1 and w2; 6 for a2 and w3, behind which one read is missing: the
// writer's stop after a2's reader came too early is 1 and not 2, and w3 has 1 alone; 2 + 2 + 1 + 1.
// Under RA, where a write is there at once: the writer first, then the reader reads the old (1) or the new (1), or the reader the old
// (1): 3 for w1, a1, w2, a2; 1 for w3.
// executions: sc/none:1 tso/none:1 pso/none:1 ra/none:1
// blocked: sc/none:9 tso/none:27 pso/none:27 ra/none:13
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
