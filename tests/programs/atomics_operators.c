// Operators on _Atomic objects. 29 of them are one read-modify-write: two executions each. The compiler makes a load and a loop
// around a compare-exchange of the other 24: whoever is first loads the old value; the other one loads that, too, and tries
// twice, or the new one. Four classes each, of which those with two loads of the old value come in two orders: 6.
// everett: -Wno-atomic-alignment
// executions: sc/none:202 tso/none:202 sc/rf:154 tso/traces:154 ra/rf:154
// finding: none
#include "atomic_tests.h"

#define INTEGER(V) \
	ATOMIC_TEST(_Atomic V, V, 12, 0, 0, V, (*p)++, r = x++) \
	ATOMIC_TEST(_Atomic V, V, 12, 0, 0, V, ++*p, r = ++x) \
	ATOMIC_TEST(_Atomic V, V, 12, 0, 0, V, (*p)--, r = x--) \
	ATOMIC_TEST(_Atomic V, V, 12, 0, 0, V, --*p, r = --x) \
	ATOMIC_TEST(_Atomic V, V, 12, 5, 9, V, *p += v, x = (V)(x + v); r = x) \
	ATOMIC_TEST(_Atomic V, V, 12, 5, 9, V, *p -= v, x = (V)(x - v); r = x) \
	ATOMIC_TEST(_Atomic V, V, 12, 5, 9, V, *p &= v, x &= v; r = x) \
	ATOMIC_TEST(_Atomic V, V, 12, 5, 9, V, *p |= v, x |= v; r = x) \
	ATOMIC_TEST(_Atomic V, V, 12, 5, 9, V, *p ^= v, x ^= v; r = x) \
	ATOMIC_TEST(_Atomic V, V, 12, 5, 9, V, *p *= v, x = (V)(x * v); r = x) \
	ATOMIC_TEST(_Atomic V, V, 12, 5, 9, V, *p /= v, x = (V)(x / v); r = x) \
	ATOMIC_TEST(_Atomic V, V, 12, 5, 9, V, *p %= v, x = (V)(x % v); r = x) \
	ATOMIC_TEST(_Atomic V, V, 12, 1, 2, V, *p <<= v, x = (V)(x << v); r = x) \
	ATOMIC_TEST(_Atomic V, V, 12, 1, 2, V, *p >>= v, x = (V)(x >> v); r = x)

INTEGER(int8_t)
INTEGER(uint32_t)
INTEGER(int64_t)

enum colour { RED, GREEN, BLUE };
static int array[9];
ATOMIC_TEST(_Atomic enum colour, enum colour, RED, 0, 0, enum colour, (*p)++, r = x++)
ATOMIC_TEST(_Atomic bool, bool, 0, 0, 0, bool, (*p)++, r = x; x = true)
ATOMIC_TEST(_Atomic bool, bool, 0, 1, 1, bool, *p |= v, x |= v; r = x)
ATOMIC_TEST(_Atomic bool, bool, 0, 1, 1, bool, *p ^= v, x ^= v; r = x)
ATOMIC_TEST(_Atomic float, float, 1.5, 2.5, 3, float, *p += v, x += v; r = x)
ATOMIC_TEST(_Atomic float, float, 1.5, 2.5, 3, float, *p *= v, x *= v; r = x)
ATOMIC_TEST(_Atomic double, double, 1.5, 2.5, 3, double, *p -= v, x -= v; r = x)
ATOMIC_TEST(_Atomic double, double, 1.5, 2.5, 3, double, *p /= v, x /= v; r = x)
ATOMIC_TEST(_Atomic long double, long double, 1.5, 2.5, 3, long double, *p += v, x += v; r = x)
/* Not p++: clang returns what was loaded at first, even if the compare-exchange then failed. */
ATOMIC_TEST(_Atomic(int *), int *, array, 0, 0, int *, ++*p, r = ++x)
ATOMIC_TEST(_Atomic(int *), int *, array + 4, 0, 0, int *, --*p, r = --x)

int main(void)
{
	atomic_tests_run(29 + 24);
	return 0;
}
