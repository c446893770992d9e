// A relaxed exchange of 24 bytes continues the release sequence of the store that it follows, as any read-modify-write does. Three
// sections of one lock come in 6 orders.
// everett: --races -Wno-atomic-alignment
// executions: sc/rf:6 sc/traces:6 ra/rf:6
// finding: none
#include "run.h"
#include <stdatomic.h>
struct three {
	long a, b, c;
};
static _Atomic struct three shared;
static int data;
THREAD(writer)
{
	struct three new = { 1, 2, 3 };
	data = 1;
	atomic_store_explicit(&shared, new, memory_order_release);
	return argument;
}
THREAD(between)
{
	struct three expected = { 1, 2, 3 }, new = { 4, 5, 6 };
	atomic_compare_exchange_strong_explicit(&shared, &expected, new, memory_order_relaxed, memory_order_relaxed);
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
	RUN(writer, between, reader);
	return 0;
}
