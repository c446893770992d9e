// printf() of a string that was freed.
// executions: sc/rf:1 tso/traces:1 ra/rf:1
// finding: use-after-free at libc_printf_freed.c:13
// output: before: text
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void)
{
	char *p = strdup("text");
	printf("before: %s\n", p);
	free(p);
	printf("after: %s\n", p);
	return 0;
}
