// What is published by a relaxed store of 24 bytes is not ordered before: the lock that makes it atomic is not the program's. Nor
// does it help that the order is known at run time only. The store comes before the load or after it.
// everett: --keep-going --races -Wno-atomic-alignment
// executions: sc/rf:2 sc/traces:2 ra/none:2 ra/rf:2
// finding: race at race_large_relaxed.c:28
#include "../programs/run.h"
#include <stdatomic.h>
#ifndef STORE
#define STORE memory_order_relaxed
#endif
struct three {
	long a, b, c;
};
static _Atomic struct three shared;
static volatile int store_order = STORE;
static int data;
THREAD(writer)
{
	struct three new = { 1, 2, 3 };
	data = 1;
	atomic_store_explicit(&shared, new, store_order);
	return argument;
}
THREAD(reader)
{
	struct three found = atomic_load_explicit(&shared, memory_order_acquire);
	if (found.a)
		assert(data == 1);
	return argument;
}
int main(void)
{
	RUN(writer, reader);
	return 0;
}
