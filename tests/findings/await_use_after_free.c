// A loop that waits on memory which is given back meanwhile. Before that it would read 0, and waits. After it there is nothing to be
// read.
// everett: -I../programs -k
// executions: sc/none:1
// blocked: sc/none:0
// finding: use-after-free at await_use_after_free.c:13
#include "run.h"
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int *flag;
THREAD(waits)
{
	while (!atomic_load(flag))
		;
	return argument;
}
THREAD(frees)
{
	free(flag);
	return argument;
}
int main(void)
{
	flag = malloc(sizeof(*flag));
	*flag = 0;
	RUN(waits, frees);
	return 0;
}
