// A plain access to sixteen bytes is two: each half that is read can be the old or the new one. 4 ways to read; 4!/(2!2!) orders.
// everett: --keep-going --no-races
// executions: sc/none:6 sc/rf:4 tso/none:6 ra/rf:4
// finding: assertion at int128_torn.c:16
#include "../programs/run.h"
static __int128 shared;
THREAD(writer)
{
	shared = ((__int128)2 << 64) | 2;
	return argument;
}
THREAD(reader)
{
	__int128 found = shared;
	/* Not so if it were atomic: see programs/atomics_16.c. */
	assert((long)found == (long)(found >> 64));
	return argument;
}
int main(void)
{
	RUN(writer, reader);
	return 0;
}
