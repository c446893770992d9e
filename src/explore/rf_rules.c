/*
 * Which branches does an execution have? The rules, by their numbers, are in docs/engines/rf.md.
 *
 * Invariant: a branch is proposed with all that must be there for it, as a clock: what is in the past of its new source, or of the
 * event that moves.
 */
#include "explore/rf_search.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NONE EVR_NO_EVENT
#ifndef EVR_RF_LONG
#define EVR_RF_LONG 256 /* events; in shorter executions, all branches are found at once */
#endif

static bool is_lock(unsigned kind)
{
	return kind == EVR_LOCK || kind == EVR_TRYLOCK || kind == EVR_TIMEDLOCK;
}

static int32_t *room_for_past(struct evr_rf_search *f)
{
	if (EVR_UNLIKELY(f->room.width != f->t.clocks.width)) {
		/* The trace may have been cleared, and have fewer threads than before. */
		evr_clocks_release(&f->room);
		evr_clocks_resize(&f->room, f->t.clocks.width, 1, 0);
		f->past = evr_clocks_at(&f->room, 0);
	}
	return f->past;
}

int32_t *evr_rf_past_of(struct evr_rf_search *f, const struct evr_rf_changed *c)
{
	evr_rf_program_past(&f->t, &c->event, c->afters, room_for_past(f));
	return f->past;
}

/* A past without events. */
static int32_t *no_past(struct evr_rf_search *f)
{
	evr_clock_clear(room_for_past(f), f->room.width);
	return f->past;
}

/* Is w certainly before the write y in coherence? */
static bool is_overwritten(const struct evr_rf_search *f, evr_event_id w, evr_event_id y)
{
	if (EVR_UNLIKELY(f->oracle->ops->is_overwritten != NULL))
		return f->oracle->ops->is_overwritten(f->oracle, w, y);
	return y != w && evr_rf_before(&f->t, w, y);
}

/* The rest, up to may_read(), is for models whose oracle leaves it to the engine which writes are hidden. */

/* Is i a write to x's cell, in its past? */
static bool hides(const struct evr_rf *t, const struct evr_rf_event *x, const int32_t *past, evr_event_id i)
{
	const struct evr_rf_event *y = &t->events.data[i];
	return y->flags & EVR_RF_WRITES && evr_clock_has(past, y->thread, y->index) && evr_rf_covers(y, x->cell);
}

/* Has one of those that hide others overwritten it? */
static bool is_hidden(const struct evr_rf_search *f, evr_event_id w)
{
	for (size_t i = 0; i < f->hiding.len; i++)
		if (f->hiding.data[i] != w && evr_rf_before(&f->t, w, f->hiding.data[i]))
			return true;
	return false;
}

/* What r, which comes after all that is in `past`, cannot have missed: of each thread, the last write in it. */
static void find_hiding(struct evr_rf_search *f, evr_event_id r, const int32_t *past)
{
	const struct evr_rf *t = &f->t;
	const struct evr_rf_event *x = &t->events.data[r];
	if (f->hiding_from == r)
		return;
	f->hiding_from = r;
	evr_vec_clear(&f->hiding);
	if (EVR_LIKELY(!t->locations.all.data[x->location].mixed)) {
		for (unsigned i = 0; i < t->threads; i++) {
			evr_event_id w =
				evr_rf_write_upto(t, evr_rf_access_before(t, x->location, i, (uint32_t)past[i]));
			if (w != NONE)
				evr_vec_push(&f->hiding, w);
		}
		return;
	}
	for (evr_event_id i = evr_rf_last(t, x->location); i != NONE; i = t->events.data[i].older)
		if (hides(t, x, past, i))
			evr_vec_push(&f->hiding, i);
}

/* MAYREAD: nobody whom r comes after must have overwritten w, knowing of it. Whoever knows of w has a larger number, and r's past has smaller ones than r. */
static bool may_read_from(struct evr_rf_search *f, evr_event_id r, evr_event_id w, const int32_t *past,
			  evr_event_id node)
{
	if (EVR_UNLIKELY(f->oracle->ops->may_read != NULL))
		return f->oracle->ops->may_read(f->oracle, r, w, past, node);
	if (w != NONE && w > r)
		return true;
	find_hiding(f, r, past);
	return w == NONE ? !f->hiding.len : !is_hidden(f, w);
}

static bool may_read(struct evr_rf_search *f, evr_event_id r, evr_event_id w, const int32_t *past)
{
	return may_read_from(f, r, w, past, f->node_of.data[r]);
}

/* What happens before an event of the trace through program order. Valid until something is copied. */
static const int32_t *program_past(struct evr_rf_search *f, evr_event_id e)
{
	const struct evr_rf_event *x = &f->t.events.data[e];
	room_for_past(f);
	if (EVR_LIKELY(x->index && !x->afters))
		return evr_rf_past(&f->t, f->t.of_thread[x->thread].data[x->index - 1]);
	struct evr_rf_changed same = evr_rf_copy(&f->t, e, 0);
	return evr_rf_past_of(f, &same);
}

bool evr_rf_may_read(struct evr_rf_search *f, evr_event_id r, evr_event_id w)
{
	/* Where stores are reordered, what is hidden depends on where the search is. */
	return f->t.reorders_stores || may_read_from(f, r, w, program_past(f, r), NONE);
}

bool evr_rf_may_read_at(struct evr_rf_search *f, evr_event_id r, evr_event_id w, evr_event_id node)
{
	return may_read_from(f, r, w, program_past(f, r), node);
}

/* Would the event, as it is changed, end an iteration that is known to change nothing? `value`: what it would read. */
static bool is_futile(const struct evr_rf_search *f, const struct evr_rf_changed *c, evr_value value)
{
	const struct evr_rf *t = &f->t;
	if (EVR_LIKELY(!f->world->futile.len) || c->id == NONE)
		return false;
	evr_event_id position = t->position.data[t->rank.data[c->id]];
	return evr_model_futile_if(f->world, &t->trace->events.data[position], f->world->before.data[position], value);
}

bool evr_rf_reads_in_vain(const struct evr_rf_search *f, const struct evr_rf_changed *c, bool writes)
{
	if (EVR_LIKELY(!f->world->futile.len))
		return false;
	switch (c->event.kind) {
	case EVR_TRYLOCK:
		return !writes && is_futile(f, c, EBUSY);
	case EVR_READ:
	case EVR_RMW:
	case EVR_CAS:
		return c->event.cells == 1 && is_futile(f, c, evr_rf_value_from(&f->t, c, NULL, 0));
	default:
		return false;
	}
}

/*
 * Is w over before r's source is written? Then r, which does not go on with w, has but to wait. Were it not, then what happens
 * between w and another write that r goes on with might depend on whether r comes before w.
 */
static bool is_over(const struct evr_rf_search *f, evr_event_id r, evr_event_id w)
{
	evr_event_id source = f->t.events.data[r].source;
	return source != NONE && (w == NONE || is_overwritten(f, w, source));
}

static void displace(struct evr_rf_search *f, evr_event_id r, const struct evr_rf_changed *w);

/*
 * r does not go on if it reads from w, and so waits until that is over. If w is a read-modify-write, it might have come before
 * w, reading what w reads: as if w had been a lock.
 */
static void pass_over(struct evr_rf_search *f, evr_event_id r, evr_event_id w)
{
	struct evr_rf *t = &f->t;
	while (w != NONE && w < r && t->events.data[w].flags & EVR_RF_READS &&
	       !evr_kind_is_mutex(t->events.data[w].kind) && t->events.data[w].cells == 1) {
		struct evr_rf_changed c = evr_rf_changed(t, r, t->events.data[w].source, 0);
		bool writes = evr_rf_would_write(t, &c);
		if (!evr_rf_reads_in_vain(f, &c, writes)) {
			if (writes && f->node_of.data[w] != NONE)
				displace(f, w, &c);
			return;
		}
		w = c.event.source;
	}
}

/* Rule 1: r reads from w, which does not happen after it and is not hidden from it. */
static void read_from(struct evr_rf_search *f, evr_event_id r, evr_event_id w)
{
	struct evr_rf *t = &f->t;
	struct evr_rf_changed c = evr_rf_changed(t, r, w, 0);
	bool writes = evr_rf_would_write(t, &c);
	/* A lock waits for a mutex that is held. */
	if (c.event.kind == EVR_LOCK && !writes && t->events.data[w].depth)
		return;
	if (EVR_UNLIKELY(evr_rf_reads_in_vain(f, &c, writes)) && is_over(f, r, w)) {
		pass_over(f, r, w);
		return;
	}
	evr_rf_set_writes(t, &c, writes);
	evr_rf_propose(f, f->node_of.data[r], w == NONE ? no_past(f) : evr_rf_past(t, w), &c, 1);
}

static void read_other(struct evr_rf_search *f, evr_event_id r, evr_event_id w)
{
	if (may_read(f, r, w, program_past(f, r)))
		read_from(f, r, w);
}

/* What must be there for k to come where r is now, reading r's source. False: k comes after r anyway. */
static bool past_without(struct evr_rf_search *f, const struct evr_rf_changed *k, evr_event_id r)
{
	const struct evr_rf_event *x = &f->t.events.data[r];
	int32_t *past = evr_rf_past_of(f, k);
	if (evr_clock_has(past, x->thread, x->index))
		return false;
	if (x->source != NONE && x->source >= f->node_of.data[r])
		evr_clock_join(past, evr_rf_past(&f->t, x->source), f->t.clocks.width);
	return true;
}

/* Rule 2: w, which writes, takes r's source, and r reads from w. */
static void reverse(struct evr_rf_search *f, evr_event_id r, const struct evr_rf_changed *w)
{
	struct evr_rf *t = &f->t;
	const struct evr_rf_event *x = &t->events.data[r];
	if (!past_without(f, w, r))
		return;
	struct evr_rf_changed both[2] = { *w, evr_rf_changed(t, r, EVR_RF_ITEM_BEFORE, 0) };
	both[0].event.source = x->source;
	both[0].event.flags |= EVR_RF_CHANGED | EVR_RF_MARKED;
	evr_rf_set_writes(t, &both[0], true);
	evr_rf_set_writes(t, &both[1], evr_rf_would_write_after(t, &both[1], &both[0]));
	evr_rf_propose(f, f->node_of.data[r], f->past, both, 2);
}

/* Rule 3: the lock k takes the mutex where r has taken it. */
static void replace(struct evr_rf_search *f, evr_event_id r, const struct evr_rf_changed *k)
{
	if (!past_without(f, k, r))
		return;
	struct evr_rf_changed c = *k;
	c.event.source = f->t.events.data[r].source;
	c.event.flags |= EVR_RF_CHANGED | EVR_RF_MARKED;
	evr_rf_set_writes(&f->t, &c, true);
	evr_rf_propose(f, f->node_of.data[r], f->past, &c, 1);
}

/* Would r not go on if w, which writes and has r's source, came right before it? */
static bool is_kept_waiting(const struct evr_rf_search *f, evr_event_id r, const struct evr_rf_changed *w)
{
	const struct evr_rf *t = &f->t;
	if (EVR_LIKELY(!f->world->futile.len) || t->events.data[r].cells != 1)
		return false;
	struct evr_rf_changed c = evr_rf_changed(t, r, EVR_RF_ITEM_BEFORE, 0);
	if (c.event.kind == EVR_TRYLOCK)
		return is_futile(f, &c, EBUSY);
	if (evr_kind_is_mutex(c.event.kind) || w->id == NONE || w->event.cells != 1)
		return false;
	return is_futile(f, &c, evr_rf_value_from(t, &c, evr_rf_executed(t, w->id), evr_rf_value_if(t, w)));
}

/* Rule 2, or, if r would then wait, rule 3: w, which writes, comes where r is now. */
static void displace(struct evr_rf_search *f, evr_event_id r, const struct evr_rf_changed *w)
{
	if (EVR_LIKELY(!is_kept_waiting(f, r, w))) {
		reverse(f, r, w);
		return;
	}
	replace(f, r, w);
	f->doubtful = true;
}

/* Does the event find the mutex as it is while r holds it, or as r leaves it? */
static bool reads_section_of(const struct evr_rf *t, evr_event_id e, evr_event_id r)
{
	const struct evr_rf_event *x = &t->events.data[e];
	unsigned kind = evr_rf_kind(t, e);
	return (is_lock(kind) || kind == EVR_MUTEX_DESTROY) && x->source != NONE &&
	       t->events.data[x->source].section == r;
}

static void consider(struct evr_rf_search *f, evr_event_id r, evr_event_id w)
{
	const struct evr_rf *t = &f->t;
	const struct evr_rf_event *x = &t->events.data[r], *y = &t->events.data[w];
	if (r == w || !evr_rf_covers(y, x->cell) || evr_rf_is_divided(t, r))
		return;
	if (x->kind == EVR_LOCK && y->kind != EVR_MUTEX_DESTROY && y->kind != EVR_MUTEX_INIT) {
		if (x->section == r && reads_section_of(t, w, r)) {
			struct evr_rf_changed k = evr_rf_changed(t, w, NONE, 0);
			replace(f, r, &k);
		}
		return;
	}
	if (!evr_rf_before(t, r, w)) {
		if (y->flags & EVR_RF_WRITES && w != x->source)
			read_other(f, r, w);
		return;
	}
	if (x->kind == EVR_LOCK) {
		if (y->kind == EVR_MUTEX_DESTROY && reads_section_of(t, w, r)) {
			struct evr_rf_changed k = evr_rf_changed(t, w, NONE, 0);
			replace(f, r, &k);
		}
		return;
	}
	if (!(x->flags & EVR_RF_WRITES) || !(y->flags & EVR_RF_READS) || y->kind == EVR_READ)
		return;
	if (y->source != r && !(is_lock(x->kind) && reads_section_of(t, w, r)))
		return;
	struct evr_rf_changed c = evr_rf_changed(t, w, x->source, 0);
	if (evr_rf_would_write(t, &c))
		displace(f, r, &c);
}

static void choose_other(struct evr_rf_search *f, evr_event_id e)
{
	struct evr_rf_changed c = evr_rf_changed(&f->t, e, NONE, 0);
	uint32_t choices = (uint32_t)evr_rf_executed(&f->t, e)->choices, chosen = c.event.variant;
	const int32_t *past = no_past(f);
	for (uint32_t i = 0; i < choices; i++) {
		c.event.variant = i;
		if (i != chosen)
			evr_rf_propose(f, e, past, &c, 1);
	}
}

struct evr_rf_event evr_rf_waiting_lock(struct evr_rf *t, const struct evr_event *e)
{
	uint32_t location = evr_rf_location(t, e);
	evr_thread_id thread = e->thread;
	return (struct evr_rf_event){
		.thread = thread,
		.kind = e->kind,
		.flags = (uint8_t)(evr_rf_nature(t, e) | (t->drained[thread] ? EVR_RF_FLUSHES : 0)),
		.index = (uint32_t)t->of_thread[thread].len,
		.location = location,
		.cell = t->division.of.data[location].cell,
		.cells = 1,
		.source = NONE,
		.order = (uint8_t)evr_event_order_if(e, true),
		.apart = t->apart[thread],
		.afters = (uint32_t)t->waiting[thread].len,
	};
}

/* Who waits for a mutex to the end might have got it before the one who holds it. */
static void consider_blocked(struct evr_rf_search *f, evr_thread_id thread)
{
	struct evr_rf *t = &f->t;
	const struct evr_event *e = &f->world->pending[thread];
	uint32_t location = evr_rf_location(t, e), cell = t->division.of.data[location].cell;
	evr_event_id last = evr_rf_now(t, cell), r = last == NONE ? NONE : t->events.data[last].section;
	if (r == NONE || f->node_of.data[r] == NONE)
		return;
	evr_rf_admit(t, thread);
	struct evr_rf_changed k = { NONE, evr_rf_waiting_lock(t, e), t->waiting[thread].data, NULL };
	if (t->events.data[r].kind == EVR_LOCK)
		replace(f, r, &k);
	else
		reverse(f, r, &k);
}

/* Most pairs have nothing to do with each other: consider() would find out the same. */
static inline bool is_of_interest(const struct evr_rf *t, evr_event_id r, evr_event_id w)
{
	const struct evr_rf_event *x = &t->events.data[r], *y = &t->events.data[w];
	bool other = y->flags & EVR_RF_WRITES && w != x->source, reader = x->flags & EVR_RF_WRITES && y->source == r;
	if (x->kind == EVR_LOCK && (y->kind == EVR_LOCK || y->kind == EVR_UNLOCK))
		return y->source != NONE && t->events.data[y->source].section == r;
	if (evr_kind_is_mutex(x->kind))
		return true;
	return (other || reader) && (w > r && evr_rf_before(t, r, w) ? reader : other);
}

/* Of e, and one more event of its location: does either have a branch because of the other? */
static void consider_pair(struct evr_rf_search *f, evr_event_id e, evr_event_id i, bool reads)
{
	const struct evr_rf *t = &f->t;
	if (reads && is_of_interest(t, e, i))
		consider(f, e, i);
	if (i < f->extension && f->node_of.data[i] != NONE && t->events.data[i].flags & EVR_RF_READS &&
	    is_of_interest(t, i, e))
		consider(f, i, e);
}

/* Who reads from whom, of the event and all others that overlap it? The newest come first. */
static void consider_all(struct evr_rf_search *f, evr_event_id e, bool reads)
{
	const struct evr_rf *t = &f->t;
	for (evr_event_id i = evr_rf_last(t, t->events.data[e].location); i != NONE; i = t->events.data[i].older)
		consider_pair(f, e, i, reads);
}

/* The writes that are not hidden from e, and not after it. Before a hidden one, all of its thread to the location are. */
static void add_writes(struct evr_rf_search *f, evr_event_id e)
{
	const struct evr_rf *t = &f->t;
	const int32_t *past = program_past(f, e);
	uint32_t location = t->events.data[e].location;
	for (unsigned i = 0; i < t->threads; i++) {
		if (evr_rf_last_access(t, location, i) == NONE)
			continue;
		uint32_t n = evr_rf_count_not_after(t, i, e);
		evr_event_id w = evr_rf_write_upto(t, evr_rf_access_before(t, location, i, n));
		for (; w != NONE && (w == t->events.data[e].source || may_read(f, e, w, past));
		     w = t->events.data[w].previous_write)
			evr_vec_push(&f->candidates, w);
	}
}

/* Those who read what e has written; of a lock, who find the mutex as e holds it or leaves it. */
static void add_readers(struct evr_rf_search *f, evr_event_id e)
{
	const struct evr_rf *t = &f->t;
	bool locks = is_lock(t->events.data[e].kind);
	for (evr_event_id w = e; w != NONE; w = t->events.data[w].next_write) {
		if (w != e && (!locks || t->events.data[w].section != e))
			return;
		for (evr_event_id i = t->events.data[w].reader; i != NONE; i = t->events.data[i].next_reader)
			evr_vec_push(&f->candidates, i);
	}
}

/* The earlier reads that e, which writes, does not come after. */
static void add_reads(struct evr_rf_search *f, evr_event_id e)
{
	const struct evr_rf *t = &f->t;
	const int32_t *past = evr_rf_past(t, e);
	uint32_t location = t->events.data[e].location;
	for (unsigned i = 0; i < t->threads; i++) {
		if (evr_rf_last_access(t, location, i) == NONE)
			continue;
		evr_event_id r = evr_rf_access_before(t, location, i, evr_rf_count_below(t, i, f->extension));
		for (; r != NONE && !evr_clock_has(past, i, t->events.data[r].index); r = t->events.data[r].previous)
			if (f->node_of.data[r] != NONE)
				evr_vec_push(&f->candidates, r);
	}
}

static void add_source(struct evr_rf_search *f, evr_event_id e)
{
	evr_event_id source = f->t.events.data[e].source;
	if (source == NONE)
		return;
	evr_vec_push(&f->candidates, source);
	if (f->t.events.data[source].section != NONE)
		evr_vec_push(&f->candidates, f->t.events.data[source].section);
}

static int newest_first(const void *a, const void *b)
{
	evr_event_id x = *(const evr_event_id *)a, y = *(const evr_event_id *)b;
	return (x < y) - (x > y);
}

/* Nearly always there are few. */
static void sort(evr_rf_ids *all)
{
	if (EVR_UNLIKELY(all->len > 16)) {
		qsort(all->data, all->len, sizeof(*all->data), newest_first);
		return;
	}
	for (size_t i = 1; i < all->len; i++) {
		evr_event_id e = all->data[i];
		size_t k = i;
		for (; k && all->data[k - 1] < e; k--)
			all->data[k] = all->data[k - 1];
		all->data[k] = e;
	}
}

/*
 * The same where no accesses of other sizes overlap, and who locks a mutex unlocks it. Most events of the location are ordered with e, and have nothing to do with it
 * but if one reads from the other: only the others are visited.
 */
static void consider_some(struct evr_rf_search *f, evr_event_id e, bool reads, bool chain)
{
	const struct evr_rf_event *x = &f->t.events.data[e];
	evr_rf_ids *all = &f->candidates;
	evr_vec_clear(all);
	if (reads && !chain)
		add_writes(f, e);
	if (reads && x->flags & EVR_RF_WRITES)
		add_readers(f, e);
	if (x->flags & EVR_RF_WRITES && !chain)
		add_reads(f, e);
	if (x->kind != EVR_READ)
		add_source(f, e);
	sort(all);
	for (size_t i = 0; i < all->len; i++)
		if (!i || all->data[i] != all->data[i - 1])
			consider_pair(f, e, all->data[i], reads);
}

/*
 * Nothing but the critical sections of one mutex: a chain of events that come one after the other, whatever their numbers. What can be different is who begins a
 * section.
 */
static bool is_chain(const struct evr_rf *t, uint32_t location)
{
	return !evr_rf_component(t, location)->others && !t->locations.all.data[location].mixed &&
	       !t->at.data[location].handed;
}

/*
 * Of a long execution, most reads have many branches, and the search does not come back to most of them for a long time: those of a plain read are found when it
 * does. Only the trace says which they are, unless threads wait in loops: then it also matters what was read. Where stores are reordered, what may be read is
 * known only of the last execution.
 */
static bool can_wait(const struct evr_rf_search *f, evr_event_id e)
{
	const struct evr_rf *t = &f->t;
	const struct evr_rf_event *x = &t->events.data[e];
	return EVR_UNLIKELY(t->events.len >= EVR_RF_LONG) && x->kind == EVR_READ && !t->reorders_stores &&
	       !f->world->knowledge.waits && !f->world->futile.len && !t->locations.all.data[x->location].mixed &&
	       !t->at.data[x->location].handed && !evr_rf_component(t, x->location)->divided;
}

void evr_rf_find_branches_of(struct evr_rf_search *f, evr_event_id r)
{
	evr_rf_ids *all = &f->candidates;
	f->hiding_from = NONE;
	f->block = f->node_of.data[r] = r;
	evr_rf_sum_up(f);
	evr_vec_clear(all);
	add_writes(f, r);
	sort(all);
	for (size_t i = 0; i < all->len; i++)
		if (all->data[i] != f->t.events.data[r].source)
			read_other(f, r, all->data[i]);
	if (f->t.events.data[r].source != NONE)
		read_other(f, r, NONE);
}

void evr_rf_find_branches(struct evr_rf_search *f)
{
	struct evr_rf *t = &f->t;
	const struct evr_world *w = f->world;
	f->hiding_from = NONE;
	evr_rf_sum_up(f);
	for (evr_event_id e = f->block; e < t->events.len; e++) {
		const struct evr_rf_event *x = &t->events.data[e];
		bool new = e >= f->extension;
		if (!new && !(x->flags & EVR_RF_CHANGED))
			continue;
		if (new && x->kind == EVR_CHOOSE && f->node_of.data[e] != NONE)
			choose_other(f, e);
		if (x->location == EVR_NO_LOCATION)
			continue;
		bool reads = new && x->flags & EVR_RF_READS;
		if (new && can_wait(f, e)) {
			evr_rf_keep_branch(f, e, NULL, NULL, 0);
			continue;
		}
		bool chain = is_chain(t, x->location);
		if (chain && x->kind == EVR_UNLOCK)
			continue;
		if (EVR_UNLIKELY(evr_rf_component(t, x->location)->divided))
			evr_rf_assign_all(f, e);
		if (EVR_UNLIKELY(t->locations.all.data[x->location].mixed || t->at.data[x->location].handed))
			consider_all(f, e, reads);
		else
			consider_some(f, e, reads, chain);
		if (reads && x->source != NONE && x->kind != EVR_LOCK && !evr_rf_is_divided(t, e))
			read_other(f, e, NONE);
	}
	for (unsigned i = 0; i < w->threads; i++)
		if (w->waiting[i] && w->pending[i].kind == EVR_LOCK)
			consider_blocked(f, (evr_thread_id)i);
}
