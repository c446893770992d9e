// everett: --leaks
// executions: sc/none:1 tso/none:1 pso/none:1 ra/none:1
// finding: leak at leak.c:7
#include <stdlib.h>
int main(void)
{
	char *p = malloc(8), *q = malloc(8);
	free(q);
	return p == q;
}
