/*
 * The program's memory accesses. The common case, memory that only this thread touches, is decided by one comparison with
 * the shadow cell's stamp; everything else takes the slow path, which checks the access, finds out whether it is visible,
 * and if so hands it to the scheduler.
 *
 * Invariant: the fast path is taken only if the cell's stamp is that of the current thread in its present period, and it has accessed these bytes
 * in this way before. Then they exist, are initialised, are in the undo log if they are written, and nobody else has touched them since.
 */
#include "runtime/memory/access.h"

#include "runtime/hooks.h"
#include "runtime/memory/lifetime.h"
#include "runtime/memory/shadow.h"
#include "runtime/orders.h"
#include "runtime/runtime.h"
#include "runtime/sync/sync.h"

#include <stdlib.h>
#include <string.h>

/* Memory that is nobody's concern: the thread's own machine stack (va_list, arguments), and libraries without hooks, as far as they let others. */
static bool unwatched(uintptr_t address, size_t size, bool write)
{
	const struct evr_coroutine *c = &evr_current->coroutine;
	return (evr_coroutine_has(c, address) && size && evr_coroutine_has(c, address + size - 1)) ||
	       evr_foreign(address, size, write);
}

/*
 * Does not return if there are no such bytes. False: there were, until another thread ended their lifetime, which has to become
 * an event.
 */
static bool check_access(uintptr_t address, size_t size, bool write, const struct evr_site *site)
{
	char *message = NULL;
	const char *kind = evr_access_problem(address, size, write, &message);
	if (kind && !evr_life_missed(address, size))
		evr_fail(kind, site, "%s", message);
	free(message);
	return !kind;
}

void evr_access_expect(const void *from, size_t size, const struct evr_site *site)
{
	uintptr_t address = (uintptr_t)from;
	evr_current->site = site;
	if (size && !evr_shadow_valid(address, size) && !unwatched(address, size, false))
		check_access(address, size, false, site);
}

/* An access that is not the common case of valid memory within one word. Does not return if it must not take place. */
static enum evr_visibility find_slowly(uintptr_t address, size_t size, bool write, const struct evr_site *site)
{
	if (!evr_shadow_valid(address, size) && unwatched(address, size, write)) {
		if (write && !evr_coroutine_has(&evr_current->coroutine, address)) {
			evr_undo_range(&evr_rt.world.undo, address, size);
			evr_effect();
		}
		return EVR_UNWATCHED;
	}
	if (check_access(address, size, write, site))
		evr_shadow_touch(address, size, write);
	if (!evr_shadow_shared(address, size))
		return EVR_PRIVATE;
	return evr_shadow_all_shared(address, size) ? EVR_VISIBLE : EVR_PARTLY_VISIBLE;
}

static inline enum evr_visibility find(uintptr_t address, size_t size, bool write, const struct evr_site *site)
{
	struct evr_cell *c = evr_cell(address);
	uintptr_t word = address & ~(uintptr_t)7;
	evr_current->site = site;
	if (!evr_in_one_word(address, size) || !evr_cell_current(c, address, evr_execution.number))
		return find_slowly(address, size, write, site);
	uint8_t mask = evr_mask_of(address, size);
	if (mask & ~c->valid || (write && mask & c->constant))
		return find_slowly(address, size, write, site);
	uint8_t rest = mask & (uint8_t)~c->shared;
	if (!rest) {
		if (evr_in_frames(address))
			evr_shadow_note_shared(c, word, mask, write);
		return EVR_VISIBLE;
	}
	evr_shadow_touch_word(c, word, rest, write);
	return mask & c->shared ? EVR_PARTLY_VISIBLE : EVR_PRIVATE;
}

/*
 * A single access is visible for all of its bytes or for none. Were some of a buffered store's bytes private, the thread's
 * other accesses to those would go to memory, and miss the store or be overwritten by it.
 */
static inline enum evr_visibility locate(uintptr_t address, size_t size, bool write, const struct evr_site *site)
{
	enum evr_visibility p = find(address, size, write, site);
	if (EVR_LIKELY(p != EVR_PARTLY_VISIBLE))
		return p;
	evr_shadow_share_rest(address, size);
	return EVR_VISIBLE;
}

/* What waits for the thread's stores asks only then whether its object is still there. */
static inline void flush_first(uintptr_t address, const struct evr_site *site)
{
	if (EVR_UNLIKELY(evr_is_contended(address)))
		evr_drain(site);
}

enum evr_visibility evr_access_find(uintptr_t address, size_t size, bool write, const struct evr_site *site)
{
	return find(address, size, write, site);
}

bool evr_access_visible(uintptr_t address, size_t size, bool write, const struct evr_site *site)
{
	return locate(address, size, write, site) == EVR_VISIBLE;
}

static inline bool may_be_read(uintptr_t address, size_t size, const struct evr_site *site)
{
	return !evr_rt.config.uninitialised || site->flags & EVR_SITE_PARTIAL ||
	       evr_shadow_any_initialised(address, size);
}

const char *evr_access_uninitialised(const struct evr_event *e, char **message)
{
	const struct evr_model_ops *m = evr_rt.world.model;
	if ((e->kind == EVR_READ && e->flags & EVR_COPYING) || may_be_read(e->address, e->size, e->site))
		return NULL;
	if (e->kind == EVR_READ && m->forwards && m->forwards(&evr_rt.world, e->thread, e->address, e->size))
		return NULL;
	struct evr_strbuf out;
	evr_strbuf_init(&out);
	evr_name_address(&out, e->address, e->size);
	evr_block_describe(&out, e->address);
	evr_strbuf_puts(&out, " is read before it is written");
	*message = evr_strbuf_take(&out);
	return "uninitialised";
}

static inline void check_initialised(uintptr_t address, size_t size, const struct evr_site *site)
{
	char *message = NULL;
	if (EVR_LIKELY(may_be_read(address, size, site)))
		return;
	struct evr_event e = {
		.kind = EVR_READ, .thread = evr_current->id, .address = address, .size = (uint32_t)size, .site = site
	};
	const char *kind = evr_access_uninitialised(&e, &message);
	if (kind)
		evr_fail(kind, site, "%s", message);
}

/* How much of a plain access that is visible lies before the next cut. */
static __attribute__((noinline)) size_t uncut(uintptr_t address, size_t size, const struct evr_site *site)
{
	for (size_t i = 0; (!site || site->order == EVR_PLAIN) && i < evr_rt.world.knowledge.cuts.len; i++)
		if (evr_rt.world.knowledge.cuts.data[i] - address - 1 < size - 1)
			size = evr_rt.world.knowledge.cuts.data[i] - address;
	return size;
}

/* As a whole it must not be read if nothing of it is initialised; what a piece is, nobody asks. */
static __attribute__((noinline)) evr_value load_pieces(uintptr_t address, size_t size, const struct evr_site *site,
						       bool copying)
{
	evr_value value = 0;
	bool initialised = copying || may_be_read(address, size, site);
	for (size_t n, i = 0; i < size; i += n) {
		n = uncut(address + i, size - i, site);
		struct evr_event *e = evr_event_arrive(EVR_READ, address + i, n, site);
		e->flags = EVR_COPYING;
		evr_event_wait(true);
		value |= e->read << 8 * i;
		initialised |= e->source != EVR_NO_EVENT;
	}
	if (!initialised)
		check_initialised(address, size, site);
	return value;
}

static __attribute__((noinline)) void store_pieces(uintptr_t address, size_t size, evr_value value,
						   const struct evr_site *site)
{
	for (size_t n, i = 0; i < size; i += n) {
		n = uncut(address + i, size - i, site);
		evr_value piece = value >> 8 * i;
		if (n < 16)
			piece &= ((evr_value)1 << 8 * n) - 1;
		evr_event_arrive(EVR_WRITE, address + i, n, site)->written = piece;
		evr_event_wait(true);
	}
}

/* Of a visible access: whether there are data races is a question, then. */
static inline void note_plain(const struct evr_site *site)
{
	if (EVR_UNLIKELY(!evr_rt.plain_shared) && (!site || site->order == EVR_PLAIN))
		evr_rt.plain_shared = evr_thread_has_company();
}

/* Before a visible access: is it a section of its own, to be left afterwards? Does not return if its object is gone. */
static inline bool enter(uintptr_t address, size_t size, bool write, const struct evr_site **site)
{
	note_plain(*site);
	bool guarded = evr_section_enter(address, size, site);
	if (EVR_UNLIKELY(evr_is_contended(address)))
		evr_life_use(address, size, write, *site);
	return guarded;
}

static inline evr_value load_visible(uintptr_t address, size_t size, const struct evr_site *site, bool copying)
{
	if (EVR_UNLIKELY(evr_rt.world.knowledge.cuts.len) && uncut(address, size, site) < size)
		return load_pieces(address, size, site, copying);
	struct evr_event *e = evr_event_arrive(EVR_READ, address, size, site);
	e->flags = copying ? EVR_COPYING : 0;
	evr_event_wait(copying || may_be_read(address, size, site));
	return e->read;
}

/*
 * Is the access to bytes of a word that only the current thread has touched, in its present period, but not in this way before? Then there is
 * nobody to compare it with: what is left to do is to note it in the cell.
 */
static inline bool is_own(const struct evr_cell *c, uintptr_t address, size_t size, uint8_t expected)
{
	return evr_cell_stamp(c) == evr_current->stamp && !evr_current->journaling && evr_in_one_word(address, size) &&
	       c->region == evr_region(address) && !(evr_mask_of(address, size) & (~expected | c->shared)) &&
	       !(c->flags & EVR_CELL_WATCHED);
}

static inline __attribute__((always_inline)) bool load_is_own(uintptr_t address, size_t size,
							      const struct evr_site *site)
{
	struct evr_cell *c = evr_cell(address);
	if (!is_own(c, address, size, c->valid & c->initialised))
		return false;
	evr_current->site = site;
	c->read |= evr_mask_of(address, size);
	return true;
}

/* The same for a store, and if nobody has accessed the word since it began: as evr_cell_claim(). */
static inline __attribute__((always_inline)) bool store_is_own(uintptr_t address, size_t size,
							       const struct evr_site *site)
{
	struct evr_cell *c = evr_cell(address);
	struct evr_thread *t = evr_current;
	const uint64_t mask = evr_mask_of(address, size), own = t->stamp | (address & EVR_REGION_MASK);
	uint64_t state = evr_cell_state(c);
	if (!evr_in_one_word(address, size) || (site && site->order == EVR_SEQ_CST) || t->journaling)
		return false;
	/* In the log, valid, and nothing else. */
	if ((state ^ (EVR_STATE(valid, 0xff) | EVR_STATE(flags, EVR_CELL_LOGGED))) &
	    (EVR_STATE(valid, mask) | EVR_STATE(constant, mask) | EVR_STATE(shared, mask) |
	     EVR_STATE(flags, EVR_CELL_LOGGED | EVR_CELL_WATCHED)))
		return false;
	if (c->stamp != own) {
		if (c->stamp != evr_stamp_nobody(own) ||
		    state & (EVR_STATE(shared, 0xff) | EVR_STATE(flags, EVR_CELL_KEPT)))
			return false;
		c->stamp = own;
		state &= ~(EVR_STATE(read, 0xff) | EVR_STATE(written, 0xff));
	}
	t->site = site;
	evr_cell_set_state(c, state | EVR_STATE(read, mask) | EVR_STATE(initialised, mask) | EVR_STATE(written, mask));
	return true;
}

/* The same of a word that nobody has accessed since it began, and that is still to be logged. */
static inline __attribute__((always_inline)) bool store_is_first(uintptr_t address, size_t size,
								 const struct evr_site *site)
{
	struct evr_cell *c = evr_cell(address);
	struct evr_thread *t = evr_current;
	const uint64_t mask = evr_mask_of(address, size), own = t->stamp | (address & EVR_REGION_MASK);
	uint64_t state = evr_cell_state(c);
	if (c->stamp != evr_stamp_nobody(own) || !evr_in_one_word(address, size) || t->journaling ||
	    (site && site->order == EVR_SEQ_CST))
		return false;
	if ((state ^ EVR_STATE(valid, 0xff)) &
	    (EVR_STATE(valid, mask) | EVR_STATE(constant, mask) | EVR_STATE(shared, 0xff) | EVR_STATE(flags, 0xff)))
		return false;
	evr_undo_word(&evr_rt.world.undo, address);
	c->stamp = own;
	t->site = site;
	state &= ~(EVR_STATE(read, 0xff) | EVR_STATE(written, 0xff));
	evr_cell_set_state(c, state | EVR_STATE(read, mask) | EVR_STATE(initialised, mask) | EVR_STATE(written, mask) |
				      EVR_STATE(flags, EVR_CELL_LOGGED));
	return true;
}

static __attribute__((noinline)) evr_value load(uintptr_t address, size_t size, const struct evr_site *site,
						bool copying)
{
	if (load_is_own(address, size, site))
		return evr_memory_load(address, (unsigned)size);
	enum evr_visibility p = locate(address, size, false, site);
	if (p == EVR_VISIBLE) {
		bool guarded = enter(address, size, false, &site);
		evr_value value = load_visible(address, size, site, copying);
		if (EVR_UNLIKELY(guarded))
			evr_section_accessed(site);
		return value;
	}
	if (p == EVR_PRIVATE && !copying)
		check_initialised(address, size, site);
	return evr_memory_load(address, (unsigned)size);
}

evr_value evr_access_load(uintptr_t address, size_t size, const struct evr_site *site)
{
	return load(address, size, site, false);
}

evr_value evr_access_load_to_copy(uintptr_t address, size_t size, const struct evr_site *site)
{
	return load(address, size, site, true);
}

static inline void store_visible(uintptr_t address, size_t size, evr_value value, const struct evr_site *site)
{
	if (EVR_UNLIKELY(evr_rt.world.knowledge.cuts.len)) {
		store_pieces(address, size, value, site);
		return;
	}
	evr_event_arrive(EVR_WRITE, address, size, site)->written = value;
	evr_event_wait(true);
}

void evr_access_store(uintptr_t address, size_t size, evr_value value, const struct evr_site *site)
{
	if (store_is_own(address, size, site)) {
		evr_memory_store(address, (unsigned)size, value);
		return;
	}
	if (site && site->order == EVR_SEQ_CST)
		flush_first(address, site);
	enum evr_visibility p = locate(address, size, true, site);
	if (p == EVR_VISIBLE) {
		bool guarded = enter(address, size, true, &site);
		store_visible(address, size, value, site);
		if (EVR_UNLIKELY(guarded))
			evr_section_accessed(site);
		return;
	}
	if (p == EVR_PRIVATE)
		evr_shadow_set_initialised(address, size);
	if (site && site->order == EVR_SEQ_CST)
		evr_drain(site);
	evr_memory_store(address, (unsigned)size, value);
}

/* A visible read-modify-write: what it has read. */
static evr_value exchange(struct evr_event *e)
{
	evr_event_wait(may_be_read(e->address, e->size, e->site));
	return e->read;
}

/* One that nobody else sees: what the location holds, when the stores before are in memory. */
static evr_value load_privately(enum evr_visibility p, uintptr_t address, size_t size, const struct evr_site *site)
{
	if (p == EVR_PRIVATE)
		check_initialised(address, size, site);
	evr_drain(site);
	return evr_memory_load(address, (unsigned)size);
}

evr_value evr_access_rmw(uintptr_t address, size_t size, evr_value operand, unsigned op, const struct evr_site *site)
{
	if (evr_rmw_rounds(op) && !evr_rounds_to_nearest())
		evr_unsupported(site, "a floating-point atomic operation while the rounding mode is not to nearest");
	flush_first(address, site);
	enum evr_visibility p = locate(address, size, true, site);
	if (p != EVR_VISIBLE) {
		evr_value old = load_privately(p, address, size, site);
		evr_memory_store(address, (unsigned)size, evr_rmw_result(op, old, operand, (unsigned)size));
		return old;
	}
	bool guarded = enter(address, size, true, &site);
	struct evr_event *e = evr_event_arrive(EVR_RMW, address, size, site);
	e->op = (uint8_t)op;
	e->written = operand;
	evr_value old = exchange(e);
	if (EVR_UNLIKELY(guarded))
		evr_section_accessed(site);
	return old;
}

static evr_value cas(uintptr_t address, size_t size, evr_value expected, evr_value desired, const struct evr_site *site)
{
	flush_first(address, site);
	enum evr_visibility p = locate(address, size, true, site);
	if (p != EVR_VISIBLE) {
		evr_value old = load_privately(p, address, size, site);
		if (old == expected)
			evr_memory_store(address, (unsigned)size, desired);
		return old;
	}
	bool guarded = enter(address, size, true, &site);
	struct evr_event *e = evr_event_arrive(EVR_CAS, address, size, site);
	e->written = desired;
	e->expected = expected;
	evr_value old = exchange(e);
	if (EVR_UNLIKELY(guarded))
		evr_section_accessed(site);
	return old;
}

/* Is this compare-exchange to fail for no reason? That is a choice, as the program's own are: both ways are explored. */
static bool fails_spuriously(uintptr_t address, size_t size, evr_value expected, const struct evr_site *site)
{
	if (!(site->flags & EVR_SITE_WEAK) || evr_current->spurious_cas >= evr_rt.config.spurious_cas)
		return false;
	/* Where nobody else can see to it that it finds something else, it fails anyway or not. */
	if (locate(address, size, true, site) != EVR_VISIBLE && evr_memory_load(address, (unsigned)size) != expected)
		return false;
	if (!evr_choose(2, evr_site_as(site, EVR_PLAIN, 0)))
		return false;
	evr_current->spurious_cas++;
	evr_current->effects++;
	return true;
}

/*
 * A failed compare-exchange like any other for models and engines: it expects what cannot be there. All values of sixteen
 * bytes can; there it is what a failed one is made of.
 */
static evr_value cas_in_vain(uintptr_t address, size_t size, const struct evr_site *site)
{
	if (size < sizeof(evr_value))
		return cas(address, size, ~(evr_value)0, 0, site);
	evr_drain(site);
	return evr_access_load(address, size, evr_site_as(site, evr_site_failure(site), 0));
}

evr_value evr_access_cas(uintptr_t address, size_t size, evr_value expected, evr_value desired,
			 const struct evr_site *site)
{
	evr_current->cas_failed = false;
	if (EVR_LIKELY(!fails_spuriously(address, size, expected, site)))
		return cas(address, size, expected, desired, site);
	evr_value old = cas_in_vain(address, size, site);
	/* Then it had a reason: that execution is explored where it does not fail spuriously. */
	if (old != expected)
		evr_give_up(site);
	evr_current->cas_failed = true;
	return old;
}

uint8_t evr_cas_failed(void)
{
	return evr_current->cas_failed;
}

/* Before an atomic access: a fence that the program does not have, but is checked with. */
static inline void fence_before(const struct evr_site *site)
{
	if (EVR_UNLIKELY(site->flags & EVR_SITE_FENCED))
		evr_fence(evr_orders_fence(site));
}

static inline bool is_fenced(const void *site)
{
	return ((const struct evr_site *)site)->flags & EVR_SITE_FENCED;
}

/* What the stamp of the access's cell is on the fast path, if the access is aligned; or else nothing that a cell has. */
#define OWN(a, size) (evr_current->fast.stamp ^ ((a) & (EVR_REGION_MASK | ((size) - 1))))

/* Are all bytes of an aligned access in both masks of its word? Often the whole word is. */
#define COVERS(one, two, address, size) \
	(evr_cell_whole(&(one)) || !(~((unsigned)((one) & (two)) >> ((address) & 7)) & ((1u << (size)) - 1)))

/* Behind the fast path, what is still cheap, in functions that need no frame. */
#define ACCESSES(size, type) \
	static __attribute__((noinline)) type read_own##size(void *p, void *site) \
	{ \
		uintptr_t a = (uintptr_t)p; \
		fence_before(site); \
		return (type)(load_is_own(a, size, site) ? evr_memory_load(a, size) : load(a, size, site, false)); \
	} \
	static __attribute__((noinline)) void write_first##size(uintptr_t a, type value, const struct evr_site *site) \
	{ \
		if (store_is_first(a, size, site)) \
			evr_memory_store(a, size, value); \
		else \
			evr_access_store(a, size, value, site); \
	} \
	static __attribute__((noinline)) void write_own##size(void *p, type value, void *site) \
	{ \
		uintptr_t a = (uintptr_t)p; \
		fence_before(site); \
		if (store_is_own(a, size, site)) \
			evr_memory_store(a, size, value); \
		else \
			write_first##size(a, value, site); \
	} \
	type evr_read##size(void *p, void *site) \
	{ \
		uintptr_t a = (uintptr_t)p; \
		const struct evr_cell *c = evr_cell(a); \
		if (EVR_LIKELY(c->stamp == OWN(a, size) && COVERS(c->read, c->initialised, a, size) && \
			       !is_fenced(site))) { \
			type value; /* which may lie anywhere */ \
			memcpy(&value, p, size); \
			return value; \
		} \
		return read_own##size(p, site); \
	} \
	void evr_write##size(void *p, type value, void *site) \
	{ \
		uintptr_t a = (uintptr_t)p; \
		const struct evr_cell *c = evr_cell(a); \
		if (EVR_LIKELY(c->stamp == OWN(a, size) && COVERS(c->initialised, c->written, a, size) && \
			       ((const struct evr_site *)site)->order != EVR_SEQ_CST && !is_fenced(site))) \
			memcpy(p, &value, size); \
		else \
			write_own##size(p, value, site); \
	} \
	RMWS(size, type)

#define RMWS(size, type) \
	type evr_rmw##size(void *p, type operand, uint32_t op, void *site) \
	{ \
		fence_before(site); \
		return (type)evr_access_rmw((uintptr_t)p, size, operand, op, site); \
	} \
	type evr_cas##size(void *p, type expected, type desired, void *site) \
	{ \
		fence_before(site); \
		return (type)evr_access_cas((uintptr_t)p, size, expected, desired, site); \
	}

ACCESSES(1, uint8_t)
ACCESSES(2, uint16_t)
ACCESSES(4, uint32_t)
ACCESSES(8, uint64_t)
RMWS(16, evr_value)

evr_value evr_read16(void *p, void *site)
{
	fence_before(site);
	return load((uintptr_t)p, 16, site, false);
}

void evr_write16(void *p, evr_value value, void *site)
{
	fence_before(site);
	evr_access_store((uintptr_t)p, 16, value, site);
}

void evr_fence(void *p)
{
	const struct evr_site *site = p;
	evr_current->site = site;
	if (evr_rt.world.model->fences >> site->order & 1) {
		evr_event_arrive(EVR_FENCE, 0, 0, site);
		evr_event_wait(true);
	} else if (site->order == EVR_RELAXED) {
		/* None, but with other orders it may be one (keeper.h). */
		if (evr_rt.config.keeper >= 0)
			evr_record(EVR_FENCE, site, 0);
	} else if (evr_races_wanted() || evr_rt.world.skips_ordered) {
		evr_record(EVR_FENCE, site, 0);
		if (evr_rt.world.skips_ordered)
			evr_period_note(evr_current, &evr_vec_last(&evr_rt.world.trace.events));
	}
}
