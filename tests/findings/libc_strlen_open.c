// A string without its terminator.
// executions: sc/rf:1 tso/traces:1 ra/rf:1
// finding: out-of-bounds at libc_strlen_open.c:10
#include <stdlib.h>
#include <string.h>
int main(void)
{
	char *p = malloc(4);
	memcpy(p, "open", 4);
	return strlen(p) == 4;
}
