/*
 * What the programs of paper 002 share. Each access to shared memory has a line of its own, by which a cycle calls it: get, set and
 * cas are macros for that. They are relaxed, so that they are no fences.
 *
 * The programs with a data structure are harnesses: THREADS threads with STEPS operations each. What these returned must be
 * possible if operations are atomic, one after the other in some order that keeps each thread's. Results travel through pthread_join,
 * and main looks for the order in variables of its own, so that the only accesses to shared memory are those of the data structure.
 */
#ifndef PREDICT_H
#define PREDICT_H

#include "../papers.h"
#include <stdbool.h>

#define cas(x, old, new) \
	atomic_compare_exchange_strong_explicit(&(x), &(old), (new), memory_order_relaxed, memory_order_relaxed)

/* With -DFENCES, in front of a store or cas that makes a node reachable: what was stored before reaches memory before it. */
static inline void publish(void)
{
	if (FENCES)
		atomic_thread_fence(memory_order_release);
}

#ifdef THREADS

/* A result or a value has BITS bits; NOTHING is "empty" or "no", POISON is in nodes before they are initialised. */
#define BITS 4
#define NOTHING 0
#define POISON 15
#define IMPOSSIBLE UINT64_MAX

/* Given by each program: a thread's operation, and what it makes of a state if it is atomic; IMPOSSIBLE if it has another result. */
static unsigned operate(int thread, int step);
static uint64_t after(uint64_t state, int thread, int step, unsigned result);

/* done has the number of operations that each thread has behind it, BITS bits each; results has STEPS for each thread. */
static bool possible(uint64_t state, unsigned done, uint64_t results)
{
	bool end = true;
	for (int thread = 0; thread < THREADS; thread++) {
		int step = done >> BITS * thread & 15;
		if (step == STEPS)
			continue;
		end = false;
		uint64_t next = after(state, thread, step, results >> BITS * (thread * STEPS + step) & 15);
		if (next != IMPOSSIBLE && possible(next, done + (1U << BITS * thread), results))
			return true;
	}
	return end;
}

static void *body(void *argument)
{
	uint64_t results = 0;
	for (int step = 0; step < STEPS; step++)
		results |= (uint64_t)operate(number(argument), step) << BITS * step;
	return (void *)(uintptr_t)results;
}

/* All threads, from a state that main has made. */
static void harness(uint64_t state)
{
	pthread_t thread[THREADS];
	uint64_t results = 0;
	for (int i = 0; i < THREADS; i++)
		start(&thread[i], body, i);
	for (int i = 0; i < THREADS; i++) {
		void *result;
		pthread_join(thread[i], &result);
		results |= (uint64_t)(uintptr_t)result << BITS * STEPS * i;
	}
	assert(possible(state, 0, results));
}

/* States of queues and deques: the values from left to right, the rightmost one in the lowest bits. */
static inline uint64_t pushed_right(uint64_t state, unsigned value)
{
	return state << BITS | value;
}

static inline uint64_t pushed_left(uint64_t state, unsigned value)
{
	return state ? pushed_left(state >> BITS, value) << BITS | (state & 15) : value;
}

static inline uint64_t popped_right(uint64_t state, unsigned result)
{
	return (state & 15) == result ? state >> BITS : IMPOSSIBLE;
}

static inline uint64_t popped_left(uint64_t state, unsigned result)
{
	if (state >> BITS == 0)
		return state == result ? 0 : IMPOSSIBLE;
	uint64_t rest = popped_left(state >> BITS, result);
	return rest == IMPOSSIBLE ? IMPOSSIBLE : rest << BITS | (state & 15);
}

#endif

#endif
