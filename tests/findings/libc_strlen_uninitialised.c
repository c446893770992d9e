// The length of a string that was never written.
// executions: sc/rf:1 tso/traces:1 ra/rf:1
// finding: uninitialised at libc_strlen_uninitialised.c:9
#include <stdlib.h>
#include <string.h>
int main(void)
{
	char *p = malloc(4);
	return strlen(p) == 4;
}
