/*
 * Who has touched a word in this execution, and whether that is ordered.
 *
 * Invariant: a word that one thread alone has touched, in one period, has that in its cell. Otherwise its stamp leads to a list of visits,
 * which has each thread's accesses to the word; where the model skips ordered accesses, only those that somebody who comes later might still conflict with
 * while being ordered with all others.
 */
#include "runtime/memory/shadow.h"
#include "runtime/runtime.h"

#include <string.h>

#define NO_VISIT UINT32_C(0x7fffffff)

static uint32_t add_visit(evr_thread_id thread, uint16_t period, uint8_t read, uint8_t written, uint32_t next)
{
	evr_vec_push(&evr_execution.visits, (struct evr_visit){ thread, period, read, written, next });
	return (uint32_t)(evr_execution.visits.len - 1);
}

/* The stamp's one visitor becomes the first of a list. */
static void open_list(struct evr_cell *c)
{
	uint32_t low = (uint32_t)c->stamp;
	if (low & EVR_STAMP_MANY)
		return;
	uint32_t head =
		add_visit(evr_stamp_thread(low), (uint16_t)evr_stamp_period(low), c->read, c->written, NO_VISIT);
	evr_cell_set_stamp(c, evr_stamp(evr_execution.number, EVR_STAMP_MANY | head));
	c->read = c->written = 0;
}

/*
 * Locals are shared unless create and join order their accesses, in two cases. Where threads wait in loops, what they do to locals goes
 * unnoticed if an iteration is left out (evr_retry_release()). And where another local may have been before, which the access is to: of locals that
 * are shared, memory is not used again.
 */
static bool is_strict(uintptr_t word)
{
	return evr_in_frames(word) && (evr_rt.world.knowledge.waits ||
				       (word < EVR_TLS && (word - EVR_FRAMES) % EVR_FRAMES_SIZE >= EVR_USED_ONCE));
}

/* Is the other thread's visit ordered before the current thread's present? */
static bool is_ordered(const struct evr_visit *v, uintptr_t word)
{
	if (EVR_UNLIKELY(is_strict(word)))
		return evr_period_is_joined(v->thread, v->period);
	return evr_period_is_ordered(v->thread, v->period);
}

/* The bytes that an access by the current thread conflicts on with others that are not ordered with it. */
static uint8_t unordered(const struct evr_cell *c, uintptr_t word, uint8_t mask, bool write)
{
	const struct evr_thread *t = evr_current;
	uint8_t conflict = 0;
	for (uint32_t i = (uint32_t)c->stamp & ~EVR_STAMP_MANY; i != NO_VISIT; i = evr_execution.visits.data[i].next) {
		const struct evr_visit *v = &evr_execution.visits.data[i];
		uint8_t common = mask & (uint8_t)(write ? v->read | v->written : v->written);
		if (common && v->thread != t->id && !is_ordered(v, word))
			conflict |= common;
	}
	return conflict;
}

/*
 * What others have left there, known to the current thread by no event, is part of what it has seen (world.history): bytes that were written
 * by threads that create and join do not order before it.
 */
static void note_seen(const struct evr_cell *c, uintptr_t word, uint8_t mask)
{
	uint8_t left = 0;
	uint64_t value;
	for (uint32_t i = (uint32_t)c->stamp & ~EVR_STAMP_MANY; i != NO_VISIT; i = evr_execution.visits.data[i].next) {
		const struct evr_visit *v = &evr_execution.visits.data[i];
		if (v->thread != evr_current->id && !evr_period_is_joined(v->thread, v->period))
			left |= mask & v->written;
	}
	if (!left)
		return;
	memcpy(&value, (const void *)word, sizeof(value));
	for (unsigned i = 0; i < 8; i++)
		if (!(left >> i & 1))
			value &= ~(UINT64_C(0xff) << 8 * i);
	evr_history_add(&evr_rt.world.history[evr_current->id], value);
}

/*
 * The current thread accesses these bytes after that visit, its own or one that is ordered before. Whoever is not ordered with the visit is not with
 * this access either, and conflicts with it if this one writes; or if both are reads of the same thread.
 */
static void cover(struct evr_visit *v, uint8_t mask, bool write)
{
	v->read &= (uint8_t)~mask;
	v->written &= write ? (uint8_t)~mask : 0xff;
}

bool evr_shadow_is_doubtful(void)
{
	return EVR_UNLIKELY(evr_execution.unsynchronised) && evr_rt.world.skips_ordered;
}

static void share_conflict(uintptr_t word, uint8_t conflict)
{
	const struct evr_thread *t = evr_current;
	bool plain = !t->locking && (!t->site || t->site->order == EVR_PLAIN);
	if (plain && evr_shadow_is_doubtful())
		return;
	evr_shadow_share_bytes(word, conflict);
	evr_execution.unsynchronised |= !plain;
}

/* Several threads, or periods of one, have touched the word: compare with each, forget those that do not count any more, and join them. */
static void visit(struct evr_cell *c, uintptr_t word, uint8_t mask, bool write)
{
	const struct evr_thread *t = evr_current;
	const bool skips = evr_rt.world.skips_ordered;
	uint8_t conflict = 0;
	uint32_t head = (uint32_t)c->stamp & ~EVR_STAMP_MANY, *link = &head;
	struct evr_visit *mine = NULL;
	if (skips && EVR_UNLIKELY(evr_rt.world.knowledge.waits))
		note_seen(c, word, mask);
	while (*link != NO_VISIT) {
		struct evr_visit *v = &evr_execution.visits.data[*link];
		uint8_t common = mask & (uint8_t)(write ? v->read | v->written : v->written);
		if (v->thread == t->id && v->period == evr_present(t))
			mine = v;
		else if (v->thread == t->id && skips)
			cover(v, mask, write);
		else if (v->thread != t->id && common && !is_ordered(v, word))
			conflict |= common;
		else if (v->thread != t->id && common && write && skips)
			cover(v, mask, write);
		if (v == mine || v->read | v->written)
			link = &v->next;
		else
			*link = v->next;
	}
	if (EVR_UNLIKELY(conflict & ~c->shared))
		share_conflict(word, conflict & (uint8_t)~c->shared);
	if (mine) {
		mine->read |= write ? 0 : mask;
		mine->written |= write ? mask : 0;
	} else {
		head = add_visit(t->id, evr_present(t), write ? 0 : mask, write ? mask : 0, head);
	}
	evr_cell_set_stamp(c, evr_stamp(evr_execution.number, EVR_STAMP_MANY | head));
}

/* The first to touch the word in this execution stamps it. */
static void stamp_first(struct evr_cell *c)
{
	bool fresh = !evr_cell_is_of(c, evr_execution.number);
	if (!fresh && (uint32_t)c->stamp != EVR_STAMP_NOBODY)
		return;
	if (fresh) {
		evr_shadow_note_touched(c);
		c->flags &= EVR_CELL_KEPT;
	}
	evr_cell_set_stamp(c, evr_current->stamp);
	c->read = c->written = 0;
}

void evr_shadow_note_shared(struct evr_cell *c, uintptr_t word, uint8_t mask, bool write)
{
	stamp_first(c);
	/* In a list at once: what is in the cell itself opens the fast path. */
	open_list(c);
	visit(c, word, mask, write);
}

static void note_in_journal(uintptr_t word, uint8_t mask, bool write)
{
	if (write)
		evr_journal_word(word);
	else
		evr_journal_look(word, mask);
}

/* Has only the current thread touched the word, in one period? */
static bool is_alone(const struct evr_cell *c)
{
	uint32_t low = (uint32_t)c->stamp;
	return !(low & EVR_STAMP_MANY) && evr_stamp_thread(low) == evr_current->id;
}

/* Only the current thread has touched the word, in an earlier period. That one counts for what is not covered now. */
static void touch_again(struct evr_cell *c, uint8_t mask, bool write)
{
	const struct evr_thread *t = evr_current;
	struct evr_visit before = { t->id, (uint16_t)evr_stamp_period((uint32_t)c->stamp), c->read, c->written,
				    NO_VISIT };
	if (evr_rt.world.skips_ordered)
		cover(&before, mask, write);
	if (!(before.read | before.written)) {
		evr_cell_set_stamp(c, t->stamp);
		c->read = mask;
		c->written = write ? mask : 0;
		return;
	}
	uint32_t head = add_visit(before.thread, before.period, before.read, before.written, NO_VISIT);
	head = add_visit(t->id, evr_present(t), write ? 0 : mask, write ? mask : 0, head);
	evr_cell_set_stamp(c, evr_stamp(evr_execution.number, EVR_STAMP_MANY | head));
	c->read = c->written = 0;
}

/* Has the current thread been here in its present period, in the same way, and nobody since? */
static bool is_repeated(const struct evr_cell *c, uint8_t mask, bool write)
{
	uint32_t low = (uint32_t)c->stamp;
	if (!(low & EVR_STAMP_MANY) || low == (EVR_STAMP_MANY | NO_VISIT) || evr_rt.world.knowledge.waits)
		return false;
	const struct evr_visit *v = &evr_execution.visits.data[low & ~EVR_STAMP_MANY];
	return v->thread == evr_current->id && v->period == evr_present(evr_current) &&
	       !(mask & ~(write ? v->written : v->read));
}

void evr_shadow_touch_word(struct evr_cell *c, uintptr_t word, uint8_t mask, bool write)
{
	struct evr_thread *t = evr_current;
	stamp_first(c);
	if (EVR_UNLIKELY(t->journaling))
		note_in_journal(word, mask, write);
	if (EVR_UNLIKELY(c->flags & EVR_CELL_WATCHED))
		evr_watchers_notice(word, mask, write);
	if (write && !(c->flags & EVR_CELL_LOGGED)) {
		evr_undo_word(&evr_rt.world.undo, word);
		c->flags |= EVR_CELL_LOGGED;
	}
	if (evr_cell_stamp(c) == t->stamp) {
		/* A byte that it wrote it may read: a write conflicts with more than a read does. */
		c->read |= mask;
		c->written |= write ? mask : 0;
		return;
	}
	if (is_alone(c)) {
		touch_again(c, mask, write);
		return;
	}
	if (is_repeated(c, mask, write))
		return;
	open_list(c);
	visit(c, word, mask, write);
}

void evr_shadow_give_back(uintptr_t address, size_t size)
{
	uint64_t nobody = evr_stamp(evr_execution.number, EVR_STAMP_NOBODY);
	for (uintptr_t word = address & ~(uintptr_t)7; word < address + size; word += 8) {
		struct evr_cell *c = evr_cell(word);
		if (EVR_UNLIKELY(c->flags & EVR_CELL_WATCHED))
			evr_watchers_notice(word, evr_mask_in(word, address, size) & (uint8_t)~c->shared, true);
		if (evr_cell_stamp(c) == evr_current->stamp || evr_cell_stamp(c) == nobody)
			continue;
		uint8_t mask = evr_mask_in(word, address, size) & (uint8_t)~c->shared;
		open_list(c);
		visit(c, word, mask, true);
	}
}

void evr_shadow_leave(uintptr_t address, size_t size)
{
	uint64_t nobody = evr_stamp(evr_execution.number, EVR_STAMP_NOBODY);
	bool conflict = false;
	for (uintptr_t word = address & ~(uintptr_t)7; word < address + size; word += 8) {
		struct evr_cell *c = evr_cell(word);
		if (evr_cell_stamp(c) == nobody || is_alone(c))
			continue;
		open_list(c);
		uint8_t bytes =
			evr_shadow_is_doubtful() ? 0 : unordered(c, word, evr_mask_in(word, address, size), true);
		if (bytes & ~c->shared)
			evr_shadow_share_bytes(word, bytes & (uint8_t)~c->shared);
		conflict |= bytes != 0;
	}
	if (conflict && !(evr_cell(address)->flags & EVR_CELL_CONTENDED))
		evr_shadow_contend(address, size);
}

void evr_shadow_touch(uintptr_t address, size_t size, bool write)
{
	for (uintptr_t word = address & ~(uintptr_t)7; word < address + size; word += 8) {
		struct evr_cell *c = evr_cell(word);
		/* Bytes that are shared already need no watching; leaving them out keeps the fast path away from them. */
		uint8_t mask = evr_mask_in(word, address, size) & (uint8_t)~c->shared;
		if (mask)
			evr_shadow_touch_word(c, word, mask, write);
		else if (evr_in_frames(word))
			evr_shadow_note_shared(c, word, evr_mask_in(word, address, size), write);
	}
}

void evr_shadow_touch_lock(uintptr_t address)
{
	evr_current->locking = true;
	evr_shadow_touch(address, sizeof(uint32_t), true);
	evr_current->locking = false;
}
