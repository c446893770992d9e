// everett: -Wno-free-nonheap-object
// executions: sc/none:1
// finding: invalid-free at free_stack.c:8
#include <stdlib.h>
int main(void)
{
	int local = 0;
	free(&local);
	return local;
}
