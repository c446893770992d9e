// A library function that keeps state which is not in the program's memory: a round that calls it is no wait. The loop finds 1; or
// 0, and then the place in the file is 2.
// everett: -I../programs -k
// executions: sc/none:2 sc/traces:2 tso/traces:2 pso/rf:2 ra/rf:2
// finding: assertion at wait_library_state.c:15
#include "run.h"
#include <fcntl.h>
#include <stdatomic.h>
#include <unistd.h>
static atomic_int flag;
THREAD(reads)
{
	int f = open("/bin/sh", O_RDONLY);
	do
		assert(lseek(f, 1, SEEK_CUR) != 2);
	while (!atomic_load(&flag));
	close(f);
	return argument;
}
THREAD(sets)
{
	atomic_store(&flag, 1);
	return argument;
}
int main(void)
{
	RUN(reads, sets);
	return 0;
}
