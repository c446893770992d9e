// Figure 3 of the paper on reads-value-from equivalence: x is read as 1 from either write; y as 1, or as 2 if the first read is one of
// the causes.
// executions: sc/none:20 sc/rf:4 sc/rvf:2
// rvf: sc/none:2
// finding: none
#include "run.h"
#include <stdatomic.h>
static atomic_int x, y;
static int a, b;
THREAD(left)
{
	atomic_store(&x, 1);
	a = atomic_load(&x);
	atomic_store(&y, 2);
	return argument;
}
THREAD(right)
{
	atomic_store(&y, 1);
	atomic_store(&x, 1);
	b = atomic_load(&y);
	return argument;
}
int main(void)
{
	RUN(left, right);
	assert(a == 1 && (b == 1 || b == 2));
	return 0;
}
