// Plain accesses of different sizes, by whoever holds the mutex: under RA they are made in pieces, a byte, three bytes and four. The mutex is
// taken in two orders.
// executions: sc/none:2 sc/traces:2 sc/rf:2 tso/traces:2 pso/traces:2 ra/none:2 ra/rf:2
// finding: none
#include "run.h"
#include <pthread.h>
#include <stdint.h>
static union {
	uint64_t whole;
	uint32_t half[2];
	uint8_t byte[8];
} u;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
THREAD(in_parts)
{
	pthread_mutex_lock(&m);
	u.half[1] = 1;
	u.byte[0] = 2;
	pthread_mutex_unlock(&m);
	return argument;
}
THREAD(as_a_whole)
{
	pthread_mutex_lock(&m);
	assert(u.whole == 0 || u.whole == 0x100000002);
	u.whole = 0x500000006;
	pthread_mutex_unlock(&m);
	return argument;
}
int main(void)
{
	RUN(in_parts, as_a_whole);
	assert(u.whole == 0x500000006 || u.whole == 0x100000002);
	return 0;
}
