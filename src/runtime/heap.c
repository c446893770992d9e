/*
 * The program's heap. Each thread allocates from an arena of its own, upwards, and nothing is reused within an execution:
 * the address of a block depends on what its thread allocated before and on nothing else, and a freed block stays
 * recognisable. Memory starts out as zeros, because the undo log puts back what was there; only the shadow knows that it
 * is uninitialised.
 */
#include "runtime/runtime.h"
#include "runtime/shadow.h"
#include "runtime/wrappers.h"

#include <errno.h>

#define RED_ZONE 32
#define LARGEST EVR_GIB /* the cells of a block take twice its size */

void evr_heap_begin(struct evr_thread *t)
{
	t->heap_top = t->heap;
	evr_vec_clear(&t->blocks);
}

static void *allocate_as(enum evr_block_kind kind, size_t size, size_t align, bool initialised,
			 const struct evr_site *site)
{
	struct evr_thread *t = evr_current;
	uintptr_t address = t->heap_top + RED_ZONE;
	address = (address + align - 1) & ~(uintptr_t)(align - 1);
	t->site = site;
	/* No sum that could wrap around: the program may ask for any size. */
	if (size > LARGEST || address > t->heap_limit - RED_ZONE || size > t->heap_limit - RED_ZONE - address) {
		errno = ENOMEM;
		return NULL;
	}
	t->heap_top = (address + size + 15) & ~(uintptr_t)15;
	evr_vec_push(&t->blocks,
		     (struct evr_block){ .address = address, .size = size, .kind = kind, .allocated = site });
	evr_shadow_create(address, size, initialised);
	return (void *)address;
}

static void *allocate(size_t size, size_t align, bool initialised, const struct evr_site *site)
{
	return allocate_as(EVR_BLOCK_ALLOCATED, size, align, initialised, site);
}

void *evr_heap_keep(size_t size, const struct evr_site *site)
{
	return allocate_as(EVR_BLOCK_KEPT, size, 16, false, site);
}

static struct evr_thread *heap_owner(uintptr_t address)
{
	unsigned id;
	if (address - EVR_MAIN_HEAP < EVR_MAIN_HEAP_SIZE)
		id = 0;
	else if (address - EVR_HEAPS < EVR_FRAMES - EVR_HEAPS)
		id = (unsigned)((address - EVR_HEAPS) / EVR_HEAP_SIZE) + 1;
	else
		return NULL;
	return id < evr_rt.world.threads && evr_rt.threads[id]->state != EVR_UNUSED ? evr_rt.threads[id] : NULL;
}

/* Blocks are in the order of their addresses: the last that begins at or before this one, counting its red zone. */
struct evr_block *evr_heap_find(uintptr_t address, evr_thread_id *owner, size_t *number)
{
	struct evr_thread *t = heap_owner(address);
	if (!t || !t->blocks.len || address < t->blocks.data[0].address - RED_ZONE || address > t->heap_top + RED_ZONE)
		return NULL;
	size_t low = 0, high = t->blocks.len;
	while (high - low > 1) {
		size_t middle = (low + high) / 2;
		if (t->blocks.data[middle].address - RED_ZONE / 2 <= address)
			low = middle;
		else
			high = middle;
	}
	*owner = t->id;
	*number = low;
	return &t->blocks.data[low];
}

const struct evr_block *evr_heap_below(uintptr_t address, evr_thread_id *owner)
{
	const struct evr_thread *t = heap_owner(address);
	if (!t || !t->blocks.len || address < t->heap_top)
		return NULL;
	*owner = t->id;
	return &evr_vec_last(&t->blocks);
}

void *evr_libc_malloc(size_t size)
{
	return allocate(size, 16, false, evr_call_site);
}

void *evr_libc_calloc(size_t n, size_t size)
{
	size_t bytes;
	if (__builtin_mul_overflow(n, size, &bytes)) {
		errno = ENOMEM;
		return NULL;
	}
	return allocate(bytes, 16, true, evr_call_site);
}

void *evr_libc_aligned_alloc(size_t align, size_t size)
{
	if (!align || (align & (align - 1))) {
		errno = EINVAL;
		return NULL;
	}
	return allocate(size, align < 16 ? 16 : align, false, evr_call_site);
}

void *evr_libc_memalign(size_t align, size_t size)
{
	return evr_libc_aligned_alloc(align, size);
}

void *evr_libc_valloc(size_t size)
{
	return allocate(size, EVR_PAGE, false, evr_call_site);
}

void *evr_libc_pvalloc(size_t size)
{
	size_t pages = size ? (size - 1) / EVR_PAGE + 1 : 0;
	return allocate(pages * EVR_PAGE, EVR_PAGE, false, evr_call_site);
}

int evr_libc_posix_memalign(void **result, size_t align, size_t size)
{
	const struct evr_site *site = evr_call_site;
	if (align < sizeof(void *) || (align & (align - 1)))
		return EINVAL;
	void *p = allocate(size, align < 16 ? 16 : align, false, site);
	if (!p)
		return ENOMEM;
	evr_access_write(result, &p, sizeof(p), site);
	return 0;
}

/* Whoever freed the memory and the current thread, which finds it freed, share it, even if nobody ever comes in time. */
void evr_heap_came_late(uintptr_t address, size_t size)
{
	evr_thread_id owner;
	size_t number;
	const struct evr_block *b = evr_heap_find(address, &owner, &number);
	if (!b || !b->freed || b->freed_by == evr_current->id || evr_current->clock[b->freed_by] >= b->freed_epoch)
		return;
	for (size_t i = 0; i < size && address + i < b->address + b->size; i++) {
		if (evr_shadow_shared(address + i, 1))
			continue;
		evr_shadow_share(address + i, 1);
		evr_rt.restart = true;
	}
}

/* The block that begins exactly here and is alive; anything else is a finding. */
static struct evr_block *own_block(void *p, enum evr_block_kind kind, const char *what, const struct evr_site *site)
{
	evr_thread_id owner = 0;
	size_t number = 0;
	struct evr_block *b = evr_heap_find((uintptr_t)p, &owner, &number);
	char *message = NULL;
	const char *problem = evr_free_problem((uintptr_t)p, what, &message);
	if (!problem && b->kind == kind)
		return b;
	if (!problem)
		evr_fail("invalid-free", site, "%s of memory that was not allocated in a way that fits (at %s:%u)",
			 what, b->allocated->file, b->allocated->line);
	if (b && b->address == (uintptr_t)p) {
		evr_heap_came_late(b->address, b->size);
		evr_record_fault(&(struct evr_event){ .thread = evr_current->id,
						      .kind = EVR_FREE,
						      .address = b->address,
						      .size = (uint32_t)b->size,
						      .site = site });
	}
	evr_fail(problem, site, "%s", message);
}

/* Whoever accesses the block at the same time must be able to do so before and after: free is a write to all of it. */
static struct evr_block *release_as(enum evr_block_kind kind, void *p, const char *what, const struct evr_site *site)
{
	struct evr_block *b = own_block(p, kind, what, site);
	uintptr_t address = b->address;
	size_t size = b->size;
	evr_current->site = site;
	if (size) {
		evr_shadow_give_back(address, size);
		if (evr_shadow_shared(address, size)) {
			const struct evr_site *where = site;
			bool guarded = evr_section_enter(address, size, &where);
			evr_event_begin(EVR_FREE, address, size, where);
			evr_event_wait(true);
			if (guarded)
				evr_section_accessed(site);
			b = own_block(p, kind, what, site);
		}
	}
	b->freed = site;
	b->freed_by = evr_current->id;
	b->freed_epoch = evr_current->epoch;
	evr_shadow_destroy(address, size);
	return b;
}

static struct evr_block *release(void *p, const char *what, const struct evr_site *site)
{
	return release_as(EVR_BLOCK_ALLOCATED, p, what, site);
}

void *evr_heap_map(size_t size, const struct evr_site *site)
{
	return allocate_as(EVR_BLOCK_MAPPED, size, EVR_PAGE, true, site);
}

bool evr_heap_unmap(void *p, size_t size, const struct evr_site *site)
{
	evr_thread_id owner;
	size_t number;
	const struct evr_block *b = evr_heap_find((uintptr_t)p, &owner, &number);
	if (b && b->kind == EVR_BLOCK_MAPPED && !b->freed && (b->address != (uintptr_t)p || b->size != size))
		return false;
	release_as(EVR_BLOCK_MAPPED, p, "munmap", site);
	return true;
}

void evr_libc_free(void *p)
{
	int error = errno;
	if (p)
		release(p, "free", evr_call_site);
	errno = error;
}

void *evr_libc_realloc(void *p, size_t size)
{
	const struct evr_site *site = evr_call_site;
	if (!p)
		return allocate(size, 16, false, site);
	size_t old = own_block(p, EVR_BLOCK_ALLOCATED, "realloc", site)->size;
	if (!size) {
		release(p, "realloc", site);
		return NULL;
	}
	char *fresh = allocate(size, 16, false, site);
	if (!fresh)
		return NULL;
	evr_access_copy(fresh, p, old < size ? old : size, site);
	release(p, "realloc", site)->moved = true;
	return fresh;
}

void *evr_libc_reallocarray(void *p, size_t n, size_t size)
{
	size_t bytes;
	if (__builtin_mul_overflow(n, size, &bytes)) {
		errno = ENOMEM;
		return NULL;
	}
	return evr_libc_realloc(p, bytes);
}

size_t evr_libc_malloc_usable_size(void *p)
{
	return p ? own_block(p, EVR_BLOCK_ALLOCATED, "malloc_usable_size", evr_call_site)->size : 0;
}

/* A block counts as lost only by not having been freed: what still points to it is not looked at. */
void evr_heap_report_leaks(void)
{
	if (!evr_rt.config.leaks || evr_rt.blocked || evr_rt.truncated || evr_rt.faults.len)
		return;
	for (unsigned i = 0; i < evr_rt.world.threads; i++) {
		struct evr_thread *t = evr_rt.threads[i];
		for (size_t k = 0; t->state != EVR_UNUSED && k < t->blocks.len; k++) {
			const struct evr_block *b = &t->blocks.data[k];
			if (!b->freed && b->kind == EVR_BLOCK_ALLOCATED)
				evr_fault_add("leak", b->allocated, t->id,
					      evr_format("%zu byte%s allocated here by thread %u %s never freed",
							 b->size, b->size == 1 ? "" : "s", t->id,
							 b->size == 1 ? "is" : "are"),
					      NULL);
		}
	}
}
