// The flag is written plainly first and then released; who acquires it knows of both writes, and by that access already: no race.
// The reader looks at the flag only if it has seen that both have been made. Its first load finds 0, or 1 and then the flag is 2:
// two executions.
// everett: -I. --races -k
// executions: sc/rf:2 sc/traces:2 tso/traces:2 tso/rf:2 ra/rf:2
// finding: none
#include "run.h"
#include <stdatomic.h>
static int flag;
static atomic_int done;
THREAD(writer)
{
	flag = 1;
	__atomic_store_n(&flag, 2, __ATOMIC_RELEASE);
	atomic_store_explicit(&done, 1, memory_order_relaxed);
	return argument;
}
THREAD(reader)
{
	if (atomic_load_explicit(&done, memory_order_relaxed))
		assert(__atomic_load_n(&flag, __ATOMIC_ACQUIRE) == 2);
	return argument;
}
int main(void)
{
	RUN(writer, reader);
	return 0;
}
