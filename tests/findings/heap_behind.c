// executions: sc/none:1 tso/none:1 pso/none:1 ra/none:1
// finding: out-of-bounds at heap_behind.c:7
#include <stdlib.h>
int main(void)
{
	char *p = malloc(10);
	p[10] = 1;
	return 0;
}
