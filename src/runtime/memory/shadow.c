/*
 * Shadow cells: what becomes of them when memory comes and goes. Who has accessed what is in visits.c.
 *
 * Invariant: a cell of the arena means something only if its stamp has the number of the execution; of globals it always does. What
 * outlives executions, that bytes are shared, contended, watched, used by sections, is in the cell and also in a list, so that all
 * cells can be made anew (evr_shadow_renew()).
 */
#include "runtime/memory/shadow.h"

#include "runtime/runtime.h"
#include "runtime/sync/sync.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

static EVR_LASTING EVR_VEC(struct evr_range) globals, constants;
static EVR_LASTING EVR_VEC(struct evr_range) large; /* globals whose cells are filled in where they are used */

static void map_fixed(uint64_t base, uint64_t size, const char *what)
{
	void *at = (void *)(uintptr_t)base;
	void *got = mmap(at, size, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
	if (got != at)
		evr_die("cannot reserve %llu GiB of addresses for %s: %s (is there a limit on virtual memory?)",
			(unsigned long long)(size >> 30), what, strerror(errno));
	/* Not in core files, and no huge pages, which would make sparse shadow memory dense. */
	madvise(at, size, MADV_DONTDUMP);
	madvise(at, size, MADV_NOHUGEPAGE);
}

static uint64_t cells_size(void)
{
	return ((EVR_WINDOW_MASK + 1) >> 3) * sizeof(struct evr_cell);
}

void evr_shadow_init(void)
{
	map_fixed(EVR_STAMP_PAGE, EVR_CELLS_BASE - EVR_STAMP_PAGE + cells_size(), "shadow memory");
	map_fixed(EVR_ARENA_BASE, EVR_ARENA_SIZE, "the program's memory");
	map_fixed(EVR_LIVES, EVR_ARENA_SIZE, "lifetimes");
}

static void mark_global(const struct evr_range *r, bool constant)
{
	for (uintptr_t word = r->address & ~(uintptr_t)7; word < r->address + r->size; word += 8) {
		struct evr_cell *c = evr_cell(word);
		uint8_t mask = evr_mask_in(word, r->address, r->size);
		if (c->valid && c->region != evr_region(word))
			evr_die("the program's addresses cannot be told apart in shadow memory");
		c->region = evr_region(word);
		c->valid |= mask;
		c->initialised |= mask;
		if (constant)
			c->constant |= mask;
	}
}

#define LARGE (64 << 10) /* bytes: a global from this size on is filled in by pieces of it */

/*
 * 100 MB of .bss would need 200 MB of cells, most of which nobody ever looks at. Fill in those of the piece that the word
 * is in. False if there is nothing to fill in.
 */
static bool fill_in(uintptr_t word)
{
	for (size_t i = 0; i < large.len; i++) {
		const struct evr_range *g = &large.data[i];
		/* A word may be part of the global and part of what lies before it. */
		if (word + 8 <= g->address || word >= g->address + g->size)
			continue;
		const struct evr_cell *c = evr_cell(word);
		if (c->valid && c->region == evr_region(word))
			return false;
		uintptr_t from = word & ~(uintptr_t)(LARGE - 1), to = from + LARGE;
		from = from < g->address ? g->address : from;
		to = to > g->address + g->size ? g->address + g->size : to;
		mark_global(&(struct evr_range){ from, to - from }, false);
		return true;
	}
	return false;
}

void evr_shadow_global(uintptr_t address, size_t size, bool constant)
{
	struct evr_range r = { address, size };
	if (size >= LARGE && !constant) {
		evr_vec_push(&large, r);
		return;
	}
	mark_global(&r, constant);
	if (constant)
		evr_vec_push(&constants, r);
	else
		evr_vec_push(&globals, r);
}

static void mark_shared(const struct evr_range *r)
{
	for (uintptr_t word = r->address & ~(uintptr_t)7; word < r->address + r->size; word += 8)
		evr_cell(word)->shared |= evr_mask_in(word, r->address, r->size);
}

void evr_shadow_share(uintptr_t address, size_t size)
{
	struct evr_range r = { address, size };
	mark_shared(&r);
	evr_learn_shared(&evr_rt.world.knowledge, address, size);
}

/* Of an object of no bytes the first cell is marked: it can be freed twice. */
static void mark_contended(const struct evr_range *r)
{
	for (uintptr_t word = r->address & ~(uintptr_t)7; word < r->address + (r->size ? r->size : 1); word += 8)
		evr_cell(word)->flags |= EVR_CELL_CONTENDED;
}

void evr_shadow_apply_knowledge(void)
{
	const struct evr_knowledge *k = &evr_rt.world.knowledge;
	for (size_t i = 0; i < k->shared.len; i++)
		mark_shared(&k->shared.data[i]);
	for (size_t i = 0; i < k->contended.len; i++)
		mark_contended(&k->contended.data[i]);
	evr_watchers_renew();
	evr_sections_renew();
}

void evr_shadow_renew(void)
{
	madvise((void *)(uintptr_t)EVR_CELLS_BASE, cells_size(), MADV_DONTNEED);
	for (size_t i = 0; i < globals.len; i++)
		mark_global(&globals.data[i], false);
	for (size_t i = 0; i < constants.len; i++)
		mark_global(&constants.data[i], true);
	evr_shadow_apply_knowledge();
}

void evr_shadow_restore(void)
{
	for (size_t i = 0; i < evr_execution.spoilt.len; i++) {
		struct evr_cell *c = evr_cell(evr_execution.spoilt.data[i]);
		c->initialised = c->valid;
	}
}

/* The cells of words that begin as a whole. */
static void create_words(struct evr_cell *c, struct evr_cell *end, uint64_t stamp, struct evr_cell whole)
{
	/* What a cell keeps; and if it is of this execution. */
	const struct evr_cell kept = { .shared = 0xff, .flags = EVR_CELL_KEPT };
	const struct evr_cell kept_now = { .shared = 0xff, .flags = EVR_CELL_KEPT | EVR_CELL_LOGGED };
	for (; c < end; c++) {
		uint64_t left = evr_cell_state(c) & evr_cell_state(&kept_now);
		if (EVR_UNLIKELY((c->stamp ^ stamp) & evr_stamp(UINT32_MAX, 0))) {
			evr_shadow_note_touched(c);
			left &= evr_cell_state(&kept);
		}
		c->stamp = stamp;
		evr_cell_set_state(c, left | evr_cell_state(&whole));
	}
}

void evr_shadow_create(uintptr_t address, size_t size, bool initialised)
{
	const uint8_t region = evr_region(address);
	const uint64_t stamp = evr_stamp(evr_execution.number, EVR_STAMP_NOBODY) | (uint64_t)region << EVR_WINDOW_BITS;
	const size_t words = size ? ((address & 7) + size + 7) / 8 : 0;
	struct evr_cell *c = evr_cell(address);
	create_words(c, c + words, stamp,
		     (struct evr_cell){ .valid = 0xff, .initialised = initialised ? 0xff : 0, .region = region });
	if (EVR_UNLIKELY((address | size) & 7))
		for (size_t i = 0; i < words; i += words > 1 ? words - 1 : 1) {
			c[i].valid = evr_mask_in((address & ~(uintptr_t)7) + 8 * i, address, size);
			c[i].initialised &= c[i].valid;
		}
}

bool evr_shadow_destroy(uintptr_t address, size_t size)
{
	uint8_t shared_bytes = 0;
	evr_execution.memory_changes++;
	for (uintptr_t word = address & ~(uintptr_t)7; word < address + size; word += 8) {
		struct evr_cell *c = evr_cell(word);
		shared_bytes |= c->shared;
		c->valid = 0;
		evr_cell_set_stamp(c, evr_stamp(evr_execution.number, EVR_STAMP_NOBODY));
		c->read = c->written = 0;
		c->flags &= EVR_CELL_KEPT | EVR_CELL_LOGGED;
	}
	return shared_bytes != 0;
}

bool evr_shadow_destroy_own(uintptr_t address, size_t size)
{
	const size_t words = ((address & 7) + size + 7) / 8;
	struct evr_cell *first = evr_cell(address), *end = first + words;
	const uint64_t own = evr_current->stamp | (address & EVR_REGION_MASK), nobody = evr_stamp_nobody(own);
	const struct evr_cell others = { .shared = 0xff, .flags = EVR_CELL_KEPT };
	const struct evr_cell gone = { .valid = 0xff, .read = 0xff, .written = 0xff };
	uint64_t known = 0;
	for (struct evr_cell *c = first; c < end; c++) {
		if (EVR_UNLIKELY(c->stamp != own) && c->stamp != nobody)
			return false;
		known |= evr_cell_state(c);
	}
	if (known & evr_cell_state(&others))
		return false;
	evr_execution.memory_changes++;
	for (struct evr_cell *c = first; c < end; c++) {
		c->stamp = nobody;
		evr_cell_set_state(c, evr_cell_state(c) & ~evr_cell_state(&gone));
	}
	return words;
}

/* Past the end of the address space there is nothing, however many bytes the program asks for. */
static bool wraps(uintptr_t address, size_t size)
{
	return address + size < address || address + size > UINTPTR_MAX - 8;
}

static bool word_valid(uintptr_t word, uint8_t mask)
{
	const struct evr_cell *c = evr_cell(word);
	return evr_cell_current(c, word, evr_execution.number) && !(mask & ~c->valid);
}

bool evr_shadow_valid(uintptr_t address, size_t size)
{
	if (wraps(address, size))
		return false;
	for (uintptr_t word = address & ~(uintptr_t)7; word < address + size; word += 8) {
		uint8_t mask = evr_mask_in(word, address, size);
		if (EVR_UNLIKELY(!word_valid(word, mask)) && !(fill_in(word) && word_valid(word, mask)))
			return false;
	}
	return true;
}

static bool is_sound_slowly(uintptr_t address, size_t size)
{
	return evr_shadow_valid(address, size) && evr_shadow_all_initialised(address, size);
}

bool evr_shadow_sound(uintptr_t address, size_t size)
{
	if (wraps(address, size))
		return false;
	for (uintptr_t word = address & ~(uintptr_t)7; word < address + size; word += 8) {
		const struct evr_cell *c = evr_cell(word);
		uint8_t mask = evr_mask_in(word, address, size);
		if (EVR_UNLIKELY(!evr_cell_current(c, word, evr_execution.number) ||
				 mask & ~(c->valid & c->initialised)))
			return is_sound_slowly(address, size);
	}
	return true;
}

bool evr_shadow_any_initialised_slowly(uintptr_t address, size_t size)
{
	for (uintptr_t word = address & ~(uintptr_t)7; word < address + size; word += 8)
		if (evr_mask_in(word, address, size) & evr_cell(word)->initialised)
			return true;
	return false;
}

bool evr_shadow_all_initialised(uintptr_t address, size_t size)
{
	for (uintptr_t word = address & ~(uintptr_t)7; word < address + size; word += 8)
		if (evr_mask_in(word, address, size) & ~evr_cell(word)->initialised)
			return false;
	return true;
}

bool evr_shadow_set_initialised_slowly(uintptr_t address, size_t size)
{
	bool fresh = false;
	for (uintptr_t word = address & ~(uintptr_t)7; word < address + size; word += 8) {
		uint8_t mask = evr_mask_in(word, address, size);
		fresh |= mask & ~evr_cell(word)->initialised;
		evr_cell(word)->initialised |= mask;
	}
	return fresh;
}

void evr_shadow_copy_initialised(uintptr_t to, uintptr_t from, size_t size)
{
	/* As memmove: upwards, unless that would overwrite what is still to be copied. */
	bool up = to - from >= size;
	for (size_t left = size, n; left; left -= n) {
		size_t done = size - left;
		uintptr_t a = up ? to + done : to + left - 1, b = up ? from + done : from + left - 1;
		n = 1;
		if (!((to ^ from) & 7) && left >= 8 && !((up ? a : a + 1) & 7))
			n = 8;
		uint8_t mask = (uint8_t)(n == 8 ? 0xff : 1u << (a & 7));
		uint8_t known = evr_cell(b)->initialised;
		if (n == 1)
			known = known >> (b & 7) & 1 ? mask : 0;
		struct evr_cell *c = evr_cell(a);
		if (mask & ~known && (!evr_in_arena(a) || a >= EVR_ARGUMENTS))
			evr_vec_push(&evr_execution.spoilt, a & ~(uintptr_t)7);
		c->initialised = (uint8_t)((c->initialised & ~mask) | known);
	}
}

bool evr_shadow_shared(uintptr_t address, size_t size)
{
	for (uintptr_t word = address & ~(uintptr_t)7; word < address + size; word += 8)
		if (evr_cell(word)->shared & evr_mask_in(word, address, size))
			return true;
	return false;
}

bool evr_shadow_all_shared(uintptr_t address, size_t size)
{
	for (uintptr_t word = address & ~(uintptr_t)7; word < address + size; word += 8)
		if (evr_mask_in(word, address, size) & ~evr_cell(word)->shared)
			return false;
	return true;
}

void evr_shadow_share_bytes(uintptr_t word, uint8_t mask)
{
	for (unsigned i = 0; i < 8; i++)
		if (mask >> i & 1)
			evr_shadow_share(word + i, 1);
	/* Others may have come between the accesses of a section, to bytes that were not known to be shared. */
	if (evr_execution.open_sections)
		evr_execution.stop = true;
}

void evr_shadow_share_rest(uintptr_t address, size_t size)
{
	for (uintptr_t word = address & ~(uintptr_t)7; word < address + size; word += 8)
		evr_shadow_share_bytes(word, evr_mask_in(word, address, size) & (uint8_t)~evr_cell(word)->shared);
}

void evr_shadow_contend(uintptr_t object, size_t size)
{
	struct evr_range r = { object, size };
	mark_contended(&r);
	evr_learn_contended(&evr_rt.world.knowledge, object, size);
}
