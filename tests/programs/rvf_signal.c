// Figure 6 of the paper on reads-value-from equivalence. There are three classes: x is read as 2, or both reads find 1, and the
// first is a cause of the second or is not. One execution stands for the last two. For rf, x has three sources and y two; but if x
// is 2, y has been read before.
// executions: sc/none:35 sc/rf:5 sc/rvf:2
// rvf: sc/none:3 sc/rvf:2
// finding: none
#include "run.h"
#include <stdatomic.h>
static atomic_int x, y;
static int a, b;
THREAD(left)
{
	atomic_store(&x, 1);
	a = atomic_load(&x);
	atomic_store(&y, 1);
	return argument;
}
THREAD(right)
{
	atomic_store(&x, 1);
	atomic_store(&y, 1);
	b = atomic_load(&y);
	atomic_store(&x, 2);
	return argument;
}
int main(void)
{
	RUN(left, right);
	assert((a == 1 || a == 2) && b == 1);
	return 0;
}
