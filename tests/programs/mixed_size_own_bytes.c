// Stores of which another thread touches one byte, and then loads of the rest: of a member that lies across two words, of memory that
// is filled, and of memory that is copied. The thread finds what it stored, whether that is in memory yet or not. 9!/(6! 3!) orders; with a
// buffer 9!/(3! 3! 3!). The traces are the orders of the two stores to each of the three bytes.
// executions: sc/none:84 tso/none:1680 sc/traces:8 tso/traces:8 pso/traces:8 sc/rf:1
// finding: none
#include "run.h"
#include <string.h>
static struct __attribute__((packed, aligned(8))) {
	char before[6];
	volatile unsigned value;
	char behind[6];
} across;
static _Alignas(8) char filled[8], copied[8];
static const char from[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };
THREAD(stores)
{
	across.value = 0x04030201;
	memset(filled, 7, sizeof(filled));
	memcpy(copied, from, sizeof(copied));
	assert(((volatile char *)&across)[9] == 4);
	assert(*(volatile short *)&filled[4] == 0x0707);
	assert(*(volatile char *)&copied[5] == 6);
	return argument;
}
THREAD(bytes)
{
	((volatile char *)&across)[6] = 9;
	*(volatile char *)&filled[0] = 9;
	*(volatile char *)&copied[7] = 9;
	return argument;
}
int main(void)
{
	RUN(stores, bytes);
	return 0;
}
