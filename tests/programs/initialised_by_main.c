// What main writes before it creates the threads is ordered before them, and they only read: one execution.
// executions: sc/none:1
// finding: none
#include "run.h"
#include <stdlib.h>
static int table[8], *block;
THREAD(reader)
{
	int sum = 0;
	for (int i = 0; i < 8; i++)
		sum += table[i] + block[i];
	assert(sum == 28 + 28);
	return argument;
}
int main(void)
{
	block = malloc(8 * sizeof(int));
	for (int i = 0; i < 8; i++)
		table[i] = block[i] = i;
	RUN(reader, reader, reader);
	table[0] = 5; /* after the joins: ordered too */
	free(block);
	return 0;
}
