/* Memory: the heap, mappings, C++'s operators, and atomic objects of any size. */
#ifndef EVR_WRAPPERS_MEMORY_H
#define EVR_WRAPPERS_MEMORY_H

#include "runtime/libc/wrappers/wrapper.h"

#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

/* memory/heap.c */
EVR_WRAPPER(malloc);
EVR_WRAPPER(calloc);
EVR_WRAPPER(realloc);
EVR_WRAPPER(reallocarray);
EVR_WRAPPER(free);
EVR_WRAPPER(aligned_alloc);
EVR_WRAPPER(posix_memalign);
EVR_WRAPPER(memalign);
EVR_WRAPPER(malloc_usable_size);
EVR_WRAPPER(valloc);
EVR_WRAPPER(pvalloc);

/* map.c */
EVR_WRAPPER(mmap);
EVR_WRAPPER(mmap64);
EVR_WRAPPER(munmap);
EVR_WRAPPER(mprotect);
EVR_WRAPPER(madvise);
EVR_WRAPPER(posix_madvise);
EVR_WRAPPER(mlock);
EVR_WRAPPER(munlock);
EVR_WRAPPER(mlockall);
EVR_WRAPPER(munlockall);
EVR_WRAPPER(mallopt);
EVR_WRAPPER(malloc_trim);

/* cxx.c: operator new and delete by their mangled names, and guards of static variables in functions. */
void *evr_libc__Znwm(size_t size);
void *evr_libc__Znam(size_t size);
void *evr_libc__ZnwmRKSt9nothrow_t(size_t size, const void *nothrow);
void *evr_libc__ZnamRKSt9nothrow_t(size_t size, const void *nothrow);
void *evr_libc__ZnwmSt11align_val_t(size_t size, size_t align);
void *evr_libc__ZnamSt11align_val_t(size_t size, size_t align);
void evr_libc__ZdlPv(void *p);
void evr_libc__ZdaPv(void *p);
void evr_libc__ZdlPvm(void *p, size_t size);
void evr_libc__ZdaPvm(void *p, size_t size);
void evr_libc__ZdlPvRKSt9nothrow_t(void *p, const void *nothrow);
void evr_libc__ZdaPvRKSt9nothrow_t(void *p, const void *nothrow);
void evr_libc__ZdlPvSt11align_val_t(void *p, size_t align);
void evr_libc__ZdaPvSt11align_val_t(void *p, size_t align);
void evr_libc__ZdlPvmSt11align_val_t(void *p, size_t size, size_t align);
void evr_libc__ZdaPvmSt11align_val_t(void *p, size_t size, size_t align);
int evr_libc___cxa_guard_acquire(void *guard);
void evr_libc___cxa_guard_release(void *guard);

/* memory/atomic.c: __atomic_* on objects of any size. */
void evr_libc___atomic_load(size_t size, const void *from, void *to, int order);
void evr_libc___atomic_store(size_t size, void *to, const void *from, int order);
void evr_libc___atomic_exchange(size_t size, void *object, const void *value, void *old, int order);
_Bool evr_libc___atomic_compare_exchange(size_t size, void *object, void *expected, const void *desired, int success,
					 int failure);
_Bool evr_libc___atomic_is_lock_free(size_t size, const volatile void *object);

__extension__ typedef unsigned __int128 evr_wide;
#define EVR_ATOMIC_SIZED(size, type) \
	type evr_libc___atomic_load_##size(const void *from, int order); \
	void evr_libc___atomic_store_##size(void *to, type value, int order); \
	_Bool evr_libc___atomic_compare_exchange_##size(void *object, void *expected, type desired, int success, \
							int failure); \
	type evr_libc___atomic_exchange_##size(void *object, type operand, int order); \
	EVR_ATOMIC_FETCH(add, size, type) \
	EVR_ATOMIC_FETCH(sub, size, type) \
	EVR_ATOMIC_FETCH(and, size, type) \
	EVR_ATOMIC_FETCH(nand, size, type) \
	EVR_ATOMIC_FETCH(or, size, type) \
	EVR_ATOMIC_FETCH(xor, size, type)
#define EVR_ATOMIC_FETCH(name, size, type) \
	type evr_libc___atomic_fetch_##name##_##size(void *object, type operand, int order); \
	type evr_libc___atomic_##name##_fetch_##size(void *object, type operand, int order);
EVR_ATOMIC_SIZED(1, uint8_t)
EVR_ATOMIC_SIZED(2, uint16_t)
EVR_ATOMIC_SIZED(4, uint32_t)
EVR_ATOMIC_SIZED(8, uint64_t)
EVR_ATOMIC_SIZED(16, evr_wide)

#endif
