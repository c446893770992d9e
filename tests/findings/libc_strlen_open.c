// A string without its terminator.
// executions: sc/none:1
// finding: out-of-bounds at libc_strlen_open.c:10
#include <stdlib.h>
#include <string.h>
int main(void)
{
	char *p = malloc(4);
	memcpy(p, "open", 4);
	return strlen(p) == 4;
}
