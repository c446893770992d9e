// executions: sc/none:1
// finding: uninitialised at uninitialised_heap.c:8
#include <stdlib.h>
int main(void)
{
	int *p = malloc(2 * sizeof(int));
	p[0] = 1;
	return p[1];
}
