// executions: sc/none:1
// finding: out-of-bounds at local_memcpy.c:7
#include <string.h>
int main(void)
{
	char dst[8];
	memcpy(dst, "overflowing string", 19);
	return 0;
}
