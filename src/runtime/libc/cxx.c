/* What C++ needs beside C: new and delete over the program's heap, and the guards of variables that a function keeps. */
#include "runtime/libc/wrappers.h"
#include "runtime/memory/shadow.h"
#include "runtime/runtime.h"

static void *must(void *p)
{
	if (!p)
		evr_fail("crash", evr_current->site, "std::bad_alloc: the heap is exhausted");
	return p;
}

/* In C++ every object has an address of its own, also one of no size: the red zone sees to that. */
void *evr_libc__Znwm(size_t size)
{
	return must(evr_libc_malloc(size));
}

void *evr_libc__Znam(size_t size)
{
	return must(evr_libc_malloc(size));
}

void *evr_libc__ZnwmRKSt9nothrow_t(size_t size, const void *nothrow)
{
	(void)nothrow;
	return evr_libc_malloc(size);
}

void *evr_libc__ZnamRKSt9nothrow_t(size_t size, const void *nothrow)
{
	(void)nothrow;
	return evr_libc_malloc(size);
}

void *evr_libc__ZnwmSt11align_val_t(size_t size, size_t align)
{
	return must(evr_libc_aligned_alloc(align, size));
}

void *evr_libc__ZnamSt11align_val_t(size_t size, size_t align)
{
	return must(evr_libc_aligned_alloc(align, size));
}

void evr_libc__ZdlPv(void *p)
{
	evr_libc_free(p);
}

void evr_libc__ZdaPv(void *p)
{
	evr_libc_free(p);
}

void evr_libc__ZdlPvm(void *p, size_t size)
{
	(void)size;
	evr_libc_free(p);
}

void evr_libc__ZdaPvm(void *p, size_t size)
{
	(void)size;
	evr_libc_free(p);
}

void evr_libc__ZdlPvRKSt9nothrow_t(void *p, const void *nothrow)
{
	(void)nothrow;
	evr_libc_free(p);
}

void evr_libc__ZdaPvRKSt9nothrow_t(void *p, const void *nothrow)
{
	(void)nothrow;
	evr_libc_free(p);
}

void evr_libc__ZdlPvSt11align_val_t(void *p, size_t align)
{
	(void)align;
	evr_libc_free(p);
}

void evr_libc__ZdaPvSt11align_val_t(void *p, size_t align)
{
	(void)align;
	evr_libc_free(p);
}

void evr_libc__ZdlPvmSt11align_val_t(void *p, size_t size, size_t align)
{
	(void)size, (void)align;
	evr_libc_free(p);
}

void evr_libc__ZdaPvmSt11align_val_t(void *p, size_t size, size_t align)
{
	(void)size, (void)align;
	evr_libc_free(p);
}

/*
 * A guard is eight bytes, too few for a mutex. Each has one here, at an index that follows from its place in its module,
 * so that it is the same in every process. They are part of the program's memory as soon as there is a guard.
 */
#define GUARDS 4096
static EVR_MEMORY pthread_mutex_t guards[GUARDS];

static pthread_mutex_t *mutex_of(const void *guard)
{
	unsigned number;
	uintptr_t address = (uintptr_t)guard;
	pthread_mutex_t *m = &guards[((address - evr_module_base(address, &number)) >> 3) % GUARDS];
	if (!evr_shadow_valid((uintptr_t)m, sizeof(*m)))
		evr_shadow_global((uintptr_t)m, sizeof(*m), false);
	return m;
}

int evr_libc___cxa_guard_acquire(void *guard)
{
	const struct evr_site *site = evr_call_site;
	pthread_mutex_t *m = mutex_of(guard);
	evr_libc_pthread_mutex_lock(m);
	if (!evr_access_load((uintptr_t)guard, 1, site))
		return 1;
	evr_call_site = site;
	evr_libc_pthread_mutex_unlock(m);
	return 0;
}

void evr_libc___cxa_guard_release(void *guard)
{
	const struct evr_site *site = evr_call_site;
	evr_access_store((uintptr_t)guard, 1, 1, site);
	evr_call_site = site;
	evr_libc_pthread_mutex_unlock(mutex_of(guard));
}
