// Example 5.2 of the paper on reads-from equivalence: figure 5, and the same with 3 and 4 changing places. That all threads
// read what the first ones wait for, and the assertion denies, is impossible, but the rules of saturation do not find that out. If x=3
// came before x=4, then z=1 before z=6 and y=2 before y=5, so that each of the threads that wait for 4 would have to load
// before the other one stores. If x=4 came first, the same would be true of those that wait for 3.
// executions: sc/traces:1844 sc/rf:667
// rf: sc/traces:667 sc/rf:667
// finding: none
#include "run.h"
#include <stdatomic.h>
static atomic_int u, v, x, y, z;
static int a, b, c, d;
THREAD(three)
{
	if (atomic_load(&z) == 1 && atomic_load(&y) == 2)
		atomic_store(&x, 3);
	return argument;
}
THREAD(four)
{
	if (atomic_load(&v) == 1 && atomic_load(&u) == 2)
		atomic_store(&x, 4);
	return argument;
}
THREAD(after_four)
{
	if (atomic_load(&x) == 4) {
		atomic_store(&y, 5);
		a = atomic_load(&z);
	}
	return argument;
}
THREAD(also_after_four)
{
	if (atomic_load(&x) == 4) {
		atomic_store(&z, 6);
		b = atomic_load(&y);
	}
	return argument;
}
THREAD(after_three)
{
	if (atomic_load(&x) == 3) {
		atomic_store(&u, 5);
		c = atomic_load(&v);
	}
	return argument;
}
THREAD(also_after_three)
{
	if (atomic_load(&x) == 3) {
		atomic_store(&v, 6);
		d = atomic_load(&u);
	}
	return argument;
}
THREAD(store_z)
{
	atomic_store(&z, 1);
	return argument;
}
THREAD(store_y)
{
	atomic_store(&y, 2);
	return argument;
}
THREAD(store_v)
{
	atomic_store(&v, 1);
	return argument;
}
THREAD(store_u)
{
	atomic_store(&u, 2);
	return argument;
}
int main(void)
{
	RUN(three, four, after_four, also_after_four, after_three, also_after_three, store_z, store_y, store_v, store_u);
	assert(a != 1 || b != 2 || c != 1 || d != 2);
	return 0;
}
