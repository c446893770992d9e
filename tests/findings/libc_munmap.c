// Memory is used after munmap().
// executions: sc/rf:1 tso/traces:1 ra/rf:1
// finding: use-after-free at libc_munmap.c:10
#define _GNU_SOURCE
#include <sys/mman.h>
int main(void)
{
	char *p = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	munmap(p, 4096);
	return p[0];
}
