// A file is used after it was closed.
// executions: sc/rf:1 tso/traces:1 ra/rf:1
// finding: use-after-free at libc_file_closed.c:9
#include <stdio.h>
int main(void)
{
	FILE *f = fopen("/dev/null", "r");
	fclose(f);
	return fgetc(f) == 'x';
}
