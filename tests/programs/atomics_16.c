// Sixteen bytes and structs. In each of two threads a compare-exchange, which may fail, and a load of a struct of 16 bytes:
// 4!/(2!2!) = 6; the two halves always belong together.
// everett: -mcx16 -Wno-atomic-alignment
// executions: sc/none:6
// finding: none
#include "run.h"
#include <stdatomic.h>
struct pair {
	long a, b;
};
struct odd {
	char c[3];
};
struct eight {
	int a, b;
};
static _Atomic struct pair shared;
static _Atomic struct odd odd;
static _Atomic struct eight eight;
static _Atomic unsigned __int128 wide;
THREAD(work)
{
	long me = (long)(size_t)argument + 1;
	struct pair expected = { 0, 0 }, desired = { me, -me };
	atomic_compare_exchange_strong(&shared, &expected, desired);
	struct pair now = atomic_load(&shared);
	assert(now.a == -now.b && now.a);
	return argument;
}
int main(void)
{
	wide = (unsigned __int128)1 << 100;
	assert(atomic_fetch_add(&wide, 5) == (unsigned __int128)1 << 100);
	assert(wide == ((unsigned __int128)1 << 100) + 5);
	unsigned __int128 old = 1;
	assert(!atomic_compare_exchange_strong(&wide, &old, 7) && old == ((unsigned __int128)1 << 100) + 5);
	assert(atomic_exchange(&wide, 9) == old && atomic_fetch_sub(&wide, 2) == 9 && atomic_fetch_or(&wide, 8) == 7);
	assert(wide == 15 && atomic_fetch_and(&wide, 6) == 15 && atomic_fetch_xor(&wide, 7) == 6 && wide == 1);
	struct odd o = { { 1, 2, 3 } };
	odd = o;
	o.c[0] = 9;
	struct odd before = atomic_exchange(&odd, o), now = odd;
	assert(before.c[0] == 1 && before.c[2] == 3 && now.c[0] == 9 && now.c[1] == 2);
	atomic_init(&eight, ((struct eight){ 3, 4 }));
	struct eight e = eight;
	assert(e.a == 3 && e.b == 4);
	e.a = 5;
	eight = e;
	struct eight wrong = { 0, 0 };
	assert(!atomic_compare_exchange_strong(&eight, &wrong, e) && wrong.a == 5);
	RUN(work, work);
	return 0;
}
