/*
 * Memory from mmap(): zeros, from the heap of the thread that maps them, and valid until munmap(). Only what is not backed
 * by a file, and only in whole: who maps memory in order to allocate it finds all that is needed here.
 */
#include "runtime/hooks.h"
#include "runtime/libc/libc.h"
#include "runtime/libc/wrappers.h"
#include "runtime/memory/layout.h"

#include <errno.h>
#include <sys/mman.h>

static size_t whole_pages(size_t size)
{
	return (size + EVR_PAGE - 1) & ~(EVR_PAGE - 1);
}

static void *map(size_t size, int protection, int flags, int fd, const struct evr_site *site)
{
	if (!(flags & MAP_ANONYMOUS))
		evr_unsupported(site, "mmap of a file (descriptor %d) is not supported", fd);
	if (flags & (MAP_FIXED | MAP_FIXED_NOREPLACE | MAP_GROWSDOWN))
		evr_unsupported(site, "mmap at an address that the program chooses is not supported");
	if ((protection & (PROT_READ | PROT_WRITE)) != (PROT_READ | PROT_WRITE))
		evr_unsupported(site, "mmap of memory that is not readable and writable is not supported");
	if (!size || size > SIZE_MAX - EVR_PAGE) {
		errno = size ? ENOMEM : EINVAL;
		return MAP_FAILED;
	}
	void *p = evr_heap_map(whole_pages(size), site);
	return p ? p : MAP_FAILED;
}

void *evr_libc_mmap(void *address, size_t size, int protection, int flags, int fd, off_t offset)
{
	(void)address, (void)offset;
	return map(size, protection, flags, fd, evr_call_site);
}

void *evr_libc_mmap64(void *address, size_t size, int protection, int flags, int fd, off64_t offset)
{
	(void)address, (void)offset;
	return map(size, protection, flags, fd, evr_call_site);
}

int evr_libc_munmap(void *address, size_t size)
{
	const struct evr_site *site = evr_call_site;
	if (!size || (uintptr_t)address % EVR_PAGE) {
		errno = EINVAL;
		return -1;
	}
	if (!evr_heap_unmap(address, whole_pages(size), site))
		evr_unsupported(site, "munmap of a part of a mapping is not supported");
	return 0;
}

int evr_libc_mprotect(void *address, size_t size, int protection)
{
	(void)address, (void)size;
	if ((protection & (PROT_READ | PROT_WRITE)) != (PROT_READ | PROT_WRITE))
		evr_unsupported(evr_call_site, "mprotect that removes permissions is not supported");
	return 0;
}

/* Advice changes nothing, except that memory which is not needed is zeros when it is used again. */
int evr_libc_madvise(void *address, size_t size, int advice)
{
	const struct evr_site *site = evr_call_site;
	if ((uintptr_t)address % EVR_PAGE) {
		errno = EINVAL;
		return -1;
	}
	if (advice == MADV_DONTNEED || advice == MADV_FREE)
		evr_fill(address, 0, whole_pages(size), (void *)(uintptr_t)site);
	return 0;
}

int evr_libc_posix_madvise(void *address, size_t size, int advice)
{
	(void)address, (void)size, (void)advice;
	return 0;
}

/* All memory is there all the time. */

int evr_libc_mlock(const void *address, size_t size)
{
	(void)address, (void)size;
	return 0;
}

int evr_libc_munlock(const void *address, size_t size)
{
	(void)address, (void)size;
	return 0;
}

int evr_libc_mlockall(int flags)
{
	(void)flags;
	return 0;
}

int evr_libc_munlockall(void)
{
	return 0;
}

int evr_libc_mallopt(int parameter, int value)
{
	(void)parameter, (void)value;
	return 1;
}

int evr_libc_malloc_trim(size_t keep)
{
	(void)keep;
	return 0;
}
