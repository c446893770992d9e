// In C11, a later store of the thread that has released the flag continues the release sequence: whoever reads it knows the data, too.
// The flag is read as 0, 1 or 2. In all orders: before the data is written or after that 2, as 1 2 (the data is read before or after
// the second store), as 2 1.
// everett: -I. --release-sequences=c11 --races -k
// executions: sc/none:5 sc/rf:3 tso/traces:3 pso/traces:3 tso/rf:3 pso/rf:3 ra/rf:3 rc11/rf:3
// finding: none
#include "run.h"
#include <stdatomic.h>
static int data;
static atomic_int flag;
THREAD(writer)
{
	data = 1;
	atomic_store_explicit(&flag, 1, memory_order_release);
	atomic_store_explicit(&flag, 2, memory_order_relaxed);
	return argument;
}
THREAD(reader)
{
	if (atomic_load_explicit(&flag, memory_order_acquire))
		assert(data == 1);
	return argument;
}
int main(void)
{
	RUN(writer, reader);
	return 0;
}
