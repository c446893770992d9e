// Memory that one thread uses makes no event, wherever it lies: one execution. Each thread has a global of its own, a block
// of the heap, an array on the stack whose address leaves the function, a thread-local variable; main reads the results.
// executions: sc/none:1
// finding: none
#include "run.h"
#include <stdlib.h>
static int own[3];
static _Thread_local int tls = 7;
static void add(int *p, int n)
{
	for (int i = 0; i < n; i++)
		p[i] += i;
}
THREAD(work)
{
	size_t me = (size_t)argument;
	int *block = malloc(4 * sizeof(int)), local[4] = { 0 };
	for (int i = 0; i < 4; i++)
		block[i] = (int)me;
	add(block, 4);
	add(local, 4);
	tls += (int)me;
	own[me] = block[3] + local[3] + tls;
	free(block);
	return argument;
}
int main(void)
{
	RUN(work, work, work);
	for (int i = 0; i < 3; i++)
		assert(own[i] == i + 3 + 3 + 7 + i);
	return 0;
}
