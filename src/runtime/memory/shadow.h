/*
 * Shadow memory: what is known of each word of the program's memory.
 *
 * Two things in one cell. First, whether the word's bytes may be accessed and are initialised. Second, who accessed them
 * in this execution, to find out which locations are *shared*: accessed by two threads, unordered by create and join or, if
 * the model skips ordered accesses, by happens-before, one of them writing; or accessed together with a byte that is. Only
 * accesses to shared bytes are visible events. When a byte turns out to be shared, the search starts again with that
 * knowledge; `shared` outlives an execution, and little else of a cell does.
 *
 * `stamp` makes the common case one comparison: it holds the execution, the thread and its period, if only that thread in
 * that period has touched the word. A period ends with a create, so that an access before it is ordered before the new
 * thread and one after it is not; and perhaps with a release (runtime/threads/period.c). If there were others, the stamp's low
 * half leads to a list.
 */
#ifndef EVR_SHADOW_H
#define EVR_SHADOW_H

#include "event/knowledge.h"
#include "runtime/execution.h"
#include "runtime/memory/layout.h"
#include "runtime/runtime.h"

#include <string.h>

enum evr_cell_flag {
	EVR_CELL_LOGGED = 1, /* in the undo log, if the stamp is of this execution */
	EVR_CELL_CONTENDED = 2, /* of an object that one thread ends while others may use it; outlives an execution */
	EVR_CELL_SECTION = 4, /* atomic sections use some byte of it: section.c; outlives an execution */
	EVR_CELL_WATCHED = 8, /* evr_watch(); outlives an execution */
	EVR_CELL_KEPT = EVR_CELL_CONTENDED | EVR_CELL_SECTION | EVR_CELL_WATCHED,
};

#define EVR_STAMP_NOBODY UINT32_C(0x7fffffff) /* low half: touched by nobody yet */
#define EVR_STAMP_MANY UINT32_C(0x80000000) /* low half: this bit and the head of a list */

/*
 * Bits of a stamp: 3 to 15 the thread, 16 to 30 its period; 31 or all of these: see above. Around the region, which is left 0 here, the number of the
 * execution.
 */
#define EVR_LAST_NUMBER ((UINT32_C(1) << 24) - 1) /* of an execution */

static inline uint64_t evr_stamp(uint32_t execution, uint32_t low)
{
	return (uint64_t)(execution & 0x3f) << 32 | (uint64_t)(execution >> 6) << 46 | low;
}

/* The stamp of a cell that nobody has touched in the execution of this other stamp. */
static inline uint64_t evr_stamp_nobody(uint64_t stamp)
{
	_Static_assert((EVR_STAMP_NOBODY & (EVR_STAMP_NOBODY + 1)) == 0, "all bits of a thread's low half");
	return stamp | EVR_STAMP_NOBODY;
}

static inline uint32_t evr_stamp_of_thread(evr_thread_id thread, uint32_t period)
{
	_Static_assert(EVR_MAX_THREADS <= 1 << 13, "13 bits of a stamp tell the thread");
	return period << 16 | (uint32_t)thread << 3;
}

static inline evr_thread_id evr_stamp_thread(uint32_t low)
{
	return (evr_thread_id)(low >> 3 & 0x1fff);
}

static inline uint32_t evr_stamp_period(uint32_t low)
{
	return low >> 16;
}

/* The cell's stamp, but for the region. */
static inline uint64_t evr_cell_stamp(const struct evr_cell *c)
{
	return c->stamp & ~EVR_REGION_MASK;
}

/* The region is the cell's own. */
static inline void evr_cell_set_stamp(struct evr_cell *c, uint64_t stamp)
{
	c->stamp = stamp | (uint64_t)c->region << EVR_WINDOW_BITS;
}

/* Was it stamped in this execution? */
static inline bool evr_cell_is_of(const struct evr_cell *c, uint32_t execution)
{
	return !((c->stamp ^ evr_stamp(execution, 0)) & evr_stamp(UINT32_MAX, 0));
}

static inline struct evr_cell *evr_cell(uintptr_t address)
{
	_Static_assert(sizeof(struct evr_cell) == 16, "a cell is twice as large as its word");
	return (struct evr_cell *)(EVR_CELLS_BASE + 2 * (address & EVR_WINDOW_MASK & ~UINT64_C(7)));
}

/* All of a cell but its stamp, to be looked at in one go. */
static inline uint64_t evr_cell_state(const struct evr_cell *c)
{
	uint64_t state;
	memcpy(&state, &c->read, sizeof(state));
	return state;
}

static inline void evr_cell_set_state(struct evr_cell *c, uint64_t state)
{
	memcpy(&c->read, &state, sizeof(state));
}

/* A mask, or the flags, in the place that they have in a state. */
#define EVR_STATE(member, bits) \
	((uint64_t)(bits) << 8 * (offsetof(struct evr_cell, member) - offsetof(struct evr_cell, read)))

/* Are all bytes of a word in both of two masks that lie side by side? One comparison tells. */
static inline bool evr_cell_whole(const uint8_t *masks)
{
	uint16_t both;
	memcpy(&both, masks, sizeof(both));
	return both == UINT16_MAX;
}

static inline uint8_t evr_region(uintptr_t address)
{
	return (uint8_t)(address >> EVR_WINDOW_BITS);
}

/* Memory that comes and goes within an execution; the program's arguments are there always. */
static inline bool evr_in_arena(uintptr_t address)
{
	return address - EVR_ARENA_BASE < EVR_ARGUMENTS - EVR_ARENA_BASE;
}

/* The bytes of [address, address + size) within the word that starts at `word`, as a mask. */
static inline uint8_t evr_mask_in(uintptr_t word, uintptr_t address, size_t size)
{
	unsigned from = address > word ? (unsigned)(address - word) : 0;
	unsigned to = address + size < word + 8 ? (unsigned)(address + size - word) : 8;
	return (uint8_t)((0xffu << from) & (0xffu >> (8 - to)));
}

/* The same where the bytes are known to be of one word. */
static inline uint8_t evr_mask_of(uintptr_t address, size_t size)
{
	return (uint8_t)((0xffu >> (8 - (size & 15))) << (address & 7));
}

static inline bool evr_in_one_word(uintptr_t address, size_t size)
{
	return (address & 7) + size <= 8;
}

/* Does the cell describe this address, in this execution? */
static inline bool evr_cell_current(const struct evr_cell *c, uintptr_t address, uint32_t execution)
{
	return c->region == evr_region(address) && (!evr_in_arena(address) || evr_cell_is_of(c, execution));
}

/*
 * The current thread is the first to access, by a write, a word that was created in this execution: as evr_shadow_touch_word(), if there is nothing
 * else to see to. Which of its bytes are written is still to be noted.
 */
static inline bool evr_cell_claim(struct evr_cell *c, uintptr_t address)
{
	uint64_t nobody = evr_stamp(evr_execution.number, EVR_STAMP_NOBODY);
	if (evr_cell_stamp(c) != nobody || c->flags & EVR_CELL_KEPT || c->shared || evr_current->journaling ||
	    c->region != evr_region(address))
		return false;
	if (!(c->flags & EVR_CELL_LOGGED))
		evr_undo_word(&evr_rt.world.undo, address);
	c->flags |= EVR_CELL_LOGGED;
	evr_cell_set_stamp(c, evr_current->stamp);
	c->read = c->written = 0;
	return true;
}

/* Before the first access of the execution to the word. */
static inline void evr_shadow_note_touched(struct evr_cell *c)
{
	if (evr_execution.has_marks)
		evr_vec_push(&evr_execution.touched, (struct evr_touched){ c, *c });
}

/* Map the cells and the arena. */
void evr_shadow_init(void);
/* At the end of an execution: globals hold their initial values again. All else is forgotten with the execution's number, at no cost. */
void evr_shadow_restore(void);
/* Numbers of executions have come to their end: start from clean cells, with what outlives executions put back. */
void evr_shadow_renew(void);
/* Memory that exists in every execution: globals. */
void evr_shadow_global(uintptr_t address, size_t size, bool constant);
/* Memory of the arena comes into being or goes away, in this execution. */
void evr_shadow_create(uintptr_t address, size_t size, bool initialised);
bool evr_shadow_destroy(uintptr_t address, size_t size); /* was any of it shared? */
/* The same, if the current thread alone has used it, and nothing is known of it that outlives the execution. False: nothing was done. */
bool evr_shadow_destroy_own(uintptr_t address, size_t size);
bool evr_shadow_valid(uintptr_t address, size_t size);
/* Is any of the bytes initialised? */
bool evr_shadow_all_initialised(uintptr_t address, size_t size);
bool evr_shadow_any_initialised_slowly(uintptr_t address, size_t size);
static inline bool evr_shadow_any_initialised(uintptr_t address, size_t size)
{
	if (EVR_LIKELY(evr_in_one_word(address, size)))
		return evr_cell(address)->initialised & evr_mask_of(address, size);
	return evr_shadow_any_initialised_slowly(address, size);
}
/* Are all of them valid and initialised, in one go? */
bool evr_shadow_sound(uintptr_t address, size_t size);
bool evr_shadow_set_initialised_slowly(uintptr_t address, size_t size);
/* Was any of them not? */
static inline bool evr_shadow_set_initialised(uintptr_t address, size_t size)
{
	if (EVR_UNLIKELY(!evr_in_one_word(address, size)))
		return evr_shadow_set_initialised_slowly(address, size);
	uint8_t *known = &evr_cell(address)->initialised, mask = evr_mask_of(address, size);
	bool fresh = mask & ~*known;
	*known |= mask;
	return fresh;
}
void evr_shadow_copy_initialised(uintptr_t to, uintptr_t from, size_t size);
bool evr_shadow_shared(uintptr_t address, size_t size); /* any of the bytes */
bool evr_shadow_all_shared(uintptr_t address, size_t size);
/* One access needs all of the bytes to be shared, because some are. */
void evr_shadow_share_rest(uintptr_t address, size_t size);
/*
 * Did an access in this execution synchronise threads, perhaps, that was not known to be an event? Then who seems not to be ordered may
 * well be, where the model skips ordered accesses. What plain accesses share is found out when that is an event.
 */
bool evr_shadow_is_doubtful(void);
/* The current thread accesses valid memory. Finds new shared bytes; logs the old contents before a write. */
void evr_shadow_touch(uintptr_t address, size_t size, bool write);
/* The same as evr_shadow_touch() for a lock, which is given back or taken: threads synchronise by it. */
void evr_shadow_touch_lock(uintptr_t address);
/*
 * The current thread gives the memory back, which is as a write to all of it: others may not use it at the same time. Finds
 * new shared bytes; nothing is logged.
 */
void evr_shadow_give_back(uintptr_t address, size_t size);
/* The same for a local, which becomes contended if another thread uses it before or after: runtime/memory/lifetime.h. */
void evr_shadow_leave(uintptr_t address, size_t size);
/* The same as evr_shadow_touch() for bytes of one word, none of them known to be shared. */
void evr_shadow_touch_word(struct evr_cell *c, uintptr_t word, uint8_t mask, bool write);

/* Memory of locals and of threads' own variables: there, accesses to shared bytes are noted too, for evr_shadow_leave(). */
static inline bool evr_in_frames(uintptr_t address)
{
	return address - EVR_FRAMES < EVR_FRAMES_END - EVR_FRAMES;
}
void evr_shadow_note_shared(struct evr_cell *c, uintptr_t word, uint8_t mask, bool write);

/*
 * watch.c: the current thread reads these bytes, in executions in which nobody will see it: who writes them shares them with it. Or it
 * writes them: so does who reads them.
 */
void evr_watch(uintptr_t word, uint8_t mask, bool writes);
/* The current thread accesses the word, in part. Does somebody do so, too, who does not come before, nor after? */
void evr_watchers_notice(uintptr_t word, uint8_t mask, bool write);
void evr_watchers_renew(void); /* shadow cells were cleared */
/* These bytes of the word are shared from now on. */
void evr_shadow_share_bytes(uintptr_t word, uint8_t mask);

/* Mark in cells all that is known: event/knowledge.h. */
void evr_shadow_apply_knowledge(void);
/* Learn more. */
void evr_shadow_contend(uintptr_t object, size_t size);
void evr_shadow_share(uintptr_t address, size_t size);

#endif
