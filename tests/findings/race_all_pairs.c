// The write comes after both reads in every execution, and is in a race with each of them: with -k both are told, not only the
// newer one. The flag is seen or not: two executions.
// everett: -I../programs --races -k
// executions: sc/rf:2 sc/traces:2 tso/traces:2 tso/rf:2 ra/rf:2
// finding: race at race_all_pairs.c:18, race at race_all_pairs.c:19
#include "run.h"
#include <stdatomic.h>
static int data;
static atomic_int done;
THREAD(writer)
{
	if (atomic_load_explicit(&done, memory_order_relaxed))
		data = 1;
	return argument;
}
THREAD(reader)
{
	int sum = data;
	sum += data;
	atomic_store_explicit(&done, 1, memory_order_relaxed);
	return argument;
}
int main(void)
{
	RUN(writer, reader);
	return 0;
}
