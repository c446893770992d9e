/*
 * Engine `revisit`: which graphs follow from one? docs/engines/revisit.md tells the story.
 *
 *   forward   a read that was added gets another of the sources that were there;
 *   revisit   a write that was added is read by a read that was there before; what came after the read goes, unless the write needs it;
 *   replace   a lock is taken by another thread in place of the one that took it.
 *
 * An event that reads several cells has a read part for each of them, which gets another source by itself; those behind it are then chosen anew.
 *
 * What goes must have been *canonical*: what an execution that knows nothing of the write would have added. So each graph follows from one other graph,
 * and nothing has to be remembered.
 */
#include "explore/revisit.h"

#define NONE EVR_NO_EVENT

/* ---- graphs that follow ---- */

void evr_revisit_set_values(const struct evr_revisit *s, struct evr_revisit_event *k, evr_event_id id,
			    const struct evr_revisit_sources *from)
{
	struct evr_event *e = &k->event;
	if (e->kind != EVR_RMW && e->kind != EVR_CAS)
		return;
	e->read = evr_revisit_value(s, id, from);
	if (e->kind == EVR_RMW)
		e->written = evr_rmw_result(e->op, e->read, e->operand, e->size);
}

enum evr_revisit_outcome evr_revisit_go_on_virtually(struct evr_revisit *s)
{
	struct evr_rf *t = &s->f.s.t;
	s->new = s->places;
	struct evr_revisit_frame *r = evr_revisit_push(s);
	r->virtual = (evr_event_id)t->events.len - 1;
	s->virtual_graphs++;
	return EVR_REVISIT_FRAME;
}

enum evr_revisit_outcome evr_revisit_follow(struct evr_revisit *s, evr_event_id w, evr_event_id id,
					    const struct evr_revisit_sources *from)
{
	struct evr_rf_changed changed[2];
	struct evr_revisit_event known[2];
	struct evr_revisit_sources same;
	unsigned n = 0;
	if (w != NONE) {
		bool reads = s->f.s.t.events.data[w].flags & EVR_RF_READS;
		evr_revisit_get_sources(s, w, evr_revisit_cells(s, w), &same);
		changed[n] = reads ? evr_revisit_changed(s, w, &same, false) : evr_rf_copy(&s->f.s.t, w, EVR_RF_WRITES);
		known[n++] = s->known.data[w];
	}
	bool whole = from->n == evr_revisit_cells(s, id), writes = whole && evr_revisit_would_write(s, id, from);
	known[n] = s->known.data[id];
	if (evr_revisit_waits(s, id)) {
		known[n].canon = from->of[0];
		known[n].exact = false;
	}
	if (whole)
		evr_revisit_set_values(s, &known[n], id, from);
	known[n].write = writes ? s->places : EVR_NEVER;
	changed[n] = evr_revisit_changed(s, id, from, !whole);
	n++;
	bool possible = evr_revisit_ask_anew(s, changed, n);
	if (possible && whole) {
		evr_revisit_take(s, known, n, from);
		s->new = s->places;
		s->places += writes;
		return EVR_REVISIT_RUN;
	}
	changed[n - 1] = evr_revisit_changed(s, id, from, true);
	if (!possible && (!writes || !evr_revisit_ask(s, changed, n)))
		return EVR_REVISIT_NOTHING;
	evr_revisit_take(s, known, n, from);
	/* That of the write, or of the next cell. */
	s->places++;
	return evr_revisit_go_on_virtually(s);
}

static enum evr_revisit_outcome forward(struct evr_revisit *s, const struct evr_revisit_part *p, evr_event_id source)
{
	struct evr_revisit_sources from;
	if (!evr_revisit_may_read(s, p->event, source) ||
	    evr_revisit_futility(s, p->event, source) == EVR_REVISIT_FUTILE)
		return EVR_REVISIT_NOTHING;
	evr_revisit_keep_before(s, p->place, NONE);
	evr_revisit_drop(s, p->event);
	evr_revisit_get_sources(s, p->event, p->cell, &from);
	evr_revisit_add_source(&from, source, p->place);
	/* It is possible in what follows, and if it is not in the end, nobody looks at that. */
	struct evr_revisit_event *k = &s->known.data[p->event];
	evr_event_id canon = k->canon;
	bool preferred = evr_revisit_prefers(&s->f.s.t, source, canon);
	k->exact = false;
	if (preferred)
		k->canon = source;
	enum evr_revisit_outcome o = evr_revisit_follow(s, NONE, p->event, &from);
	if (o == EVR_REVISIT_RUN && preferred)
		evr_revisit_known(s, p->event)->canon = source;
	else if (o == EVR_REVISIT_NOTHING)
		k->canon = canon;
	return o;
}

/*
 * The last event's write is not possible, but may be once somebody else has written what the event can read instead. So its thread stands still, and the
 * others go on. Such an execution is a dead end: it does not count.
 */
static enum evr_revisit_outcome stand_still(struct evr_revisit *s, evr_event_id id)
{
	struct evr_rf_search *f = &s->f.s;
	f->t.events.data[id].flags |= EVR_RF_UNEXECUTED;
	s->known.data[id].write = EVR_NEVER;
	s->new = s->places;
	s->shared = id < s->shared ? id : s->shared;
	s->loaded = s->turned_known = false;
	f->block = 0;
	f->extension = (evr_event_id)f->t.events.len;
	evr_vec_clear(&f->change.order);
	for (size_t i = 0; i < f->t.order.len; i++)
		evr_vec_push(&f->change.order, f->t.order.data[i]);
	return EVR_REVISIT_RUN;
}

bool evr_revisit_may_revisit(const struct evr_revisit *s, evr_event_id r, evr_event_id w)
{
	const struct evr_rf *t = &s->f.s.t;
	const struct evr_revisit_event *k = &s->known.data[r];
	return r != w && (t->events.data[r].flags & EVR_RF_READS || evr_revisit_waits(s, r)) && k->read != EVR_NEVER &&
	       k->read < s->known.data[w].write && !k->final && !evr_rf_before(t, r, w);
}

static enum evr_revisit_outcome back(struct evr_revisit *s, evr_event_id r, uint32_t cell, evr_event_id w, bool virtual)
{
	const struct evr_rf *t = &s->f.s.t;
	const struct evr_rf_event *y = &t->events.data[w];
	struct evr_revisit_sources from;
	if (!evr_rf_covers(y, evr_revisit_cell(s, r) + cell))
		return EVR_REVISIT_NOTHING;
	if (evr_revisit_is_lock(s, r))
		return evr_revisit_replace(s, r, w);
	uint32_t place = evr_revisit_place(s, r, cell);
	if (place > s->known.data[w].write || evr_revisit_futility(s, r, w) == EVR_REVISIT_FUTILE)
		return EVR_REVISIT_NOTHING;
	if (!evr_revisit_may_go(s, r, cell, w))
		return EVR_REVISIT_NOTHING;
	evr_revisit_keep_before(s, place, w);
	evr_revisit_drop(s, r);
	if (virtual)
		evr_revisit_drop(s, w);
	else
		s->keep.data[w] = true;
	evr_revisit_get_sources(s, r, cell, &from);
	evr_revisit_add_source(&from, w, place);
	s->since = place;
	return evr_revisit_follow(s, virtual ? w : NONE, r, &from);
}

/* ---- one after the other ---- */

static void add_part(struct evr_revisit *s, uint32_t place, evr_event_id e, uint32_t cell,
		     enum evr_revisit_part_kind kind)
{
	evr_vec_push(&s->parts, (struct evr_revisit_part){ place, e, cell, kind });
}

/* Of a graph that was not run: the event's next cell, or its write. */
static void find_next_part(struct evr_revisit *s, evr_event_id e)
{
	uint32_t read = s->f.s.t.events.data[e].cells, cells = evr_revisit_cells(s, e);
	if (read < cells) {
		add_part(s, s->places - 1, e, read, EVR_REVISIT_READ);
		return;
	}
	if (cells > 1)
		add_part(s, s->known.data[e].write, e, 0, EVR_REVISIT_BLOCKED);
	add_part(s, s->known.data[e].write, e, 0, EVR_REVISIT_WRITE);
}

static void set_part(struct evr_revisit *s, const struct evr_revisit_frame *r, struct evr_revisit_part p)
{
	if (p.place >= r->new)
		s->parts.data[p.place - r->new] = p;
}

/* The last one comes first: what follows while an earlier one does not wait may be a reason for it to wait. */
static void add_waits(struct evr_revisit *s, size_t parts)
{
	for (size_t i = parts; s->f.base.world->knowledge.waits && i-- > 0;) {
		struct evr_revisit_part p = s->parts.data[i];
		if (p.kind == EVR_REVISIT_READ && !p.cell && !evr_revisit_waits(s, p.event) &&
		    evr_revisit_may_wait(s, p.event))
			add_part(s, EVR_NEVER, p.event, 0, EVR_REVISIT_WAIT);
	}
}

static void find_parts(struct evr_revisit *s, const struct evr_revisit_frame *r)
{
	evr_vec_clear(&s->parts);
	s->has_waits = false;
	for (evr_event_id i = 0; s->f.base.world->knowledge.waits && i < s->known.len; i++)
		s->has_waits |= evr_revisit_waits(s, i);
	if (r->virtual != NONE) {
		find_next_part(s, r->virtual);
		return;
	}
	/* Each has its own place; some have none any more. What the frame below has is older. */
	evr_vec_reserve(&s->parts, r->places - r->new);
	for (uint32_t i = r->new; i < r->places; i++)
		s->parts.data[i - r->new].event = NONE;
	for (evr_event_id i = r->from; i < s->known.len; i++) {
		const struct evr_revisit_event *k = &s->known.data[i];
		for (uint32_t c = 0; k->read != EVR_NEVER && c < evr_revisit_cells(s, i); c++)
			set_part(s, r, (struct evr_revisit_part){ evr_revisit_place(s, i, c), i, c, EVR_REVISIT_READ });
		if (k->write != EVR_NEVER)
			set_part(s, r, (struct evr_revisit_part){ k->write, i, 0, EVR_REVISIT_WRITE });
	}
	for (uint32_t i = 0; i < r->places - r->new; i++)
		if (s->parts.data[i].event != NONE)
			s->parts.data[s->parts.len++] = s->parts.data[i];
	size_t parts = s->parts.len;
	for (size_t i = 0; i < r->waiters.len; i++)
		add_part(s, EVR_NEVER, (evr_event_id)(s->known.len + i), 0, EVR_REVISIT_READ);
	add_waits(s, parts);
}

/* The last write to the location of the first thread from that one on that has one. Where locations overlap, the newest event of them all. */
static evr_event_id first_source(const struct evr_rf *t, uint32_t location, unsigned thread)
{
	evr_event_id id = NONE;
	if (EVR_UNLIKELY(t->locations.overlaps))
		return evr_rf_last(t, location);
	for (; thread < t->threads && id == NONE; thread++)
		id = evr_rf_write_upto(t, evr_rf_last_access(t, location, thread));
	return id;
}

static evr_event_id next_source(const struct evr_rf *t, evr_event_id id)
{
	const struct evr_rf_event *x = &t->events.data[id];
	if (EVR_UNLIKELY(t->locations.overlaps))
		return x->older;
	return x->previous_write != NONE ? x->previous_write : first_source(t, x->location, x->thread + 1u);
}

/* The next of those that may be sources at the location, thread by thread; before them, NONE. */
static bool next_other(const struct evr_revisit *s, struct evr_revisit_frame *r, uint32_t location, evr_event_id *other)
{
	const struct evr_rf *t = &s->f.s.t;
	*other = NONE;
	if (!r->begun) {
		r->begun = true;
		r->other = first_source(t, location, 0);
		return true;
	}
	*other = r->other;
	if (r->other == NONE)
		return false;
	r->other = next_source(t, r->other);
	return true;
}

/* That one is the next once more: what it depends on is found out first. */
static void repeat_other(struct evr_revisit_frame *r, evr_event_id other)
{
	if (other == NONE)
		r->begun = false;
	else
		r->other = other;
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
		evr_revisit_keep_before(s, known.read, NONE);
		struct evr_rf_changed changed = evr_rf_copy(&s->f.s.t, e, 0);
		changed.event.variant = choice;
		known.event.chosen = choice;
		if (!evr_revisit_ask(s, &changed, 1))
			continue;
		evr_revisit_take(s, &known, 1, NULL);
		s->new = s->places;
		return EVR_REVISIT_RUN;
	}
	return EVR_REVISIT_NOTHING;
}

static enum evr_revisit_outcome read_part(struct evr_revisit *s, struct evr_revisit_frame *r,
					  const struct evr_revisit_part *p)
{
	const struct evr_rf *t = &s->f.s.t;
	const struct evr_rf_event *x = &t->events.data[p->event];
	enum evr_revisit_outcome o = EVR_REVISIT_NOTHING;
	evr_event_id w;
	if (x->kind == EVR_CHOOSE)
		return choose(s, r, p->event);
	if (x->location == EVR_NO_LOCATION && !evr_revisit_waits(s, p->event))
		return o;
	uint32_t location = evr_revisit_location(s, p->event), cell = evr_revisit_cell(s, p->event) + p->cell;
	bool has_source = p->cell < x->cells;
	evr_event_id source = has_source ? evr_revisit_source(s, p->event, p->cell) : NONE;
	bool locks = evr_revisit_is_lock(s, p->event);
	if (locks)
		evr_revisit_find_takers(s, location, p->place);
	while (o == EVR_REVISIT_NOTHING && next_other(s, r, location, &w)) {
		bool there = w == NONE || (evr_revisit_writes(t, w, cell) && s->known.data[w].write < p->place);
		if (!there || (has_source && w == source))
			continue;
		if (!locks)
			o = forward(s, p, w);
		else if (evr_revisit_is_free(t, w))
			o = evr_revisit_take_from(s, p->event, w);
		if (EVR_UNLIKELY(s->f.probing))
			repeat_other(r, w);
	}
	/* All sources that were there have been tried. */
	if (o == EVR_REVISIT_NOTHING && t->events.data[p->event].cells == 1)
		s->known.data[p->event].exact = evr_revisit_known(s, p->event)->exact = true;
	return o;
}

static enum evr_revisit_outcome waiter(struct evr_revisit *s, struct evr_revisit_frame *r,
				       const struct evr_revisit_waiter *l)
{
	enum evr_revisit_outcome o = EVR_REVISIT_NOTHING;
	evr_event_id w;
	evr_revisit_find_takers(s, l->x.location, s->places);
	while (o == EVR_REVISIT_NOTHING && next_other(s, r, l->x.location, &w)) {
		if (evr_revisit_is_free(&s->f.s.t, w))
			o = evr_revisit_take_waiting(s, r, l, w);
		if (EVR_UNLIKELY(s->f.probing))
			repeat_other(r, w);
	}
	return o;
}

/* The last access to w's location of the first thread from that one on that has one which does not come before w. */
static evr_event_id first_access(const struct evr_rf *t, evr_event_id w, unsigned thread)
{
	const int32_t *past = evr_rf_past(t, w);
	for (; thread < t->threads; thread++) {
		evr_event_id id = evr_rf_last_access(t, t->events.data[w].location, thread);
		if (id != NONE && !evr_clock_has(past, thread, t->events.data[id].index))
			return id;
	}
	return NONE;
}

static evr_event_id next_access(const struct evr_rf *t, evr_event_id w, evr_event_id id)
{
	const struct evr_rf_event *x = &t->events.data[id];
	if (x->previous != NONE && !evr_rf_before(t, x->previous, w))
		return x->previous;
	return first_access(t, w, x->thread + 1u);
}

/*
 * The first event that w might go back to, and the next one: accesses to its location that it does not need, thread by thread. Where locations overlap, all of
 * these, the newest first. Where threads wait, all events: those who wait are no accesses.
 */
static evr_event_id first_reader(const struct evr_revisit *s, evr_event_id w)
{
	const struct evr_rf *t = &s->f.s.t;
	if (EVR_UNLIKELY(s->has_waits))
		return 0;
	return EVR_UNLIKELY(t->locations.overlaps) ? evr_rf_last(t, t->events.data[w].location) : first_access(t, w, 0);
}

static evr_event_id next_reader(const struct evr_revisit *s, evr_event_id w, evr_event_id id)
{
	const struct evr_rf *t = &s->f.s.t;
	if (EVR_UNLIKELY(s->has_waits))
		return id + 1 < s->known.len ? id + 1 : NONE;
	return EVR_UNLIKELY(t->locations.overlaps) ? t->events.data[id].older : next_access(t, w, id);
}

/* Each read part of the events that the write might go back to. */
static enum evr_revisit_outcome write_part(struct evr_revisit *s, struct evr_revisit_frame *r, evr_event_id w)
{
	const struct evr_rf *t = &s->f.s.t;
	enum evr_revisit_outcome o = EVR_REVISIT_NOTHING;
	bool virtual = r->virtual != NONE;
	if (t->events.data[w].location == EVR_NO_LOCATION)
		return o;
	if (!r->begun) {
		r->begun = true;
		r->other = first_reader(s, w);
		r->cell = 0;
	}
	while (o == EVR_REVISIT_NOTHING && r->other != NONE) {
		evr_event_id other = r->other;
		uint32_t cell = r->cell++;
		bool merged = other == r->merged_read && w == r->merged_write;
		bool fits = !merged && evr_revisit_may_revisit(s, other, w);
		if (!fits || r->cell >= t->events.data[other].cells) {
			r->other = next_reader(s, w, other);
			r->cell = 0;
		}
		if (fits)
			o = back(s, other, cell, w, virtual);
		/* The same question once more, when the answer is known. */
		if (EVR_UNLIKELY(s->f.probing)) {
			r->other = other;
			r->cell = cell;
			return EVR_REVISIT_RUN;
		}
	}
	return o;
}

static enum evr_revisit_outcome blocked_part(struct evr_revisit *s, struct evr_revisit_frame *r, evr_event_id e)
{
	if (r->begun)
		return EVR_REVISIT_NOTHING;
	r->begun = true;
	return stand_still(s, e);
}

static enum evr_revisit_outcome follow_part(struct evr_revisit *s, struct evr_revisit_frame *r,
					    const struct evr_revisit_part *p)
{
	if (p->event >= s->known.len)
		return waiter(s, r, &r->waiters.data[p->event - s->known.len]);
	switch (p->kind) {
	case EVR_REVISIT_READ:
		return read_part(s, r, p);
	case EVR_REVISIT_WAIT:
		if (r->begun)
			return EVR_REVISIT_NOTHING;
		r->begun = true;
		return evr_revisit_wait(s, p->event);
	case EVR_REVISIT_WRITE:
		return s->f.s.ordered ? evr_revisit_write_in_order(s, r, p->event) : write_part(s, r, p->event);
	default:
		return blocked_part(s, r, p->event);
	}
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
		o = follow_part(s, r, &p);
		if (o != EVR_REVISIT_NOTHING)
			return o;
		r->part++;
		r->begun = false;
	}
	return EVR_REVISIT_NOTHING;
}
