// Memory by the page, and the less common ways to allocate.
// executions: sc/rf:1 tso/traces:1 ra/rf:1
// finding: none
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static void pages(void)
{
	char *p = mmap(NULL, 10000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert(p != MAP_FAILED && (uintptr_t)p % 4096 == 0 && p[0] == 0 && p[12287] == 0);
	memset(p, 1, 12288);
	assert(mprotect(p, 4096, PROT_READ | PROT_WRITE) == 0 && p[0] == 1);
	assert(madvise(p + 4096, 4096, MADV_DONTNEED) == 0 && p[4095] == 1 && p[4096] == 0 && p[8192] == 1);
	assert(posix_madvise(p, 4096, POSIX_MADV_WILLNEED) == 0 && madvise(p + 1, 1, MADV_NORMAL) == -1);
	assert(mlock(p, 4096) == 0 && munlock(p, 4096) == 0 && munmap(p, 10000) == 0);
	p = mmap64(NULL, 1, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert(p != MAP_FAILED && p[4095] == 0 && munmap(p, 4096) == 0);
	errno = 0;
	assert(mmap(NULL, 0, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED &&
	       errno == EINVAL);
	assert(munlockall() == 0 && (mlockall(MCL_CURRENT) == 0 || errno == ENOMEM || errno == EPERM) &&
	       munlockall() == 0);
}

static void blocks(void)
{
	void *p;
	assert(posix_memalign(&p, 64, 100) == 0 && (uintptr_t)p % 64 == 0 && posix_memalign(&p, 3, 1) == EINVAL);
	free(p);
	p = memalign(256, 10);
	assert(p && (uintptr_t)p % 256 == 0 && malloc_usable_size(p) >= 10);
	free(p);
	p = aligned_alloc(32, 64);
	assert(p && (uintptr_t)p % 32 == 0);
	free(p);
	p = valloc(1);
	assert(p && (uintptr_t)p % 4096 == 0);
	free(p);
	p = pvalloc(5000);
	assert(p && (uintptr_t)p % 4096 == 0);
	memset(p, 0, 8192);
	free(p);
	int *a = reallocarray(NULL, 4, sizeof(int));
	a[3] = 7;
	a = reallocarray(a, 1000, sizeof(int));
	assert(a[3] == 7 && !reallocarray(a, SIZE_MAX / 2, 4) && errno == ENOMEM);
	a = realloc(a, 16);
	assert(a[3] == 7);
	free(a);
	a = calloc(4, sizeof(int));
	assert(a[0] == 0 && a[3] == 0);
	free(a);
	assert(mallopt(M_MMAP_THRESHOLD, 1 << 20) == 1 && (malloc_trim(0) | 1) == 1 && malloc_usable_size(NULL) == 0);
}

int main(void)
{
	pages();
	blocks();
	return 0;
}
