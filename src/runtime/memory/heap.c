/*
 * The program's heap. Each thread allocates from an arena of its own, upwards, and nothing is reused within an execution:
 * the address of a block depends on what its thread allocated before and on nothing else, and a freed block stays
 * recognisable. Memory starts out as zeros, because the undo log puts back what was there; only the shadow knows that it
 * is uninitialised.
 */
#include "runtime/libc/wrappers.h"
#include "runtime/memory/lifetime.h"
#include "runtime/memory/shadow.h"
#include "runtime/runtime.h"

#include <errno.h>

#define RED_ZONE 32
#define LARGEST EVR_GIB /* the cells of a block take twice its size */

/*
 * By its address, where a block of that address was put last. A guess, which whoever uses it compares with the block: it may be of another
 * execution, or thread.
 */
#define GUESSES 4096
static EVR_SCRATCH uint32_t guesses[GUESSES];

static uint32_t *guess_of(uintptr_t address)
{
	return &guesses[(address >> 4) % GUESSES];
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
	*guess_of(address) = (uint32_t)t->blocks.len;
	evr_vec_push(&t->blocks, (struct evr_block){ .address = address,
						     .size = size,
						     .kind = kind,
						     .allocated = site,
						     .allocated_at = evr_rt.world.trace.counts[t->id] });
	t->live++;
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
	else if (address - EVR_HEAPS < EVR_ARGUMENTS - EVR_HEAPS)
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
	size_t low = 0, high = t->blocks.len, guess = *guess_of(address);
	if (guess < high && t->blocks.data[guess].address == address) {
		low = guess;
		high = guess + 1;
	}
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

static _Noreturn void fail(uintptr_t address, const char *what, const struct evr_site *site)
{
	char *message = NULL;
	const char *problem = evr_free_problem(address, what, &message);
	EVR_ASSERT(problem);
	evr_fail(problem, site, "%s", message);
}

/* The block that begins exactly here, alive or not; anything else is a finding. */
static struct evr_block *block_at(void *p, enum evr_block_kind kind, const char *what, const struct evr_site *site)
{
	evr_thread_id owner = 0;
	size_t number = 0;
	struct evr_block *b = evr_heap_find((uintptr_t)p, &owner, &number);
	evr_current->site = site;
	if (!b || b->address != (uintptr_t)p)
		fail((uintptr_t)p, what, site);
	if (b->kind != kind)
		evr_fail("invalid-free", site,
			 "%s of memory that was allocated by a function of another kind (at %s:%u)", what,
			 b->allocated->file, b->allocated->line);
	/* Perhaps another thread's: whoever changes the block does so before anybody else runs. */
	evr_rt.threads[owner]->changed = true;
	return b;
}

/* It must be alive, whatever is done with it. */
static struct evr_block *live_block(void *p, const char *what, const struct evr_site *site)
{
	struct evr_block *b = block_at(p, EVR_BLOCK_ALLOCATED, what, site);
	if (b->freed && !evr_life_missed(b->address, b->size))
		fail(b->address, what, site);
	if (evr_is_contended(b->address) && evr_life_is_over(b->address, site))
		fail(b->address, what, site);
	return block_at(p, EVR_BLOCK_ALLOCATED, what, site);
}

/* Memory that others access, too, becomes contended if it is freed while there are any. */
static bool is_contended(const struct evr_block *b)
{
	if (b->size)
		evr_shadow_give_back(b->address, b->size);
	if (!evr_is_contended(b->address) && evr_shadow_shared(b->address, b->size) && evr_thread_has_company())
		evr_shadow_contend(b->address, b->size);
	return evr_is_contended(b->address);
}

/* A block that the thread has allocated in the same iteration of a loop leaves nothing behind. */
static void note_release(const struct evr_block *b)
{
	const struct evr_thread *t = evr_current;
	if (heap_owner(b->address) == t && (size_t)(b - t->blocks.data) >= t->young)
		evr_current->live--;
	else
		evr_current->effects++;
}

static void note_freed(struct evr_block *b, const struct evr_site *site)
{
	b->freed = site;
	b->freed_by = evr_current->id;
	b->freed_in = evr_present(evr_current);
	b->freed_at = evr_rt.world.trace.counts[evr_current->id];
}

static struct evr_block *release_as(enum evr_block_kind kind, void *p, const char *what, const struct evr_site *site)
{
	struct evr_block *b = block_at(p, kind, what, site);
	uintptr_t address = b->address;
	size_t size = b->size;
	if (EVR_LIKELY(!b->freed && !evr_rt.sections && evr_shadow_destroy_own(address, size))) {
		note_freed(b, site);
		note_release(b);
		return b;
	}
	if (b->freed && !evr_life_missed(address, size))
		fail(address, what, site);
	bool contended = b->freed || is_contended(b);
	if (contended && !evr_life_end(address, size, site))
		fail(address, what, site);
	b = block_at(p, kind, what, site);
	note_freed(b, site);
	evr_life_destroy(address, size, site);
	b = block_at(p, kind, what, site);
	note_release(b);
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
	size_t old = live_block(p, "realloc", site)->size;
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
	return p ? live_block(p, "malloc_usable_size", evr_call_site)->size : 0;
}

/* A block counts as lost only by not having been freed: what still points to it is not looked at. */
void evr_heap_report_leaks(void)
{
	if (!evr_rt.config.leaks || evr_execution.blocked || evr_execution.truncated || evr_execution.faults.len)
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
