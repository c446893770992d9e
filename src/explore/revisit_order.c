/*
 * Engine `traces` where steps name sources: engine `revisit` with a modification order, as in TruSt. docs/engines/revisit.md tells the story.
 *
 * A write says by its `mo` where it is in the order of its location. What is added by an execution itself is added as the last. A write that was added
 * tries all other places, too, and wherever it goes back to a read, it tries all places among the writes that stay. A read-modify-write comes right behind
 * its source. Locks and unlocks of a mutex are a chain of reads-from and program order: their order follows from that.
 *
 * Invariant: only how two numbers compare counts, so numbers may be raised at any time to make room.
 */
#include "explore/revisit.h"

#define NONE EVR_NO_EVENT

static bool writes(const struct evr_rf_event *x)
{
	return x->flags & EVR_RF_WRITES;
}

/* ---- while an execution is recorded ---- */

evr_event_id evr_rf_newest_in_order(const struct evr_rf *t, uint32_t location)
{
	evr_event_id newest = NONE;
	for (evr_event_id i = evr_rf_last(t, location); i != NONE; i = t->events.data[i].older)
		if (writes(&t->events.data[i]) && (newest == NONE || t->events.data[i].mo > t->events.data[newest].mo))
			newest = i;
	return newest;
}

evr_event_id evr_rf_place_in_order(const struct evr_rf *t, evr_event_id w)
{
	const struct evr_rf_event *events = t->events.data;
	evr_event_id before = NONE;
	for (evr_event_id i = evr_rf_last(t, events[w].location); i != NONE; i = events[i].older)
		if (writes(&events[i]) && t->rank.data[i] < t->rank.data[w] && events[i].mo < events[w].mo &&
		    (before == NONE || events[i].mo > events[before].mo))
			before = i;
	return before;
}

/* Those that come later make room. */
static uint32_t insert(struct evr_rf *t, uint32_t location, uint32_t before)
{
	for (evr_event_id i = evr_rf_last(t, location); i != NONE; i = t->events.data[i].older)
		t->events.data[i].mo += writes(&t->events.data[i]) && t->events.data[i].mo > before;
	return before + 1;
}

/* The number of the write at that position of the execution's trace. */
static uint32_t number_at(const struct evr_rf *t, uint32_t location, evr_event_id position)
{
	for (evr_event_id i = evr_rf_last(t, location); i != NONE && position != NONE; i = t->events.data[i].older)
		if (t->position.data[t->rank.data[i]] == position)
			return t->events.data[i].mo;
	return 0;
}

/* Where no step names a place: the new writes come behind the others, in the order in which they took effect. */
static void order_by_effect(struct evr_rf *t, evr_event_id from)
{
	uint32_t most = 0;
	for (evr_event_id i = 0; i < from; i++)
		most = writes(&t->events.data[i]) && t->events.data[i].mo > most ? t->events.data[i].mo : most;
	for (evr_event_id i = from; i < t->events.len; i++) {
		struct evr_rf_event *x = &t->events.data[i];
		x->mo = most + 1 + (x->flags & EVR_RF_BUFFERED ? t->effect.data[i] : t->rank.data[i]);
	}
}

void evr_rf_order_new(struct evr_rf *t, evr_event_id from)
{
	if (!t->names_sources) {
		order_by_effect(t, from);
		return;
	}
	for (evr_event_id i = from; i < t->events.len; i++) {
		struct evr_rf_event *x = &t->events.data[i];
		uint32_t before;
		x->mo = 0;
		if (!writes(x) || x->location == EVR_NO_LOCATION)
			continue;
		if (x->kind == EVR_WRITE)
			before = number_at(t, x->location, evr_rf_executed(t, i)->predecessor);
		else if (x->flags & EVR_RF_READS)
			before = x->source == NONE ? 0 : t->events.data[x->source].mo;
		else
			before = t->events.data[evr_rf_newest_in_order(t, x->location)].mo;
		x->mo = insert(t, x->location, before);
	}
}

void evr_revisit_complete_in_order(struct evr_engine *e)
{
	struct evr_revisit *s = (struct evr_revisit *)e;
	/* The search will start again; accesses are not yet what they will be. */
	if (evr_rf_record_rest(&s->f) && s->f.overlaps != s->f.s.t.locations.overlaps)
		e->abandoned = true;
}

/* ---- places ---- */

/* The number of a write right behind those that have `before` or less; the others make room. */
static uint32_t make_room(struct evr_revisit *s, uint32_t location, uint32_t before, struct evr_rf_changed *changed,
			  unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		changed[i].event.mo += changed[i].event.location == location && changed[i].event.mo > before;
	return insert(&s->f.s.t, location, before);
}

/* The write that has so many behind it, of those that are kept: its number. 0: the initial one. False: there is none. */
static bool find_place(const struct evr_revisit *s, uint32_t location, uint32_t behind, uint32_t *mo)
{
	const struct evr_rf *t = &s->f.s.t;
	*mo = UINT32_MAX;
	do {
		uint32_t next = 0;
		if (!*mo)
			return false;
		for (evr_event_id i = evr_rf_last(t, location); i != NONE; i = t->events.data[i].older) {
			const struct evr_rf_event *x = &t->events.data[i];
			if (s->keep.data[i] && writes(x) && x->mo < *mo && x->mo > next)
				next = x->mo;
		}
		*mo = next;
	} while (behind--);
	return true;
}

bool evr_revisit_place_changed(struct evr_revisit *s, struct evr_rf_changed *changed, unsigned n)
{
	const struct evr_rf *t = &s->f.s.t;
	for (unsigned k = 0; k < n; k++) {
		struct evr_rf_event *x = &changed[k].event;
		uint32_t before = 0;
		if (!writes(x) || x->location == EVR_NO_LOCATION)
			continue;
		if (!(x->flags & EVR_RF_READS)) {
			if (!find_place(s, x->location, s->behind, &before))
				return false;
		} else if (x->source != NONE) {
			before = k && x->source == changed[0].id ? changed[0].event.mo : t->events.data[x->source].mo;
		}
		x->mo = make_room(s, x->location, before, changed, k);
	}
	return true;
}

/* ---- what may go ---- */

/* Of what was there before that place, or comes before w: is x, or NONE, the last write? */
static bool is_last(const struct evr_revisit *s, uint32_t location, evr_event_id x, uint32_t place, evr_event_id w)
{
	const struct evr_rf *t = &s->f.s.t;
	uint32_t end = s->known.data[w].write, mo = x == NONE ? 0 : t->events.data[x].mo;
	bool there = x == NONE;
	for (evr_event_id i = evr_rf_last(t, location); i != NONE; i = t->events.data[i].older) {
		uint32_t added = s->known.data[i].write;
		if (i == w || !writes(&t->events.data[i]) || added >= end || (added > place && !evr_rf_before(t, i, w)))
			continue;
		if (t->events.data[i].mo > mo)
			return false;
		there |= i == x;
	}
	return there;
}

bool evr_revisit_is_maximal(const struct evr_revisit *s, evr_event_id d, evr_event_id w)
{
	const struct evr_rf_event *x = &s->f.s.t.events.data[d];
	const struct evr_revisit_event *k = &s->known.data[d];
	if (x->kind == EVR_CHOOSE)
		return x->variant == 0;
	if (x->location == EVR_NO_LOCATION || evr_revisit_is_lock(s, d))
		return true;
	/* The place of a read: its own write, if it has one, comes later. */
	return k->read != EVR_NEVER ? is_last(s, x->location, x->source, k->read, w)
				    : is_last(s, x->location, d, k->write, w);
}

/* ---- graphs that follow from a write ---- */

/* May it have another place than behind all others? */
static bool has_places(const struct evr_rf_event *x)
{
	return !(x->flags & EVR_RF_READS) && !evr_kind_is_mutex(x->kind);
}

/* w, as it was added, with so many writes behind it. `*more`: there may be further places. */
static enum evr_revisit_outcome move(struct evr_revisit *s, evr_event_id w, uint32_t behind, bool *more)
{
	struct evr_rf_changed changed = evr_rf_copy(&s->f.s.t, w, EVR_RF_WRITES);
	struct evr_revisit_event known = s->known.data[w];
	evr_revisit_keep_before(s, known.write, NONE);
	evr_revisit_drop(s, w);
	s->behind = behind;
	*more = evr_revisit_place_changed(s, &changed, 1);
	if (!*more || !evr_revisit_ask(s, &changed, 1)) {
		*more = *more && !s->f.s.change.early;
		return EVR_REVISIT_NOTHING;
	}
	evr_revisit_take(s, &known, 1, NULL);
	s->new = s->places;
	return EVR_REVISIT_RUN;
}

/* The read r gets the source w, which has so many writes behind it. */
static enum evr_revisit_outcome go_back(struct evr_revisit *s, evr_event_id r, evr_event_id w, uint32_t behind,
					bool *more)
{
	const struct evr_rf_event *x = &s->f.s.t.events.data[w];
	struct evr_revisit_sources from = { 1, { w }, { s->known.data[r].read } };
	uint32_t mo;
	if (evr_revisit_is_lock(s, r))
		return evr_revisit_replace(s, r, w);
	if (!evr_revisit_may_go(s, r, 0, w))
		return EVR_REVISIT_NOTHING;
	evr_revisit_keep_before(s, s->known.data[r].read, w);
	evr_revisit_drop(s, r);
	evr_revisit_drop(s, w);
	*more = has_places(x) && find_place(s, x->location, behind + 1, &mo);
	s->behind = behind;
	s->since = s->known.data[r].read;
	enum evr_revisit_outcome o = evr_revisit_follow(s, w, r, &from);
	*more = *more && !(o == EVR_REVISIT_NOTHING && s->f.s.change.early);
	return o;
}

static evr_event_id next_other(const struct evr_rf *t, evr_event_id other, evr_event_id w)
{
	const struct evr_rf_event *x = &t->events.data[w];
	evr_event_id next = other == w ? evr_rf_last(t, x->location) : t->events.data[other].older;
	return next == w ? x->older : next;
}

/*
 * The cursor: while `other` is w itself, the places of w; then each event of the location, the newest first, and `cell` is how many writes come behind w.
 */
enum evr_revisit_outcome evr_revisit_write_in_order(struct evr_revisit *s, struct evr_revisit_frame *r, evr_event_id w)
{
	const struct evr_rf *t = &s->f.s.t;
	enum evr_revisit_outcome o = EVR_REVISIT_NOTHING;
	size_t number = s->depth - 1;
	if (t->events.data[w].location == EVR_NO_LOCATION)
		return o;
	if (!r->begun) {
		r->begun = true;
		r->other = w;
		r->cell = 1;
	}
	while (o == EVR_REVISIT_NOTHING && r->other != NONE) {
		evr_event_id other = r->other, next = next_other(t, other, w);
		bool more = false;
		uint32_t behind = r->cell++;
		if (other != w && evr_revisit_may_revisit(s, other, w))
			o = go_back(s, other, w, behind, &more);
		else if (other == w && r->virtual == NONE && has_places(&t->events.data[w]))
			o = move(s, w, behind, &more);
		/* There may be one more frame now. */
		r = &s->frames.data[number];
		if (!more) {
			r->other = next;
			r->cell = 0;
		}
	}
	return o;
}
