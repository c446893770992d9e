// One thread, so that no other can see its accesses: each weak compare-exchange that finds what it expects can fail, the first two
// times that it is to. Three of them: all combinations but the one in which all three fail. The fourth, which expects
// something else, fails anyway, and is no choice. Sixteen bytes are like any other.
// everett: --spurious-cas=2 -Wno-atomic-alignment
// executions: sc/none:7 tso/none:7 ra/none:7
// finding: none
#include <assert.h>
#include <stdatomic.h>
static atomic_char c;
static _Atomic __int128 wide;
static long plain;
int main(void)
{
	char zero = 0, seven = 7;
	__int128 none = 0;
	long nought = 0;
	int failures = !atomic_compare_exchange_weak(&c, &zero, 1);
	assert(zero == 0 && c == !failures);
	int before = failures;
	failures += !__atomic_compare_exchange_n(&plain, &nought, 1, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
	assert(nought == 0 && plain == (before == failures));
	assert(!atomic_compare_exchange_weak(&c, &seven, 9) && seven == c);
	before = failures;
	failures += !atomic_compare_exchange_weak(&wide, &none, 1);
	assert(none == 0 && wide == (before == failures));
	assert(failures <= 2);
	return 0;
}
