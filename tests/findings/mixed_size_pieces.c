// The whole is read in pieces, because the other thread has written its halves, and each of them is what it was: the assertion is wrong, not the
// pieces. The two orders in which the mutex is taken.
// everett: -I../programs -k
// executions: sc/none:2 ra/none:2 ra/rf:2
// finding: assertion at mixed_size_pieces.c:25
#include "run.h"
#include <pthread.h>
#include <stdint.h>
static union {
	uint64_t whole;
	uint32_t half[2];
} u;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
THREAD(in_parts)
{
	pthread_mutex_lock(&m);
	u.half[1] = 1;
	u.half[0] = 2;
	pthread_mutex_unlock(&m);
	return argument;
}
THREAD(as_a_whole)
{
	pthread_mutex_lock(&m);
	assert(u.whole != 0x100000002);
	pthread_mutex_unlock(&m);
	return argument;
}
int main(void)
{
	RUN(in_parts, as_a_whole);
	return 0;
}
