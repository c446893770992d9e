// executions: sc/none:1
// finding: out-of-bounds at heap_before.c:8
#include <stdlib.h>
int main(void)
{
	char *first = malloc(8), *p = malloc(8);
	first[0] = 1;
	return p[-1];
}
