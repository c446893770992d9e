/*
 * ck_barrier_centralized: behind the barrier, each thread sees what the others have written before it.
 * WRONG: the barrier is told of one thread less than there are. FENCED: there is a fence in front of it, which it needs where an atomic increment is none.
 */
#include "real.h"

#include <ck_barrier.h>
#include <stdatomic.h>

#define THREADS 2
#ifndef ROUNDS
#define ROUNDS 2
#endif

static ck_barrier_centralized_t barrier = CK_BARRIER_CENTRALIZED_INITIALIZER;
static atomic_int round_of[THREADS];

static void *worker(void *me)
{
	ck_barrier_centralized_state_t state = CK_BARRIER_CENTRALIZED_STATE_INITIALIZER;
	int self = (int)(intptr_t)me;
	for (int i = 1; i <= ROUNDS; i++) {
		atomic_store_explicit(&round_of[self], i, memory_order_relaxed);
#ifdef FENCED
		ck_pr_fence_release();
#endif
		ck_barrier_centralized(&barrier, &state, WRONG ? THREADS - 1 : THREADS);
		assert(atomic_load_explicit(&round_of[!self], memory_order_relaxed) >= i);
	}
	return NULL;
}

int main(void)
{
	pthread_t other = start(worker, (void *)1);
	worker((void *)0);
	finish(other);
	return 0;
}
