// One of the writes writes what was there before: to read it or the initial value is the same. The first read finds 0 or 1; so does
// the second, which may find 0 after 1, or 1 after 0: 4 classes. In three of them the write of 0 may be what is read.
// executions: sc/none:12 sc/rvf:4
// rvf: sc/none:4
// finding: none
#include "run.h"
#include <stdatomic.h>
static atomic_int x;
static int a, b;
THREAD(writes_zero)
{
	atomic_store(&x, 0);
	return argument;
}
THREAD(writes_one)
{
	atomic_store(&x, 1);
	return argument;
}
THREAD(reads)
{
	a = atomic_load(&x);
	b = atomic_load(&x);
	return argument;
}
int main(void)
{
	RUN(writes_zero, writes_one, reads);
	assert(a <= 1 && b <= 1);
	return 0;
}
