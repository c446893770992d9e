// What mmap() gave is not free()'s.
// executions: sc/rf:1 tso/traces:1 ra/rf:1
// finding: invalid-free at libc_free_mapped.c:10
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/mman.h>
int main(void)
{
	char *p = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	free(p);
	return 0;
}
