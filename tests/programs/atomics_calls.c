// The functions of libatomic, called by their names: 19 tests for each of 5 sizes, 95, with two executions each.
// everett: -DTESTS=95 -w
// executions: sc/none:190 tso/none:190 ra/none:190
// finding: none
#include "atomic_tests.h"

#define DECLARE(V, size, NAME) \
	V __atomic_fetch_##NAME##_##size(volatile void *p, V v, int order); \
	V __atomic_##NAME##_fetch_##size(volatile void *p, V v, int order);

#define OPERATION(V, size, NAME, NEW) \
	DECLARE(V, size, NAME) \
	ATOMIC_TEST(V, V, 12, 5, 9, V, __atomic_fetch_##NAME##_##size(p, v, __ATOMIC_RELAXED), r = x; x = (V)(NEW)) \
	ATOMIC_TEST(V, V, 12, 5, 9, V, __atomic_##NAME##_fetch_##size(p, v, __ATOMIC_SEQ_CST), x = (V)(NEW); r = x)

#define CAS(V, size, SUCCESS, FAILURE) \
	ATOMIC_TEST(V, V, 1, 2, 3, V, __extension__({ \
			    V e = 1; \
			    __atomic_compare_exchange_##size(p, &e, v, SUCCESS, FAILURE) ? (V)100 : e; \
		    }), \
		    r = x == 1 ? (V)100 : x; x = x == 1 ? v : x)

#define ALL(V, size) \
	V __atomic_load_##size(const volatile void *p, int order); \
	void __atomic_store_##size(volatile void *p, V v, int order); \
	V __atomic_exchange_##size(volatile void *p, V v, int order); \
	bool __atomic_compare_exchange_##size(volatile void *p, void *e, V v, int success, int failure); \
	ATOMIC_TRANSFER(V, V, __atomic_store_##size(p, 5, __ATOMIC_SEQ_CST), __atomic_load_##size(p, __ATOMIC_SEQ_CST)) \
	ATOMIC_TRANSFER(V, V, __atomic_store_##size(p, 5, __ATOMIC_RELAXED), __atomic_load_##size(p, __ATOMIC_RELAXED)) \
	ATOMIC_TEST(V, V, 12, 5, 9, V, __atomic_exchange_##size(p, v, __ATOMIC_ACQ_REL), r = x; x = v) \
	ATOMIC_TEST(V, V, 12, 5, 9, V, __atomic_exchange_##size(p, v, __ATOMIC_RELAXED), r = x; x = v) \
	CAS(V, size, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST) \
	CAS(V, size, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE) \
	CAS(V, size, __ATOMIC_RELEASE, __ATOMIC_RELAXED) \
	OPERATION(V, size, add, x + v) \
	OPERATION(V, size, sub, x - v) \
	OPERATION(V, size, and, x &v) \
	OPERATION(V, size, or, x | v) \
	OPERATION(V, size, xor, x ^ v) \
	OPERATION(V, size, nand, ~(x & v))

ALL(uint8_t, 1)
ALL(uint16_t, 2)
ALL(uint32_t, 4)
ALL(uint64_t, 8)
ALL(unsigned __int128, 16)

int main(void)
{
	atomic_tests_run(TESTS);
	return 0;
}
