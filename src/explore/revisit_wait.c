/*
 * Engine `revisit`: threads that wait in loops. docs/engines/revisit.md tells the story.
 *
 * A source with which an event's thread would go round for nothing does not exist for the event. Instead, the thread can wait before it: the event is in the
 * graph, at its place, without a source. That is always possible, and what is preferred least of all. A graph in which a thread waits is
 * a dead end, unless those who wait may look once more and find nothing (evr_revisit_look()).
 *
 * Invariant: what is futile is a matter of what the thread has seen, and so of the events that come before. That a thread is known to have gone on, or not to have,
 * makes no difference but that it need not be found out.
 */
#include "explore/revisit.h"

#include <errno.h>

#define NONE EVR_NO_EVENT

uint32_t evr_revisit_location(const struct evr_revisit *s, evr_event_id id)
{
	/* It is a known one. */
	return evr_revisit_waits(s, id) ? evr_rf_location((struct evr_rf *)&s->f.s.t, &s->known.data[id].event)
					: s->f.s.t.events.data[id].location;
}

uint32_t evr_revisit_cell(const struct evr_revisit *s, evr_event_id id)
{
	const struct evr_rf *t = &s->f.s.t;
	return evr_revisit_waits(s, id) ? t->division.of.data[evr_revisit_location(s, id)].cell
					: t->events.data[id].cell;
}

bool evr_revisit_looks(const struct evr_world *w, const struct evr_event *e)
{
	if (e->kind != EVR_READ && e->kind != EVR_RMW && e->kind != EVR_CAS && e->kind != EVR_TRYLOCK)
		return false;
	return evr_is_await(&w->knowledge, (uintptr_t)e->site);
}

bool evr_revisit_may_wait(const struct evr_revisit *s, evr_event_id id)
{
	const struct evr_rf *t = &s->f.s.t;
	if (EVR_LIKELY(!s->f.base.world->knowledge.waits))
		return false;
	if (!evr_revisit_looks(s->f.base.world, &s->known.data[id].event))
		return false;
	uint32_t location = evr_revisit_location(s, id);
	return !t->locations.all.data[location].mixed && t->division.of.data[location].cells == 1;
}

/* What its thread would then have seen. */
static struct evr_key key_if(const struct evr_revisit_event *k, evr_value read)
{
	struct evr_history h = k->before;
	struct evr_event then = { .kind = k->event.kind, .size = k->event.size, .read = read /* or the result */ };
	evr_history_add_event(&h, &then);
	return (struct evr_key){ h.one, h.two };
}

static struct evr_key key_from(const struct evr_revisit *s, evr_event_id id, evr_event_id source)
{
	const struct evr_revisit_event *k = &s->known.data[id];
	struct evr_revisit_sources from = { 1, { source }, { 0 } };
	if (k->event.kind == EVR_TRYLOCK)
		return key_if(k, evr_revisit_would_write(s, id, &from) ? 0 : EBUSY);
	return key_if(k, source == NONE ? k->initial : s->known.data[source].event.written);
}

enum evr_revisit_futility evr_revisit_futility(const struct evr_revisit *s, evr_event_id id, evr_event_id source)
{
	if (EVR_LIKELY(!s->f.base.world->knowledge.waits) || !evr_revisit_may_wait(s, id))
		return EVR_REVISIT_FRUITFUL;
	struct evr_key key = key_from(s, id, source);
	if (evr_set_has(&s->f.base.world->futile, key))
		return EVR_REVISIT_FUTILE;
	return evr_set_has(&s->fruitful, key) ? EVR_REVISIT_FRUITFUL : EVR_REVISIT_UNKNOWN;
}

/* ---- an execution is over ---- */

void evr_revisit_note_fruitful(struct evr_revisit *s)
{
	const struct evr_world *w = s->f.base.world;
	for (size_t i = 0; w->knowledge.awaits.len && i < w->trace.events.len; i++) {
		const struct evr_event *e = &w->trace.events.data[i];
		if (!evr_revisit_looks(w, e))
			continue;
		struct evr_history h = w->before.data[i];
		evr_history_add_event(&h, e);
		struct evr_key key = { h.one, h.two };
		if (!evr_set_has(&w->futile, key))
			evr_set_add(&s->fruitful, key, NULL);
	}
}

void evr_revisit_note_seen(const struct evr_revisit *s, evr_event_id id, struct evr_revisit_event *k)
{
	const struct evr_rf *t = &s->f.s.t;
	const struct evr_world *w = s->f.base.world;
	bool looks = w->knowledge.waits && evr_revisit_looks(w, &k->event);
	if (looks)
		k->before = w->before.data[t->position.data[t->rank.data[id]]];
	if (k->event.kind == EVR_RMW || k->event.kind == EVR_CAS || (looks && k->event.kind == EVR_READ))
		k->initial = evr_revisit_initial_value(s, id);
}

/* ---- reasons to wait ---- */

/* Two writes to a location: is b surely the later one? Where stores may take effect in another order than they are made in, what happens before does not tell. */
static bool overwrites(const struct evr_rf *t, evr_event_id b, evr_event_id a)
{
	const struct evr_rf_event *x = &t->events.data[a], *y = &t->events.data[b];
	if (!t->names_sources && !t->reorders_stores)
		return evr_rf_before(t, a, b);
	return x->thread == y->thread && x->index <= y->index;
}

/* Is there a write to the location that was there before that place, and that comes after all others of them; and does e go on with it? */
static bool goes_on_with_last(const struct evr_revisit *s, evr_event_id e)
{
	const struct evr_rf *t = &s->f.s.t;
	uint32_t place = s->known.data[e].read;
	evr_event_id last = NONE;
	for (evr_event_id i = evr_rf_last(t, t->events.data[e].location); i != NONE; i = t->events.data[i].older)
		if (t->events.data[i].flags & EVR_RF_WRITES && s->known.data[i].write < place &&
		    (last == NONE || overwrites(t, i, last)))
			last = i;
	for (evr_event_id i = evr_rf_last(t, t->events.data[e].location); i != NONE; i = t->events.data[i].older)
		if (t->events.data[i].flags & EVR_RF_WRITES && s->known.data[i].write < place &&
		    !overwrites(t, last, i))
			return false;
	return evr_revisit_futility(s, e, last) == EVR_REVISIT_FRUITFUL;
}

/* Does e come before the event, even if that had another source? */
static bool must_follow(const struct evr_rf *t, evr_event_id id, evr_event_id e)
{
	const struct evr_rf_event *x = &t->events.data[id];
	if (!(x->flags & EVR_RF_READS))
		return evr_rf_before(t, e, id);
	bool follows = x->index && evr_rf_before(t, e, t->of_thread[x->thread].data[x->index - 1]);
	for (uint32_t i = 0; i < x->afters && !follows; i++)
		follows = evr_rf_before(t, e, t->afters.data[x->after + i]);
	return follows;
}

/*
 * Could e be kept from going on, or find nothing in the end? Not if it goes on with the last of the writes that were there before it, and whoever might write
 * to the location later comes after e.
 */
static bool is_doubtful(const struct evr_revisit *s, const struct evr_revisit_frame *r, evr_event_id e)
{
	const struct evr_rf *t = &s->f.s.t;
	uint32_t place = s->known.data[e].read, location = t->events.data[e].location;
	for (evr_event_id i = 0; i < t->events.len; i++) {
		const struct evr_revisit_event *k = &s->known.data[i];
		bool waits = evr_revisit_waits(s, i), writes = k->event.kind != EVR_READ;
		if (i == e || !writes || evr_revisit_location(s, i) != location)
			continue;
		if (waits || ((k->read != EVR_NEVER ? k->read : k->write) >= place && !must_follow(t, i, e)))
			return true;
	}
	for (size_t i = 0; i < r->waiters.len; i++)
		if (r->waiters.data[i].x.location == location)
			return true;
	return !goes_on_with_last(s, e);
}

void evr_revisit_find_doubts(struct evr_revisit *s, const struct evr_revisit_frame *r)
{
	for (evr_event_id i = 0; s->doubts.len && i < s->known.len; i++) {
		uint32_t doubt = s->known.data[i].doubt;
		if (doubt && !evr_revisit_waits(s, i) && !s->doubts.data[doubt] && is_doubtful(s, r, i))
			s->doubts.data[doubt] = true;
	}
}

void evr_revisit_doubt(struct evr_revisit *s, struct evr_revisit_event *k)
{
	if (!s->doubts.len)
		evr_vec_push(&s->doubts, true);
	k->doubt = (uint32_t)s->doubts.len;
	evr_vec_push(&s->doubts, false);
}

/* What it would read if nobody had written. */
static evr_value initial_value(const struct evr_rf *t, const struct evr_rf_event *x, const struct evr_rf_held *h)
{
	struct evr_rf_changed c = { NONE, *x, NULL, NULL };
	if (evr_kind_is_mutex(x->kind))
		return 0;
	return evr_rf_last(t, x->location) == NONE ? h->value : evr_rf_value_from(t, &c, NULL, 0);
}

void evr_revisit_add_waits(struct evr_revisit *s, const uint32_t *places)
{
	struct evr_rf *t = &s->f.s.t;
	const struct evr_world *w = s->f.base.world;
	for (size_t i = 0; i < s->f.held.len; i++) {
		const struct evr_rf_held *h = &s->f.held.data[i];
		const struct evr_event *e = &w->pending[h->thread];
		evr_rf_admit(t, h->thread);
		struct evr_rf_event x = evr_rf_waiting_lock(t, e);
		struct evr_revisit_event k = { .read = places[i],
					       .write = EVR_NEVER,
					       .canon = NONE,
					       .before = w->history[h->thread],
					       .initial = initial_value(t, &x, h),
					       .event = *e };
		/* Until it is executed, that is where its operand is. */
		if (e->kind == EVR_RMW)
			k.event.operand = e->written;
		x.flags |= EVR_RF_UNEXECUTED;
		x.location = EVR_NO_LOCATION;
		x.cells = x.order = 0;
		evr_event_id id = (evr_event_id)t->events.len;
		evr_rf_append(t, &x, t->waiting[h->thread].data, NULL);
		evr_vec_push(&s->known, k);
		evr_vec_reserve(&t->rank, t->events.len);
		evr_vec_reserve(&t->effect, t->events.len);
		t->rank.data[id] = (evr_event_id)t->order.len;
		evr_vec_push(&t->order, id);
		evr_vec_push(&t->position, NONE);
	}
}

bool evr_revisit_retract(struct evr_engine *e, evr_thread_id thread, bool new)
{
	struct evr_revisit *s = (struct evr_revisit *)e;
	struct evr_rf_engine *f = &s->f;
	struct evr_rf *t = &f->s.t;
	if (e->rerun || f->looking)
		return false;
	size_t depth = f->told = evr_rf_without_fences(f, thread);
	if (!depth || t->position.data[depth - 1] == NONE)
		return false;
	const struct evr_event *last = &t->trace->events.data[t->position.data[depth - 1]];
	if (last->thread != thread || !last->site)
		return false;
	uint32_t location = evr_rf_location(t, last);
	if (t->locations.all.data[location].mixed || t->division.of.data[location].cells != 1)
		return false;
	evr_learn_await(&e->world->knowledge, (uintptr_t)last->site);
	f->retracted = depth <= f->asked || new;
	return f->retracted;
}

/* ---- graphs ---- */

void evr_revisit_probe(struct evr_revisit *s, evr_event_id id, evr_event_id source)
{
	const struct evr_rf *t = &s->f.s.t;
	const struct evr_rf_event *x = &t->events.data[id];
	struct evr_revisit_sources from = { 1, { source }, { s->known.data[id].read } };
	struct evr_revisit_event known = s->known.data[id];
	evr_revisit_keep_all(s);
	for (evr_event_id i = 0; i < t->events.len; i++) {
		bool keep = source != NONE && evr_rf_before(t, i, source);
		keep |= x->index && evr_rf_before(t, i, t->of_thread[x->thread].data[x->index - 1]);
		for (uint32_t k = 0; k < x->afters && !keep; k++)
			keep = evr_rf_before(t, i, t->afters.data[x->after + k]);
		if (!keep)
			evr_revisit_drop(s, i);
	}
	struct evr_rf_changed changed = evr_revisit_changed(s, id, &from, false);
	s->probed = key_from(s, id, source);
	if (!evr_revisit_ask(s, &changed, 1))
		EVR_ASSERT(false);
	evr_revisit_take(s, &known, 1, &from);
	s->f.probing = true;
}

/* If the event waited, would nobody else do anything? Not if nobody else has done anything since, nor waits for a lock. */
static bool is_left_alone(const struct evr_revisit *s, evr_event_id id)
{
	const struct evr_rf *t = &s->f.s.t;
	if (s->frames.data[s->depth - 1].waiters.len)
		return false;
	for (evr_event_id i = 0; i < t->events.len; i++)
		if (t->events.data[i].thread != t->events.data[id].thread &&
		    evr_revisit_added(&s->known.data[i]) > s->known.data[id].read)
			return false;
	return true;
}

/* Is there somebody who waits, and would surely find something? */
static bool somebody_finds(const struct evr_revisit *s)
{
	for (evr_event_id i = 0; i < s->f.s.t.events.len; i++)
		if (evr_revisit_waits(s, i) && !evr_revisit_may_find_nothing(s, i))
			return true;
	return false;
}

enum evr_revisit_outcome evr_revisit_wait(struct evr_revisit *s, evr_event_id id)
{
	const struct evr_rf *t = &s->f.s.t;
	struct evr_revisit_event known = s->known.data[id];
	struct evr_rf_changed changed = evr_rf_copy(t, id, EVR_RF_UNEXECUTED);
	if (known.doubt >= s->settled && known.doubt && !s->doubts.data[known.doubt])
		return EVR_REVISIT_NOTHING;
	evr_revisit_keep_before(s, known.read, NONE);
	bool alone = is_left_alone(s, id);
	changed.event.kind = known.event.kind;
	changed.event.location = EVR_NO_LOCATION;
	changed.event.cells = 0;
	/* Whether it is seq_cst says nothing as long as it has no source. */
	changed.event.order = 0;
	changed.event.source = known.canon = NONE;
	known.write = EVR_NEVER;
	if (!evr_revisit_ask(s, &changed, 1))
		EVR_ASSERT(false);
	evr_revisit_take(s, &known, 1, NULL);
	/* Nothing would follow from that. */
	if (alone && somebody_finds(s)) {
		evr_revisit_reload(s);
		return EVR_REVISIT_NOTHING;
	}
	s->new = s->places;
	return EVR_REVISIT_RUN;
}

/* ---- all who wait look ---- */

/* Could w be the last write to the location? Not if another one comes after it. */
static bool may_be_last(const struct evr_rf *t, evr_event_id w, uint32_t location)
{
	for (evr_event_id i = evr_rf_last(t, location); i != NONE; i = t->events.data[i].older)
		if (i != w && t->events.data[i].flags & EVR_RF_WRITES && (w == NONE || overwrites(t, i, w)))
			return false;
	return true;
}

/* How many ways there are for the event at most to find something in the end, whoever looks before. */
static uint64_t count_ways(const struct evr_revisit *s, evr_event_id id)
{
	const struct evr_rf *t = &s->f.s.t;
	uint64_t n = 1;
	for (evr_event_id i = 0; i < t->events.len; i++)
		n += evr_revisit_waits(s, i);
	for (evr_event_id i = evr_rf_last(t, evr_revisit_location(s, id)); i != NONE; i = t->events.data[i].older)
		n += (t->events.data[i].flags & EVR_RF_WRITES) != 0;
	return n;
}

/* The n-th source that the event, which waits, may have in the end. False: there are not so many. */
static bool find_last(const struct evr_revisit *s, evr_event_id id, uint64_t n, evr_event_id *source)
{
	const struct evr_rf *t = &s->f.s.t;
	uint32_t location = evr_revisit_location(s, id);
	evr_event_id w = NONE, next = evr_rf_last(t, location);
	for (;;) {
		bool writes = w == NONE || t->events.data[w].flags & EVR_RF_WRITES;
		if (writes && may_be_last(t, w, location) && !n--) {
			*source = w;
			return true;
		}
		if (next == NONE)
			return false;
		w = next;
		next = t->events.data[w].older;
	}
}

/* The event, which waits, looks: the trace becomes that. */
static bool look_once(struct evr_revisit *s, evr_event_id id, uint64_t way)
{
	const struct evr_rf *t = &s->f.s.t;
	struct evr_revisit_sources from = { 1, { NONE }, { s->known.data[id].read } };
	if (!find_last(s, id, way, &from.of[0]) || evr_revisit_futility(s, id, from.of[0]) == EVR_REVISIT_FRUITFUL)
		return false;
	struct evr_revisit_event known = s->known.data[id];
	evr_revisit_set_values(s, &known, id, &from);
	struct evr_rf_changed changed = evr_revisit_changed(s, id, &from, false);
	evr_revisit_keep_all(s);
	evr_revisit_drop(s, id);
	if (!evr_revisit_ask(s, &changed, 1))
		return false;
	evr_vec_push(&s->f.lookers, t->events.data[id].thread);
	evr_revisit_take(s, &known, 1, &from);
	return true;
}

/* The first event that waits; NONE: there is none. */
static evr_event_id first_waiting(const struct evr_revisit *s)
{
	for (evr_event_id i = 0; i < s->f.s.t.events.len; i++)
		if (evr_revisit_waits(s, i))
			return i;
	return NONE;
}

bool evr_revisit_may_find_nothing(const struct evr_revisit *s, evr_event_id id)
{
	evr_event_id source;
	for (uint64_t n = 0; find_last(s, id, n, &source); n++)
		if (evr_revisit_futility(s, id, source) != EVR_REVISIT_FRUITFUL)
			return true;
	return false;
}

bool evr_revisit_look(struct evr_revisit *s)
{
	const struct evr_rf *t = &s->f.s.t;
	uint64_t ways = 1, all[EVR_MAX_THREADS];
	unsigned n = 0;
	evr_revisit_load(s);
	for (evr_event_id i = 0; i < t->events.len; i++) {
		if (!evr_revisit_waits(s, i))
			continue;
		if (!evr_revisit_may_find_nothing(s, i))
			return false;
		ways *= all[n++] = count_ways(s, i);
	}
	while (s->look < ways) {
		uint64_t rest = ways;
		bool fine = true;
		if (!s->loaded)
			evr_revisit_load(s);
		evr_vec_clear(&s->f.lookers);
		for (unsigned i = 0; i < n && fine; i++) {
			rest /= all[i];
			fine = look_once(s, first_waiting(s), s->look / rest % all[i]);
		}
		/* All that begin like this are impossible. */
		s->look = (s->look / rest + 1) * rest;
		if (fine)
			return true;
	}
	return false;
}
