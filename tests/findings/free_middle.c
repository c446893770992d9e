// executions: sc/none:1
// finding: invalid-free at free_middle.c:7
#include <stdlib.h>
int main(void)
{
	char *p = malloc(8);
	free(p + 4);
	return 0;
}
