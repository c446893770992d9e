/*
 * What the programs of this folder share: threads that are given a number, relaxed accesses, and fences by level.
 *
 * Accesses are relaxed, so that TSO and PSO may reorder them. Under SC and RA the order that is declared makes no difference to
 * what can happen. With -DRELEASE_ACQUIRE loads acquire, stores release and updates do both; with -DSEQ_CST everything is sequentially consistent.
 */
#ifndef PAPERS_H
#define PAPERS_H

#include <assert.h>
#include <everett.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#if defined RELEASE_ACQUIRE
#define LOAD_ORDER memory_order_acquire
#define STORE_ORDER memory_order_release
#define UPDATE_ORDER memory_order_acq_rel
#elif defined SEQ_CST
#define LOAD_ORDER memory_order_seq_cst
#define STORE_ORDER memory_order_seq_cst
#define UPDATE_ORDER memory_order_seq_cst
#else
#define LOAD_ORDER memory_order_relaxed
#define STORE_ORDER memory_order_relaxed
#define UPDATE_ORDER memory_order_relaxed
#endif

#define get(x) atomic_load_explicit(&(x), LOAD_ORDER)
#define set(x, value) atomic_store_explicit(&(x), (value), STORE_ORDER)

/* Mutual exclusion, in the programs of paper 000: how often each thread enters, and how often it tries before it ends; 0: for ever. */
#ifndef ROUNDS
#define ROUNDS 1
#endif
#ifndef TRIES
#define TRIES 0
#endif

/* One more try failed; gives how many that are. */
static inline int failed(int tries)
{
	if (tries + 1 == TRIES)
		pthread_exit(NULL);
	return tries + 1;
}

/* Wait for another thread: a spin loop, or, with -DASSUME, only the executions in which there is nothing to wait for. */
#ifdef ASSUME
#define wait_until(condition) everett_assume(condition)
#elif TRIES
#define wait_until(condition) \
	for (int tries = 0; !(condition);) \
	tries = failed(tries)
#else
#define wait_until(condition) \
	while (!(condition)) \
	continue
#endif

/* FENCES: 0 no more than the algorithm has anyway, 1 as many as TSO needs, 2 as many as PSO needs, 3 those of paper 000. */
#ifndef FENCES
#define FENCES 0
#endif

static inline void fence(void)
{
	atomic_thread_fence(memory_order_seq_cst);
}

static inline void fence_tso(void)
{
	if (FENCES == 1 || FENCES == 2)
		fence();
}

static inline void fence_pso(void)
{
	if (FENCES == 2)
		fence();
}

static inline void fence_ra(void)
{
	if (FENCES == 3)
		fence();
}

static inline void start(pthread_t *thread, void *(*body)(void *), int number)
{
	pthread_create(thread, NULL, body, (void *)(intptr_t)number);
}

static inline int number(void *argument)
{
	return (int)(intptr_t)argument;
}

/* Threads 0 to n-1 run a body each, and end. */
static inline void run(int n, void *(*body)(void *))
{
	pthread_t thread[n];
	for (int i = 0; i < n; i++)
		start(&thread[i], body, i);
	for (int i = 0; i < n; i++)
		pthread_join(thread[i], NULL);
}

#endif
