// executions: sc/none:1
// finding: out-of-bounds at local_memset.c:7
#include <string.h>
int main(void)
{
	int b[8];
	memset(b, 1, 100);
	return 0;
}
