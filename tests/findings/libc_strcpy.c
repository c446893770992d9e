// strcpy() past the end of a block, by the terminator alone.
// executions: sc/rf:1 tso/traces:1 ra/rf:1
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
