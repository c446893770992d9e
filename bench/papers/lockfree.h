/*
 * What the lock-free programs of paper 000 share: accesses that acquire and release, so that a race in what they protect is found,
 * and loops that go round at most -DLB=... times, as there. With -DAS_MEASURED some do what the program did that the paper measured,
 * slips included, and not what the algorithm means; each says what that is.
 */
#ifndef LOCKFREE_H
#define LOCKFREE_H

#include "papers.h"
#include <stdbool.h>

#define load(x) atomic_load_explicit(&(x), memory_order_acquire)
#define store(x, value) atomic_store_explicit(&(x), (value), memory_order_release)

/*
 * In a loop: is this the end of its LB-th round? Then its thread gives up, which ends an execution like any other, so that it
 * counts among the complete ones, as in the paper.
 */
#ifndef LB
#define LB 3
#endif
#define give_up(rounds) (++(rounds) == LB)

#ifdef AS_MEASURED
#define as_measured true
#else
#define as_measured false
#endif

#endif
