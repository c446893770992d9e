// A compare-exchange that fails reads with its failure order. Relaxed, it does not make what was released before visible. It finds
// 0 or 1: two executions.
// everett: --keep-going --races
// executions: sc/rf:2 sc/traces:2 tso/traces:2 ra/none:2 ra/rf:2
// finding: race at race_failure_order.c:23
#include "../programs/run.h"
#include <stdatomic.h>
#ifndef FAILURE
#define FAILURE memory_order_relaxed
#endif
static atomic_int flag;
static int data;
THREAD(writer)
{
	data = 1;
	atomic_store_explicit(&flag, 1, memory_order_release);
	return argument;
}
THREAD(reader)
{
	int zero = 0;
	if (!atomic_compare_exchange_strong_explicit(&flag, &zero, 2, memory_order_acq_rel, FAILURE))
		assert(data == 1);
	return argument;
}
int main(void)
{
	RUN(writer, reader);
	return 0;
}
