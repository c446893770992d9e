// executions: sc/none:1
// finding: use-after-free at use_after_free.c:9
#include <stdlib.h>
int main(void)
{
	int *p = malloc(2 * sizeof(int));
	p[1] = 1;
	free(p);
	return p[1];
}
