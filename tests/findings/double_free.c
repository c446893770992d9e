// executions: sc/none:1
// finding: double-free at double_free.c:8
#include <stdlib.h>
int main(void)
{
	char *p = malloc(1);
	free(p);
	free(p);
	return 0;
}
