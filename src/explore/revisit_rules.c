/*
 * Engine `revisit`: which graphs follow from one? docs/engines/revisit.md tells the story.
 *
 *   forward   a read that was added gets another of the sources that were there;
 *   revisit   a write that was added is read by a read that was there before; what came after the read goes, unless the write needs it;
 *   replace   a lock is taken by another thread in place of the one that took it.
 *
 * What goes must have been *canonical*: what an execution that knows nothing of the write would have added. So each graph follows from one other graph,
 * and nothing has to be remembered.
 */
#include "explore/revisit.h"

#include <stdlib.h>

#define NONE EVR_NO_EVENT

/* When the event was added. */
static uint32_t place_of(const struct evr_revisit_event *k)
{
	return k->read != EVR_NEVER ? k->read : k->write;
}

static bool is_lock(const struct evr_revisit *s, evr_event_id id)
{
	return s->f.s.t.events.data[id].kind == EVR_LOCK;
}

/* Keep what was added before that place, and, if w is an event, what comes before it; all from the time when w was the last. */
static void keep_before(struct evr_revisit *s, uint32_t place, evr_event_id w)
{
	const struct evr_rf *t = &s->f.s.t;
	uint32_t end = w == NONE ? EVR_NEVER : s->known.data[w].write;
	evr_vec_reserve(&s->keep, t->events.len);
	s->keep.len = t->events.len;
	for (evr_event_id i = 0; i < t->events.len; i++) {
		uint32_t added = place_of(&s->known.data[i]);
		s->keep.data[i] = added < end && (added < place || (w != NONE && evr_rf_before(t, i, w)));
	}
}

/* Does everything that is kept have its source? */
static bool is_closed(const struct evr_revisit *s)
{
	const struct evr_rf *t = &s->f.s.t;
	for (evr_event_id i = 0; i < t->events.len; i++) {
		evr_event_id source = t->events.data[i].source;
		if (s->keep.data[i] && source != NONE && !s->keep.data[source])
			return false;
	}
	return true;
}

/* ---- what is canonical ---- */

/* The order of preference of sources must not depend on when they were added. */
static bool is_preferred(const struct evr_rf *t, evr_event_id a, evr_event_id b)
{
	const struct evr_rf_event *x = &t->events.data[a], *y = &t->events.data[b];
	return x->thread != y->thread ? x->thread < y->thread : x->index < y->index;
}

static void find_candidates(struct evr_revisit *s, evr_event_id d)
{
	const struct evr_rf *t = &s->f.s.t;
	evr_rf_ids *all = &s->candidates;
	evr_vec_clear(all);
	if (evr_rf_may_read(&s->f.s, d, NONE))
		evr_vec_push(all, NONE);
	size_t first = all->len;
	for (evr_event_id i = evr_rf_last(t, t->events.data[d].location); i != NONE; i = t->events.data[i].older) {
		if (!s->keep.data[i] || !(t->events.data[i].flags & EVR_RF_WRITES) || !evr_rf_may_read(&s->f.s, d, i))
			continue;
		evr_vec_push(all, i);
		for (size_t k = all->len - 1; k > first && is_preferred(t, all->data[k], all->data[k - 1]); k--) {
			evr_event_id later = all->data[k - 1];
			all->data[k - 1] = all->data[k];
			all->data[k] = later;
		}
	}
}

/* Is d, which reads, what would have been added, w's past being there, and what w reads, but not its write? */
static bool is_canonical(struct evr_revisit *s, evr_event_id d, evr_event_id w)
{
	const struct evr_rf *t = &s->f.s.t;
	const struct evr_rf_event *x = &t->events.data[d];
	if (x->kind == EVR_CHOOSE)
		return x->variant == 0;
	if (is_lock(s, d) || x->location == EVR_NO_LOCATION)
		return true;
	keep_before(s, s->known.data[d].read, w);
	s->keep.data[d] = false;
	s->keep.data[w] = t->events.data[w].flags & EVR_RF_READS;
	if (!is_closed(s))
		return false;
	find_candidates(s, d);
	for (size_t i = 0; i < s->candidates.len; i++) {
		struct evr_rf_changed changed = evr_revisit_changed(s, d, s->candidates.data[i], false);
		if (evr_revisit_ask(s, &changed, 1))
			return s->candidates.data[i] == x->source;
	}
	return false;
}

/* ---- graphs that follow ---- */

static void set_values(const struct evr_revisit *s, struct evr_revisit_event *k, evr_event_id id, evr_event_id source)
{
	struct evr_event *e = &k->event;
	if (e->kind != EVR_RMW && e->kind != EVR_CAS)
		return;
	e->read = evr_revisit_value(s, id, source);
	if (e->kind == EVR_RMW)
		e->written = evr_rmw_result(e->op, e->read, e->operand, e->size);
}

/* The trace is a graph whose last event has a write that is impossible; what follows from that is another frame. */
static enum evr_revisit_outcome go_on_without_write(struct evr_revisit *s)
{
	struct evr_rf *t = &s->f.s.t;
	s->new = s->places;
	struct evr_revisit_frame *r = evr_revisit_push(s);
	r->virtual = (evr_event_id)t->events.len - 1;
	s->virtual_graphs++;
	return EVR_REVISIT_FRAME;
}

/*
 * The graph of what is kept, perhaps w, and the event with that source: run it, or, if it is impossible with its write, see what follows from that. Its read
 * part stays where it was.
 */
static enum evr_revisit_outcome follow(struct evr_revisit *s, evr_event_id w, evr_event_id id, evr_event_id source)
{
	struct evr_rf_changed changed[2];
	struct evr_revisit_event known[2];
	unsigned n = 0;
	if (w != NONE) {
		changed[n] = evr_revisit_changed(s, w, s->f.s.t.events.data[w].source, false);
		known[n++] = s->known.data[w];
	}
	bool writes = evr_revisit_would_write(s, id, source);
	known[n] = s->known.data[id];
	set_values(s, &known[n], id, source);
	known[n].write = writes ? s->places : EVR_NEVER;
	changed[n] = evr_revisit_changed(s, id, source, false);
	n++;
	if (evr_revisit_ask(s, changed, n)) {
		evr_revisit_take(s, known, n);
		s->new = s->places;
		s->places += writes;
		return EVR_REVISIT_RUN;
	}
	changed[n - 1] = evr_revisit_changed(s, id, source, true);
	if (!writes || !evr_revisit_ask(s, changed, n))
		return EVR_REVISIT_NOTHING;
	evr_revisit_take(s, known, n);
	s->places++;
	return go_on_without_write(s);
}

static enum evr_revisit_outcome forward(struct evr_revisit *s, evr_event_id e, evr_event_id source)
{
	keep_before(s, s->known.data[e].read, NONE);
	if (!evr_rf_may_read(&s->f.s, e, source))
		return EVR_REVISIT_NOTHING;
	return follow(s, NONE, e, source);
}

/* Lock e, of the trace or, if there is a waiter, that: it takes the mutex where another has taken it. */
static enum evr_revisit_outcome take_from(struct evr_revisit *s, evr_event_id e, evr_event_id source)
{
	struct evr_rf_changed changed = evr_revisit_changed(s, e, source, true);
	struct evr_revisit_event known = s->known.data[e];
	keep_before(s, known.read, NONE);
	known.write = s->places;
	if (!evr_rf_may_read(&s->f.s, e, source) || !evr_revisit_ask(s, &changed, 1))
		return EVR_REVISIT_NOTHING;
	evr_revisit_take(s, &known, 1);
	s->places++;
	return go_on_without_write(s);
}

static enum evr_revisit_outcome take_waiting(struct evr_revisit *s, const struct evr_revisit_frame *r,
					     const struct evr_revisit_waiter *l, evr_event_id source)
{
	struct evr_rf_changed changed = { NONE, l->x, r->waiting.data, NULL };
	struct evr_revisit_event known = { s->places, s->places + 1, false, 0, l->event };
	changed.event.source = source;
	changed.event.flags = (uint8_t)((changed.event.flags & EVR_RF_NATURE) | EVR_RF_READS);
	changed.event.after = l->after;
	keep_before(s, EVR_NEVER, NONE);
	if (!evr_revisit_ask(s, &changed, 1))
		return EVR_REVISIT_NOTHING;
	s->places += 2;
	evr_revisit_take(s, &known, 1);
	return go_on_without_write(s);
}

/* As long as others are looked at, w's write is not there. */
static void set_write(struct evr_revisit *s, evr_event_id w, bool there)
{
	struct evr_rf_search *f = &s->f.s;
	uint8_t *flags = &f->t.events.data[w].flags;
	f->oracle->ops->rewind(f->oracle, w);
	*flags = (uint8_t)(there ? *flags | EVR_RF_WRITES : *flags & ~EVR_RF_WRITES);
}

static bool are_canonical(struct evr_revisit *s, evr_event_id r, evr_event_id w)
{
	const struct evr_rf *t = &s->f.s.t;
	uint32_t end = s->known.data[w].write, from = s->known.data[r].read;
	for (evr_event_id i = 0; i < t->events.len; i++) {
		const struct evr_revisit_event *k = &s->known.data[i];
		bool goes = i != w && place_of(k) < end && place_of(k) >= from && (i == r || !evr_rf_before(t, i, w));
		if (goes && k->read != EVR_NEVER && !is_canonical(s, i, w))
			return false;
	}
	return true;
}

/* May all that goes go? */
static bool may_go(struct evr_revisit *s, evr_event_id r, evr_event_id w)
{
	const struct evr_rf *t = &s->f.s.t;
	uint32_t end = s->known.data[w].write, from = s->known.data[r].read;
	keep_before(s, from, w);
	s->keep.data[r] = false;
	s->keep.data[w] = true;
	if (!is_closed(s))
		return false;
	for (evr_event_id i = 0; i < t->events.len; i++)
		if (!s->keep.data[i] && place_of(&s->known.data[i]) < end && s->known.data[i].final)
			return false;
	bool writes = t->events.data[w].flags & EVR_RF_WRITES;
	set_write(s, w, false);
	bool fine = are_canonical(s, r, w);
	set_write(s, w, writes);
	return fine;
}

/* Lock r goes, and w has taken the mutex in its place: that is final. */
static enum evr_revisit_outcome replace(struct evr_revisit *s, evr_event_id r, evr_event_id w)
{
	struct evr_rf_changed changed = evr_revisit_changed(s, w, s->f.s.t.events.data[w].source, false);
	struct evr_revisit_event known = s->known.data[w];
	if (!may_go(s, r, w))
		return EVR_REVISIT_NOTHING;
	keep_before(s, s->known.data[r].read, w);
	s->keep.data[r] = s->keep.data[w] = false;
	if (!evr_revisit_ask(s, &changed, 1))
		return EVR_REVISIT_NOTHING;
	known.final = true;
	evr_revisit_take(s, &known, 1);
	s->new = s->places;
	return EVR_REVISIT_RUN;
}

static enum evr_revisit_outcome back(struct evr_revisit *s, evr_event_id r, evr_event_id w, bool virtual)
{
	const struct evr_rf *t = &s->f.s.t;
	const struct evr_revisit_event *k = &s->known.data[r];
	const struct evr_rf_event *x = &t->events.data[r], *y = &t->events.data[w];
	if (r == w || !(x->flags & EVR_RF_READS) || k->read == EVR_NEVER || k->read > s->known.data[w].write ||
	    k->final || evr_rf_before(t, r, w))
		return EVR_REVISIT_NOTHING;
	if (is_lock(s, r))
		return y->flags & EVR_RF_READS && x->source == y->source ? replace(s, r, w) : EVR_REVISIT_NOTHING;
	if (!may_go(s, r, w))
		return EVR_REVISIT_NOTHING;
	keep_before(s, k->read, w);
	s->keep.data[r] = false;
	s->keep.data[w] = !virtual;
	return follow(s, virtual ? w : NONE, r, w);
}

/* ---- one after the other ---- */

static int by_place(const void *a, const void *b)
{
	const struct evr_revisit_part *x = a, *y = b;
	return (x->place > y->place) - (x->place < y->place);
}

static void find_parts(struct evr_revisit *s, const struct evr_revisit_frame *r)
{
	evr_vec_clear(&s->parts);
	for (evr_event_id i = 0; i < s->known.len; i++) {
		const struct evr_revisit_event *k = &s->known.data[i];
		bool only = r->virtual != NONE;
		if (!only && k->read != EVR_NEVER && k->read >= r->new)
			evr_vec_push(&s->parts, (struct evr_revisit_part){ k->read, i, false });
		if (k->write != EVR_NEVER && (only ? i == r->virtual : k->write >= r->new))
			evr_vec_push(&s->parts, (struct evr_revisit_part){ k->write, i, true });
	}
	qsort(s->parts.data, s->parts.len, sizeof(*s->parts.data), by_place);
	for (size_t i = 0; i < r->waiters.len; i++)
		evr_vec_push(&s->parts,
			     (struct evr_revisit_part){ EVR_NEVER, (evr_event_id)(s->known.len + i), false });
}

/* The next of the location's events, the newest first; before them, if that is wanted, NONE. */
static bool next_other(const struct evr_revisit *s, struct evr_revisit_frame *r, uint32_t location, bool initial,
		       evr_event_id *other)
{
	const struct evr_rf *t = &s->f.s.t;
	*other = NONE;
	if (!r->begun) {
		r->begun = true;
		r->other = evr_rf_last(t, location);
		if (initial)
			return true;
	}
	*other = r->other;
	if (r->other == NONE)
		return false;
	r->other = t->events.data[r->other].older;
	return true;
}

static bool is_free(const struct evr_rf *t, evr_event_id w)
{
	const struct evr_rf_event *x = &t->events.data[w];
	return w == NONE || (x->flags & EVR_RF_WRITES && !x->depth && x->kind != EVR_MUTEX_DESTROY);
}

static enum evr_revisit_outcome choose(struct evr_revisit *s, struct evr_revisit_frame *r, evr_event_id e)
{
	const struct evr_rf_event *x = &s->f.s.t.events.data[e];
	struct evr_revisit_event known = s->known.data[e];
	if (!r->begun)
		r->other = 0;
	r->begun = true;
	while (r->other < known.event.choices) {
		evr_event_id choice = r->other++;
		if (choice == x->variant)
			continue;
		keep_before(s, known.read, NONE);
		struct evr_rf_changed changed = evr_rf_copy(&s->f.s.t, e, 0);
		changed.event.variant = choice;
		known.event.chosen = choice;
		if (!evr_revisit_ask(s, &changed, 1))
			continue;
		evr_revisit_take(s, &known, 1);
		s->new = s->places;
		return EVR_REVISIT_RUN;
	}
	return EVR_REVISIT_NOTHING;
}

static enum evr_revisit_outcome read_part(struct evr_revisit *s, struct evr_revisit_frame *r, evr_event_id e)
{
	const struct evr_rf *t = &s->f.s.t;
	const struct evr_rf_event *x = &t->events.data[e];
	enum evr_revisit_outcome o = EVR_REVISIT_NOTHING;
	evr_event_id w;
	if (x->kind == EVR_CHOOSE)
		return choose(s, r, e);
	while (o == EVR_REVISIT_NOTHING && x->location != EVR_NO_LOCATION && next_other(s, r, x->location, true, &w)) {
		bool there = w == NONE || (t->events.data[w].flags & EVR_RF_WRITES &&
					   s->known.data[w].write < s->known.data[e].read);
		if (!there || w == x->source)
			continue;
		if (!is_lock(s, e))
			o = forward(s, e, w);
		else if (is_free(t, w))
			o = take_from(s, e, w);
		x = &t->events.data[e];
	}
	return o;
}

static enum evr_revisit_outcome waiter(struct evr_revisit *s, struct evr_revisit_frame *r,
				       const struct evr_revisit_waiter *l)
{
	enum evr_revisit_outcome o = EVR_REVISIT_NOTHING;
	evr_event_id w;
	while (o == EVR_REVISIT_NOTHING && next_other(s, r, l->x.location, true, &w))
		if (is_free(&s->f.s.t, w))
			o = take_waiting(s, r, l, w);
	return o;
}

static enum evr_revisit_outcome write_part(struct evr_revisit *s, struct evr_revisit_frame *r, evr_event_id w)
{
	enum evr_revisit_outcome o = EVR_REVISIT_NOTHING;
	const struct evr_rf_event *x = &s->f.s.t.events.data[w];
	bool virtual = r->virtual != NONE;
	evr_event_id other;
	if (x->location == EVR_NO_LOCATION)
		return o;
	uint32_t location = x->location;
	while (o == EVR_REVISIT_NOTHING && next_other(s, r, location, false, &other))
		o = back(s, other, w, virtual);
	return o;
}

enum evr_revisit_outcome evr_revisit_next(struct evr_revisit *s)
{
	size_t number = s->depth - 1;
	struct evr_revisit_frame *r = &s->frames.data[number];
	enum evr_revisit_outcome o = EVR_REVISIT_NOTHING;
	if (!s->parts.len)
		find_parts(s, r);
	while (r->part < s->parts.len) {
		struct evr_revisit_part p = s->parts.data[r->part];
		if (p.event >= s->known.len)
			o = waiter(s, r, &r->waiters.data[p.event - s->known.len]);
		else
			o = p.write ? write_part(s, r, p.event) : read_part(s, r, p.event);
		if (o != EVR_REVISIT_NOTHING)
			return o;
		r->part++;
		r->begun = false;
	}
	return EVR_REVISIT_NOTHING;
}
