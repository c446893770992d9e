// everett: --leaks
// executions: sc/none:1
// finding: leak at leak.c:7
#include <stdlib.h>
int main(void)
{
	char *p = malloc(8), *q = malloc(8);
	free(q);
	return p == q;
}
