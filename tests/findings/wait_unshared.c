// The loop alone reads `data`, in rounds that are left out, but for one choice of 500: then somebody writes there, and `flag` afterwards.
// That the loop reads it must not be forgotten. Whatever is chosen, the loop may find `flag` 1; that one time also `flag` 0 and `data` 1.
// everett: -I../programs -k
// executions: sc/traces:501 sc/rf:501 tso/traces:501 tso/rf:501 pso/traces:501 ra/rf:501
// finding: assertion at wait_unshared.c:13
#include "run.h"
#include <everett.h>
#include <stdatomic.h>
static atomic_int flag, data;
THREAD(waits)
{
	while (!atomic_load(&flag))
		assert(!atomic_load(&data));
	return argument;
}
THREAD(writes)
{
	if (everett_choose(500) == 499)
		atomic_store(&data, 1);
	atomic_store(&flag, 1);
	return argument;
}
int main(void)
{
	RUN(waits, writes);
	return 0;
}
