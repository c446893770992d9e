// strcpy() past the end of a block, by the terminator alone.
// executions: sc/none:1
// finding: out-of-bounds at libc_strcpy.c:11
#include <stdlib.h>
#include <string.h>

int main(void)
{
	char *p = malloc(5);
	strcpy(p, "four");
	strcpy(p, "fiver");
	free(p);
	return 0;
}
