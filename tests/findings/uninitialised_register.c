// A local that nobody takes the address of, and that is written on one way only: depending on the other thread it is read
// unwritten. The others are fine: written whenever they are read, though the flow does not show it; a value that is not
// returned and not used; and the idiom that says that all is well. The read of `ready` comes before or after the write.
// everett: -k -w -I../programs --no-races
// executions: sc/none:2 sc/traces:2 sc/rf:2 tso/none:2 tso/traces:2 pso/none:2 ra/none:2 ra/rf:2
// finding: uninitialised at uninitialised_register.c:32
#include "run.h"
static int ready;
static int nothing(int x)
{
	if (x)
		return 1;
}
static int known(int x)
{
	int y;
	if (x)
		y = 2;
	return x ? y : 0;
}
static int idiom(void)
{
	int z = z;
	z = 3;
	return z;
}
THREAD(reader)
{
	int result;
	if (ready)
		result = 1;
	return result ? argument : NULL;
}
THREAD(writer)
{
	ready = 1;
	return argument;
}
int main(void)
{
	nothing(0);
	assert(known(0) + known(1) + idiom() == 5);
	RUN(reader, writer);
	return 0;
}
