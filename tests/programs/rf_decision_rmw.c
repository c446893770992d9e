// A reads-from trace that no execution has, although saturation finds no cycle: that a reads 4, b 1, c 3 and d 7, that z was 2
// and y was 5 when they were added to. Say A and B are the additions to z and y. If x=3 comes before x=4, then c before x=4,
// which b is after: y=5, which is before c, was overwritten by y=1, and B, which must be before that, is after x=4. If x=4
// comes first, then a before x=3, and z=7 before A, thus before z=2; so d is before z=2 too, which is before a,
// but d is after B, which is after y=5, which is after x=3.
// executions: sc/none:34650 sc/traces:348 sc/rf:259 sc/rvf:259
// finding: none
#include "run.h"
#include <stdatomic.h>
static atomic_int x, y, z;
static int a, b, c, d, was_y, was_z;
THREAD(one)
{
	atomic_store(&y, 1);
	atomic_store(&z, 2);
	a = atomic_load(&x);
	b = atomic_load(&y);
	return argument;
}
THREAD(two)
{
	atomic_store(&x, 3);
	atomic_store(&y, 5);
	was_z = atomic_fetch_add(&z, 4);
	c = atomic_load(&x);
	return argument;
}
THREAD(three)
{
	atomic_store(&z, 7);
	atomic_store(&x, 4);
	was_y = atomic_fetch_add(&y, 3);
	d = atomic_load(&z);
	return argument;
}
int main(void)
{
	RUN(one, two, three);
	assert(a != 4 || b != 1 || c != 3 || d != 7 || was_z != 2 || was_y != 5);
	return 0;
}
