// Every __atomic_* function that clang and GCC have, at sizes of 1, 2, 4, 8 and 16 bytes: 36 tests for each of 5 types, 2 for each
// of 2 signed ones, 2 for __atomic_test_and_set and __atomic_clear, 8 for float and double: 194, with two executions each.
// everett: -DTESTS=194 -Wno-atomic-alignment
// executions: sc/none:388 ra/none:388
// set: slow
// finding: none
#include "atomic_tests.h"

#define OPERATION(V, NAME, NEW) \
	ATOMIC_TEST(V, V, 12, 5, 9, V, __atomic_fetch_##NAME(p, v, __ATOMIC_SEQ_CST), r = x; x = (V)(NEW)) \
	ATOMIC_TEST(V, V, 12, 5, 9, V, __atomic_##NAME##_fetch(p, v, __ATOMIC_ACQ_REL), x = (V)(NEW); r = x) \
	ATOMIC_TEST(V, V, 12, 5, 9, V, __atomic_fetch_##NAME(p, v, __ATOMIC_RELAXED), r = x; x = (V)(NEW))

#define CAS(V, CALL) \
	ATOMIC_TEST(V, V, 1, 2, 3, V, __extension__({ \
			    V e = 1; \
			    (CALL) ? (V)100 : e; \
		    }), \
		    r = x == 1 ? (V)100 : x; x = x == 1 ? v : x)

#define EXTREMES(V) \
	ATOMIC_TEST(V, V, -3, 5, -7, V, __atomic_fetch_max(p, v, __ATOMIC_ACQUIRE), r = x; x = x > v ? x : v) \
	ATOMIC_TEST(V, V, -3, 5, -7, V, __atomic_fetch_min(p, v, __ATOMIC_RELEASE), r = x; x = x < v ? x : v)

#define ALL(V) \
	ATOMIC_TRANSFER(V, V, __atomic_store_n(p, 5, __ATOMIC_SEQ_CST), __atomic_load_n(p, __ATOMIC_SEQ_CST)) \
	ATOMIC_TRANSFER(V, V, __atomic_store_n(p, 5, __ATOMIC_RELEASE), __atomic_load_n(p, __ATOMIC_ACQUIRE)) \
	ATOMIC_TRANSFER(V, V, __atomic_store_n(p, 5, __ATOMIC_RELAXED), __atomic_load_n(p, __ATOMIC_CONSUME)) \
	ATOMIC_TRANSFER(V, V, __extension__({ \
				V five = 5; \
				__atomic_store(p, &five, __ATOMIC_RELEASE); \
			}), \
			__extension__({ \
				V found; \
				__atomic_load(p, &found, __ATOMIC_RELAXED); \
				found; \
			})) \
	ATOMIC_TEST(V, V, 12, 5, 9, V, __atomic_exchange_n(p, v, __ATOMIC_ACQ_REL), r = x; x = v) \
	ATOMIC_TEST(V, V, 12, 5, 9, V, __extension__({ \
			    V old; \
			    __atomic_exchange(p, &v, &old, __ATOMIC_SEQ_CST); \
			    old; \
		    }), \
		    r = x; x = v) \
	CAS(V, __atomic_compare_exchange_n(p, &e, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) \
	CAS(V, __atomic_compare_exchange_n(p, &e, v, true, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) \
	CAS(V, __atomic_compare_exchange_n(p, &e, v, v == 2, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) \
	CAS(V, __atomic_compare_exchange(p, &e, &v, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) \
	CAS(V, __atomic_compare_exchange(p, &e, &v, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) \
	OPERATION(V, add, x + v) \
	OPERATION(V, sub, x - v) \
	OPERATION(V, and, x &v) \
	OPERATION(V, or, x | v) \
	OPERATION(V, xor, x ^ v) \
	OPERATION(V, nand, ~(x & v)) \
	EXTREMES(V) \
	CHOSEN(V)

/* Orders that are known at run time only. */
static volatile int orders[] = { __ATOMIC_RELAXED, __ATOMIC_CONSUME, __ATOMIC_ACQUIRE, __ATOMIC_RELEASE, __ATOMIC_ACQ_REL,
				 __ATOMIC_SEQ_CST };
#define CHOSEN(V) \
	ATOMIC_TRANSFER(V, V, __atomic_store_n(p, 5, orders[3]), __atomic_load_n(p, orders[1])) \
	ATOMIC_TEST(V, V, 12, 5, 9, V, __atomic_exchange_n(p, v, orders[4]), r = x; x = v) \
	ATOMIC_TEST(V, V, 12, 5, 9, V, __atomic_fetch_add(p, v, orders[0]), r = x; x = (V)(x + v)) \
	ATOMIC_TEST(V, V, 12, 5, 9, V, __atomic_or_fetch(p, v, orders[5]), x = (V)(x | v); r = x) \
	CAS(V, __atomic_compare_exchange_n(p, &e, v, false, orders[4], orders[2]))

ALL(uint8_t)
ALL(uint16_t)
ALL(uint32_t)
ALL(uint64_t)
ALL(unsigned __int128)
EXTREMES(int8_t)
EXTREMES(__int128)

ATOMIC_TEST(bool, bool, 0, 0, 0, bool, __atomic_test_and_set(p, __ATOMIC_ACQUIRE), r = x; x = true)
ATOMIC_TEST(bool, bool, 1, 0, 1, bool,
	    v ? __atomic_test_and_set(p, __ATOMIC_SEQ_CST) : (__atomic_clear(p, __ATOMIC_RELEASE), 0), r = v && x; x = v)

#define FLOATING(V) \
	ATOMIC_TEST(V, V, 12, 0.5, 9, V, __atomic_fetch_add(p, v, __ATOMIC_SEQ_CST), r = x; x = x + v) \
	ATOMIC_TEST(V, V, 12, 0.5, 9, V, __atomic_fetch_sub(p, v, __ATOMIC_RELAXED), r = x; x = x - v) \
	ATOMIC_TEST(V, V, 1, 0.5, 9, V, __atomic_fetch_max(p, v, __ATOMIC_SEQ_CST), r = x; x = x > v ? x : v) \
	ATOMIC_TEST(V, V, 1, 0.5, 9, V, __atomic_fetch_min(p, v, __ATOMIC_RELAXED), r = x; x = x < v ? x : v)
FLOATING(float)
FLOATING(double)

int main(void)
{
	static long l;
	static char odd[3];
	assert(__atomic_is_lock_free(sizeof(l), &l) && __atomic_always_lock_free(sizeof(l), 0));
	assert(!__atomic_is_lock_free(sizeof(odd), odd));
	__atomic_thread_fence(orders[5]);
	__atomic_signal_fence(orders[5]);
	atomic_tests_run(TESTS);
	return 0;
}
