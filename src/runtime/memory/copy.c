/*
 * Accesses to many bytes: what the program copies and fills, and what wrappers of library functions read and write for it.
 *
 * Invariant: bytes that nobody else can see are moved at once; as soon as one of them is visible, all are accessed in pieces of at most a
 * word, each of which is an access of its own, so that a visible event is never larger than what an instruction would make.
 */
#include "runtime/hooks.h"
#include "runtime/memory/access.h"
#include "runtime/memory/shadow.h"
#include "runtime/runtime.h"

#include <string.h>

void evr_access_apart(const void *to, const void *from, size_t size, const struct evr_site *site)
{
	uintptr_t d = (uintptr_t)to, s = (uintptr_t)from;
	if (EVR_LIKELY(d - s >= size && s - d >= size))
		return;
	evr_current->site = site;
	evr_fail("invalid-access", site, "copy of %zu byte%s between overlapping places, %zu byte%s apart", size,
		 size == 1 ? "" : "s", (size_t)(d > s ? d - s : s - d), d - s == 1 || s - d == 1 ? "" : "s");
}

/* The largest piece that both addresses are aligned to. */
static size_t piece(uintptr_t a, uintptr_t b, size_t left)
{
	size_t n = 8;
	while (n > left || ((a | b) & (n - 1)))
		n /= 2;
	return n;
}

static void copy_piece(uintptr_t to, uintptr_t from, size_t n, const struct evr_site *site)
{
	evr_value v = evr_access_load_to_copy(from, n, site);
	evr_access_store(to, n, v, site);
	if (!evr_shadow_valid(to, n) || !evr_shadow_valid(from, n))
		return;
	/* If shared memory keeps what it held at first, what was read came from an event. */
	bool stays_initial = evr_rt.world.model->memory_stays_initial;
	if (stays_initial && evr_shadow_shared(to, n))
		return;
	if (stays_initial && evr_shadow_shared(from, n))
		evr_shadow_set_initialised(to, n);
	else
		evr_shadow_copy_initialised(to, from, n);
}

/* ---- the common case: only the current thread has touched the bytes, in its present period, and they are in the undo log ---- */

#define MOST_OWN 4096 /* bytes: the cells of so many are gone through twice at no great cost */

static inline bool is_own_word(const struct evr_cell *c, uint8_t mask, bool write)
{
	uint8_t may = c->valid & (uint8_t)~c->shared & (uint8_t)~(write ? c->constant : 0);
	bool seen_to = write ? (c->flags & (EVR_CELL_LOGGED | EVR_CELL_WATCHED)) == EVR_CELL_LOGGED
			     : !(c->flags & EVR_CELL_WATCHED);
	return evr_cell_stamp(c) == evr_current->stamp && seen_to && !(mask & ~may);
}

static inline bool is_own(uintptr_t address, size_t size, bool write)
{
	const uintptr_t end = address + size;
	const uint8_t region = evr_region(address);
	const struct evr_cell *c = evr_cell(address);
	if (size > MOST_OWN || evr_current->journaling || end < address)
		return false;
	for (uintptr_t word = address & ~(uintptr_t)7; word < end; word += 8, c++)
		if (c->region != region || !is_own_word(c, evr_mask_in(word, address, size), write))
			return false;
	return true;
}

/* Are all bytes initialised that were read? */
static bool note_read(uintptr_t address, size_t size)
{
	uint8_t missing = 0;
	struct evr_cell *c = evr_cell(address);
	for (uintptr_t word = address & ~(uintptr_t)7; word < address + size; word += 8, c++) {
		uint8_t mask = evr_mask_in(word, address, size);
		c->read |= mask;
		missing |= mask & (uint8_t)~c->initialised;
	}
	return !missing;
}

static void note_written(uintptr_t address, size_t size, bool initialised)
{
	struct evr_cell *c = evr_cell(address);
	for (uintptr_t word = address & ~(uintptr_t)7; word < address + size; word += 8, c++) {
		uint8_t mask = evr_mask_in(word, address, size);
		c->read |= mask;
		c->written |= mask;
		c->initialised |= initialised ? mask : 0;
	}
}

/* Of whole words, as most copies are: the masks and flags of a cell are looked at together. */

/*
 * Has the current thread accessed all of these words in this way before, and nobody since? It is what the fast path of an access asks (access.c); a
 * copy may have bytes that are not initialised, if they were not in the last one.
 */
static inline bool is_repeated_move(uintptr_t to, uintptr_t from, size_t size)
{
	if (((to | from | size) & 7) || size > EVR_ARENA_SIZE)
		return false;
	const uint64_t own = evr_current->fast.stamp;
	const uint64_t own_d = own | (to & EVR_REGION_MASK), own_s = own | (from & EVR_REGION_MASK);
	const struct evr_cell *d = evr_cell(to), *s = evr_cell(from), *end = s + size / 8;
	for (; s < end; s++, d++)
		if (s->stamp != own_s || s->read != 0xff || d->stamp != own_d || d->written != 0xff ||
		    s->initialised != d->initialised)
			return false;
	return true;
}

static bool is_repeated_fill(uintptr_t to, size_t size)
{
	if (((to | size) & 7) || size > EVR_ARENA_SIZE)
		return false;
	const uint64_t own = evr_current->fast.stamp | (to & EVR_REGION_MASK);
	const struct evr_cell *c = evr_cell(to), *end = c + size / 8;
	for (; c < end; c++)
		if (c->stamp != own || !evr_cell_whole(&c->initialised))
			return false;
	return true;
}

/* Are these words the current thread's own, or nobody's yet if they are to be written; and does nothing else forbid it to access them? */
#define MOST_WORDS 32 /* that are moved one by one */

static __attribute__((noinline)) void log_word(uintptr_t word)
{
	evr_undo_word(&evr_rt.world.undo, word);
}

/*
 * The word that is read is to be the current thread's own, and the one that is written its own or nobody's yet. Nothing else is to forbid the accesses:
 * then they are made, and noted.
 */
static inline __attribute__((always_inline)) bool move_word(struct evr_cell *d, uint64_t own_d, uintptr_t to,
							    struct evr_cell *s, uint64_t own_s, uintptr_t from)
{
	const struct evr_cell asked_s = { .valid = 0xff, .shared = 0xff, .flags = EVR_CELL_WATCHED };
	const struct evr_cell asked_d = { .valid = 0xff, .shared = 0xff, .flags = EVR_CELL_KEPT, .constant = 0xff };
	const struct evr_cell valid = { .valid = 0xff }, known = { .initialised = 0xff };
	const struct evr_cell written = { .read = 0xff, .written = 0xff, .flags = EVR_CELL_LOGGED };
	const uint64_t of_s = evr_cell_state(s), of_d = evr_cell_state(d);
	if ((of_s ^ evr_cell_state(&valid)) & evr_cell_state(&asked_s) || s->stamp != own_s ||
	    (of_d ^ evr_cell_state(&valid)) & evr_cell_state(&asked_d) ||
	    (EVR_UNLIKELY(d->stamp != own_d) && d->stamp != evr_stamp_nobody(own_d)))
		return false;
	/* Globals have initial values: what is not initialised there is noted. */
	if (EVR_UNLIKELY(s->initialised != 0xff) && (!evr_in_arena(from) || !evr_in_arena(to)))
		return false;
	if (EVR_UNLIKELY(!(d->flags & EVR_CELL_LOGGED)))
		log_word(to);
	memcpy((void *)to, (const void *)from, 8);
	s->read = 0xff;
	d->stamp = own_d;
	evr_cell_set_state(d, (of_d & ~evr_cell_state(&known)) | (of_s & evr_cell_state(&known)) |
				      evr_cell_state(&written));
	return true;
}

/* Most copies are of one word. */
static inline bool copy_word(uintptr_t to, uintptr_t from, const struct evr_site *site)
{
	const uint64_t own = evr_current->fast.stamp;
	if (((to | from) & 7) || to == from || !own)
		return false;
	evr_current->site = site;
	return move_word(evr_cell(to), own | (to & EVR_REGION_MASK), to, evr_cell(from), own | (from & EVR_REGION_MASK),
			 from);
}

/* False: all of it is to be moved again, in another way. */
static bool move_words(uintptr_t to, uintptr_t from, size_t size, const struct evr_site *site)
{
	const uint64_t own = evr_current->fast.stamp;
	const uint64_t own_d = own | (to & EVR_REGION_MASK), own_s = own | (from & EVR_REGION_MASK);
	struct evr_cell *d = evr_cell(to), *s = evr_cell(from);
	if (((to | from | size) & 7) || !own)
		return false;
	evr_current->site = site;
	for (const struct evr_cell *end = s + size / 8; s < end; s++, d++, to += 8, from += 8)
		if (!move_word(d, own_d, to, s, own_s, from))
			return false;
	return true;
}

static bool move_own(uintptr_t to, uintptr_t from, size_t size, const struct evr_site *site)
{
	if (!is_own(from, size, false) || !is_own(to, size, true))
		return false;
	evr_current->site = site;
	bool initialised = note_read(from, size) || !evr_in_arena(from);
	note_written(to, size, initialised);
	if (!initialised)
		evr_shadow_copy_initialised(to, from, size);
	memmove((void *)to, (void *)from, size);
	return true;
}

static bool fill_own(uintptr_t to, size_t size, const struct evr_site *site)
{
	if (is_repeated_fill(to, size))
		return true;
	if (!is_own(to, size, true))
		return false;
	evr_current->site = site;
	note_written(to, size, true);
	return true;
}

/* Of many bytes: is none visible? Otherwise they are accessed piece by piece, and each piece is located by itself. */
static bool quiet(enum evr_visibility p)
{
	return p == EVR_UNWATCHED || p == EVR_PRIVATE;
}

/*
 * A size that is beyond all memory, such as -1, is a matter of bounds, not of overlapping. Nor is the same place an overlap:
 * compilers copy a struct to itself by memcpy.
 */
void evr_copy(void *to, void *from, uint64_t size, void *site)
{
	if (size == sizeof(uint64_t) && copy_word((uintptr_t)to, (uintptr_t)from, site))
		return;
	if (EVR_LIKELY(size < UINT64_MAX / 2) && to != from)
		evr_access_apart(to, from, size, site);
	if (size > MOST_WORDS * 8 || to == from || !move_words((uintptr_t)to, (uintptr_t)from, size, site))
		evr_move(to, from, size, site);
}

static __attribute__((noinline)) void move(void *to, void *from, uint64_t size, const struct evr_site *site)
{
	uintptr_t d = (uintptr_t)to, s = (uintptr_t)from;
	if (!size || d == s || move_own(d, s, size, site))
		return;
	if (quiet(evr_access_find(s, size, false, site)) && quiet(evr_access_find(d, size, true, site))) {
		bool known = evr_shadow_valid(s, 1), watched = evr_shadow_valid(d, 1);
		if (watched && known && evr_in_arena(s))
			evr_shadow_copy_initialised(d, s, size);
		else if (watched)
			evr_shadow_set_initialised(d, size);
		memmove(to, from, size);
		return;
	}
	if (d < s || d >= s + size)
		for (size_t i = 0, n; i < size; i += n) {
			n = piece(d + i, s + i, size - i);
			copy_piece(d + i, s + i, n, site);
		}
	else
		for (size_t i = size, n; i > 0; i -= n) {
			n = 8;
			while (n > i || ((d + i - n) | (s + i - n)) & (n - 1))
				n /= 2;
			copy_piece(d + i - n, s + i - n, n, site);
		}
}

void evr_move(void *to, void *from, uint64_t size, void *site)
{
	if (!is_repeated_move((uintptr_t)to, (uintptr_t)from, size))
		move(to, from, size, site);
	else if (size == sizeof(uint64_t))
		memmove(to, from, sizeof(uint64_t));
	else
		memmove(to, from, size);
}

void evr_fill(void *to, uint8_t byte, uint64_t size, void *site)
{
	uintptr_t d = (uintptr_t)to;
	if (!size)
		return;
	enum evr_visibility p = fill_own(d, size, site) ? EVR_PRIVATE : evr_access_find(d, size, true, site);
	if (quiet(p)) {
		if (p == EVR_PRIVATE)
			evr_shadow_set_initialised(d, size);
		memset(to, byte, size);
		return;
	}
	evr_value word;
	memset(&word, byte, sizeof(word));
	for (size_t i = 0, n; i < size; i += n) {
		n = piece(d + i, d + i, size - i);
		evr_access_store(d + i, n, word & (((evr_value)1 << (8 * n)) - 1), site);
	}
}

/* The program looks at text byte by byte: so do we, where accesses that overlap must be to the same bytes. */
static size_t text_piece(void)
{
	return evr_rt.world.model->coherence_per_location ? 1 : 8;
}

/* In pieces of at most `most` bytes, where somebody could see them. */
static void read_pieces(void *to, const void *from, size_t size, size_t most, const struct evr_site *site)
{
	uintptr_t s = (uintptr_t)from;
	if (!size)
		return;
	if (quiet(evr_access_find(s, size, false, site))) {
		memcpy(to, from, size);
		return;
	}
	for (size_t i = 0, n; i < size; i += n) {
		n = piece(s + i, s + i, size - i < most ? size - i : most);
		evr_memory_store((uintptr_t)to + i, (unsigned)n, evr_access_load_to_copy(s + i, n, site));
	}
}

void evr_access_read(void *to, const void *from, size_t size, const struct evr_site *site)
{
	read_pieces(to, from, size, 8, site);
}

void evr_access_read_text(void *to, const void *from, size_t size, const struct evr_site *site)
{
	read_pieces(to, from, size, text_piece(), site);
}

void evr_access_look(void *to, const void *from, size_t size, const struct evr_site *site)
{
	uintptr_t s = (uintptr_t)from;
	for (size_t i = 0, n; i < size; i += n) {
		n = piece(s + i, s + i, size - i);
		evr_memory_store((uintptr_t)to + i, (unsigned)n, evr_access_load(s + i, n, site));
	}
}

static void write_pieces(void *to, const void *from, size_t size, size_t most, const struct evr_site *site)
{
	uintptr_t d = (uintptr_t)to;
	if (!size)
		return;
	enum evr_visibility p = evr_access_find(d, size, true, site);
	if (quiet(p)) {
		if (p == EVR_PRIVATE)
			evr_shadow_set_initialised(d, size);
		memcpy(to, from, size);
		return;
	}
	for (size_t i = 0, n; i < size; i += n) {
		n = piece(d + i, d + i, size - i < most ? size - i : most);
		evr_access_store(d + i, n, evr_memory_load((uintptr_t)from + i, (unsigned)n), site);
	}
}

void evr_access_write(void *to, const void *from, size_t size, const struct evr_site *site)
{
	write_pieces(to, from, size, 8, site);
}

void evr_access_write_text(void *to, const void *from, size_t size, const struct evr_site *site)
{
	write_pieces(to, from, size, text_piece(), site);
}

void evr_access_copy(void *to, const void *from, size_t size, const struct evr_site *site)
{
	evr_move(to, (void *)(uintptr_t)from, size, (void *)(uintptr_t)site);
}

size_t evr_access_strlen(const char *s, const struct evr_site *site)
{
	size_t n = 0;
	while (evr_access_load((uintptr_t)s + n, 1, site))
		n++;
	return n;
}
