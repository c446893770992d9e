// Under RA the sizes of accesses are learned as the search goes, and it starts again. The self-check does not judge an execution whose writes have no order yet.
// everett: -k --races -I../programs
// executions: ra/rf:10
// finding: race at race_mixed_again.c:20, race at race_mixed_again.c:26, race at race_mixed_again.c:27
#include "run.h"
#include <stdint.h>
static int x;
static _Alignas(8) uint8_t bytes[8];
static void *adds(void *argument)
{
	__atomic_fetch_add(&x, 1, __ATOMIC_RELAXED);
	x = 1;
	return argument;
}
THREAD(stores)
{
	pthread_t t;
	pthread_create(&t, NULL, adds, NULL);
	__atomic_store_n((uint16_t *)&bytes[1], 2, __ATOMIC_RELAXED);
	__atomic_store_n(&x, 1, __ATOMIC_RELAXED);
	return argument;
}
THREAD(reads)
{
	int expected = 1;
	__atomic_compare_exchange_n(&x, &expected, 1, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
	return expected ? argument : (void *)(uintptr_t)*(volatile uint32_t *)&bytes[0];
}
int main(void)
{
	RUN(stores, reads);
	return 0;
}
