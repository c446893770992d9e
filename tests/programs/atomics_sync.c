// Every __sync_* function, at sizes of 1, 2, 4, 8 and 16 bytes: 16 tests for each of 5 types, 2 for each of 2 more that clang
// compares, 84 in all, with two executions each.
// everett: -DTESTS=84 -Wno-atomic-alignment -Wno-sync-fetch-and-nand-semantics-changed -Wno-sync-alignment
// executions: sc/none:168 tso/none:168 ra/none:168
// finding: none
#include "atomic_tests.h"

#define OPERATION(V, NAME, NEW) \
	ATOMIC_TEST(V, V, 12, 5, 9, V, __sync_fetch_and_##NAME(p, v), r = x; x = (V)(NEW)) \
	ATOMIC_TEST(V, V, 12, 5, 9, V, __sync_##NAME##_and_fetch(p, v), x = (V)(NEW); r = x)

#define ALL(V) \
	OPERATION(V, add, x + v) \
	OPERATION(V, sub, x - v) \
	OPERATION(V, or, x | v) \
	OPERATION(V, and, x &v) \
	OPERATION(V, xor, x ^ v) \
	OPERATION(V, nand, ~(x & v)) \
	ATOMIC_TEST(V, V, 1, 2, 3, bool, __sync_bool_compare_and_swap(p, 1, v), r = x == 1; x = x == 1 ? v : x) \
	ATOMIC_TEST(V, V, 1, 2, 3, V, __sync_val_compare_and_swap(p, 1, v), r = x; x = x == 1 ? v : x) \
	ATOMIC_TEST(V, V, 0, 1, 2, V, __sync_lock_test_and_set(p, v), r = x; x = v) \
	ATOMIC_TEST(V, V, 1, 0, 7, V, v ? __sync_swap(p, v) : (__sync_lock_release(p), 0), r = v ? x : 0; x = v)

ALL(uint8_t)
ALL(int16_t)
ALL(uint32_t)
ALL(int64_t)
ALL(unsigned __int128)
ATOMIC_TEST(int, int, -3, 5, -7, int, __sync_fetch_and_max(p, v), r = x; x = x > v ? x : v)
ATOMIC_TEST(int, int, -3, 5, -7, int, __sync_fetch_and_min(p, v), r = x; x = x < v ? x : v)
ATOMIC_TEST(unsigned, unsigned, -3, 5, -7, unsigned, __sync_fetch_and_umax(p, v), r = x; x = x > v ? x : v)
ATOMIC_TEST(unsigned, unsigned, -3, 5, -7, unsigned, __sync_fetch_and_umin(p, v), r = x; x = x < v ? x : v)

int main(void)
{
	__sync_synchronize();
	atomic_tests_run(TESTS);
	return 0;
}
