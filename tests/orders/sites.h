/*
 * Atomic operations whose memory order can be weakened from the command line.
 *
 * Each operation of an algorithm is a *site* with a name and an order: LOAD(top_load, acquire, &top). With -DWEAKEN_top_load=relaxed the order
 * of this one site is relaxed. A fence that is weakened to relaxed is no fence. A compare-exchange has two sites, one for each of its orders. run.sh
 * finds the sites by their macros, so a site is on one line of source.
 */
#ifndef SITES_H
#define SITES_H

#include <stdatomic.h>

/* WEAKEN_site is a macro, and WEAKER_##(what it expands to) has a comma, or neither is a macro and there is no comma. */
#define WEAKER_relaxed , memory_order_relaxed
#define WEAKER_acquire , memory_order_acquire
#define WEAKER_release , memory_order_release
#define WEAKER_acq_rel , memory_order_acq_rel
#define WEAKER_seq_cst , memory_order_seq_cst
/* Is the site reached at all? If so, the program crashes. */
#define WEAKER_trap , (__builtin_trap(), memory_order_relaxed)
#define JOIN(a, b) a##b
#define WEAKER(order) JOIN(WEAKER_, order)
#define SECOND(a, b, ...) b
#define CHOOSE(...) SECOND(__VA_ARGS__)
#define ORDER(site, order) CHOOSE(WEAKER(WEAKEN_##site), memory_order_##order, )

#define LOAD(site, order, object) atomic_load_explicit(object, ORDER(site, order))
#define STORE(site, order, object, value) atomic_store_explicit(object, value, ORDER(site, order))
#define ADD(site, order, object, value) atomic_fetch_add_explicit(object, value, ORDER(site, order))
#define EXCHANGE(site, order, object, value) atomic_exchange_explicit(object, value, ORDER(site, order))
#define FENCE(site, order) atomic_thread_fence(ORDER(site, order))
/* If *object == *expected it becomes `value`; else *expected becomes what it is. */
#define CAS(site, order, failed, failure_order, object, expected, value) \
	atomic_compare_exchange_strong_explicit(object, expected, value, ORDER(site, order), \
						ORDER(failed, failure_order))

#endif
