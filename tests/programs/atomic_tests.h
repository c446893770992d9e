/*
 * One test for each atomic function: two threads call it once each, on one object, and whatever they return and leave behind
 * must be what comes of the two calls in one order or the other. Main chooses the test, so that their executions add up:
 * each test that is a read-modify-write in each thread has two.
 */
#ifndef ATOMIC_TESTS_H
#define ATOMIC_TESTS_H

#include "run.h"
#include <everett.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct atomic_test {
	void *(*work)(void *);
	void (*begin)(void), (*check)(void);
};

static struct atomic_test atomic_tests[1000];
static unsigned atomic_test_count;

/*
 * T is the object's type, V that of its values. Thread 0 has the operand v = A, thread 1 B. CALL uses p and v; DO says
 * what it does to `x`, of type V, and what it returns in `r`, of type R.
 */
#define ATOMIC_TEST(T, V, INITIAL, A, B, R, CALL, DO) \
	ATOMIC_TEST_NAMED(__COUNTER__, T, V, INITIAL, A, B, R, CALL, DO)
#define ATOMIC_TEST_NAMED(...) ATOMIC_TEST_EXPANDED(__VA_ARGS__)
#define ATOMIC_TEST_EXPANDED(n, T, V, INITIAL, A, B, R, CALL, DO) \
	typedef V value##n; \
	typedef R returned##n; \
	static T object##n; \
	static returned##n result##n[2]; \
	static value##n operand##n(size_t i) \
	{ \
		return i ? (value##n)(B) : (value##n)(A); \
	} \
	static void *work##n(void *argument) \
	{ \
		T *p = &object##n; \
		value##n v = operand##n((size_t)argument); \
		(void)v; \
		result##n[(size_t)argument] = (returned##n)(CALL); \
		return NULL; \
	} \
	static void begin##n(void) \
	{ \
		value##n initial; \
		memset(&initial, 0, sizeof(initial)); \
		initial = (value##n)(INITIAL); \
		__atomic_store((value##n *)&object##n, &initial, __ATOMIC_RELAXED); \
	} \
	static bool as_ordered##n(size_t first) \
	{ \
		value##n x = (value##n)(INITIAL), found; \
		for (size_t k = 0; k < 2; k++) { \
			value##n v = operand##n(k ^ first); \
			returned##n r = (returned##n)0; \
			(void)v; \
			DO; \
			if (result##n[k ^ first] != r) \
				return false; \
		} \
		__atomic_load((value##n *)&object##n, &found, __ATOMIC_RELAXED); \
		return found == x; \
	} \
	static void check##n(void) \
	{ \
		assert(as_ordered##n(0) || as_ordered##n(1)); \
	} \
	__attribute__((constructor)) static void add##n(void) \
	{ \
		atomic_tests[atomic_test_count++] = (struct atomic_test){ work##n, begin##n, check##n }; \
	}

/* One thread stores, the other one loads: two executions. STORE and LOAD use p. */
#define ATOMIC_TRANSFER(T, V, STORE, LOAD) ATOMIC_TRANSFER_NAMED(__COUNTER__, T, V, STORE, LOAD)
#define ATOMIC_TRANSFER_NAMED(...) ATOMIC_TRANSFER_EXPANDED(__VA_ARGS__)
#define ATOMIC_TRANSFER_EXPANDED(n, T, V, STORE, LOAD) \
	static T object##n; \
	static V loaded##n; \
	static void *work##n(void *argument) \
	{ \
		T *p = &object##n; \
		if (argument) \
			loaded##n = (V)(LOAD); \
		else \
			STORE; \
		return NULL; \
	} \
	static void begin##n(void) \
	{ \
		V initial; \
		memset(&initial, 0, sizeof(initial)); \
		initial = (V)3; \
		__atomic_store((V *)&object##n, &initial, __ATOMIC_RELAXED); \
	} \
	static void check##n(void) \
	{ \
		V found; \
		__atomic_load((V *)&object##n, &found, __ATOMIC_RELAXED); \
		assert((loaded##n == (V)3 || loaded##n == (V)5) && found == (V)5); \
	} \
	__attribute__((constructor)) static void add##n(void) \
	{ \
		atomic_tests[atomic_test_count++] = (struct atomic_test){ work##n, begin##n, check##n }; \
	}

/* `expected` is how many tests there are: a list that is compiled away must not go unnoticed. */
static inline void atomic_tests_run(unsigned expected)
{
	assert(atomic_test_count == expected);
	const struct atomic_test *t = &atomic_tests[everett_choose(expected)];
	t->begin();
	RUN(t->work, t->work);
	t->check();
}

#endif
