// The last bytes of a wide access are outside.
// executions: sc/none:1
// finding: out-of-bounds at heap_half.c:8
#include <stdlib.h>
int main(void)
{
	long *p = malloc(12);
	p[1] = 1;
	return 0;
}
