// A library function that keeps state: a round that calls it is no wait. The loop finds 1; 0 1; or 0 0 and the end of the file.
// everett: -I../programs -k
// executions: sc/none:3 sc/traces:3 tso/traces:3 pso/rf:3 ra/rf:3
// finding: assertion at wait_library_state.c:17
#include "run.h"
#include <stdatomic.h>
#include <stdio.h>
static atomic_int flag;
static char text[] = "ab";
THREAD(reads)
{
	FILE *f = fmemopen(text, 2, "r");
	int c;
	do
		c = fgetc(f);
	while (c != EOF && !atomic_load(&flag));
	assert(c != EOF);
	fclose(f);
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
