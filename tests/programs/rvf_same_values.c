// Figure 1 of the paper on reads-value-from equivalence: whatever is read, it is 1.
// executions: sc/rvf:1 sc/rf:9 sc/traces:98
// rvf: sc/traces:1
// finding: none
#include "run.h"
#include <stdatomic.h>
static atomic_int x, y;
THREAD(writes)
{
	atomic_store(&x, 1);
	atomic_store(&y, 1);
	return argument;
}
THREAD(reads_x)
{
	atomic_store(&x, 1);
	atomic_store(&y, 1);
	assert(atomic_load(&x) == 1);
	return argument;
}
THREAD(reads_y)
{
	atomic_store(&x, 1);
	atomic_store(&y, 1);
	assert(atomic_load(&y) == 1);
	return argument;
}
int main(void)
{
	RUN(writes, reads_x, reads_y);
	return 0;
}
