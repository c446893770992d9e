/*
 * Engine `revisit`: locks. Only one lock can take a mutex from a source that says "free". So a lock that was added is tried with every such source, whether another
 * lock has taken it from there or not; that one then goes, and comes again later.
 */
#include "explore/revisit.h"

#define NONE EVR_NO_EVENT

bool evr_revisit_is_free(const struct evr_rf *t, evr_event_id w)
{
	const struct evr_rf_event *x = &t->events.data[w];
	return w == NONE || (x->flags & EVR_RF_WRITES && !x->depth && x->kind != EVR_MUTEX_DESTROY);
}

enum evr_revisit_outcome evr_revisit_replace(struct evr_revisit *s, evr_event_id r, evr_event_id w)
{
	const struct evr_rf_event *x = &s->f.s.t.events.data[w];
	if (!(x->flags & EVR_RF_READS) || s->f.s.t.events.data[r].source != x->source)
		return EVR_REVISIT_NOTHING;
	struct evr_revisit_sources same = { 1, { x->source }, { 0 } };
	struct evr_rf_changed changed = evr_revisit_changed(s, w, &same, false);
	struct evr_revisit_event known = s->known.data[w];
	if (!evr_revisit_may_go(s, r, 0, w))
		return EVR_REVISIT_NOTHING;
	evr_revisit_keep_before(s, s->known.data[r].read, w);
	evr_revisit_drop(s, r);
	evr_revisit_drop(s, w);
	if (!evr_revisit_ask_anew(s, &changed, 1))
		return EVR_REVISIT_NOTHING;
	known.final = true;
	s->since = s->known.data[r].read;
	evr_revisit_take(s, &known, 1, NULL);
	s->new = s->places;
	return EVR_REVISIT_RUN;
}

/* Does r come before a lock, of which these events are what program order puts before it, and this its source? */
static bool comes_before(const struct evr_rf *t, evr_event_id r, const struct evr_rf_event *lock,
			 const evr_event_id *afters, evr_event_id source)
{
	if (lock->index && evr_rf_before(t, r, t->of_thread[lock->thread].data[lock->index - 1]))
		return true;
	for (uint32_t i = 0; i < lock->afters; i++)
		if (evr_rf_before(t, r, afters[lock->after + i]))
			return true;
	return source != NONE && evr_rf_before(t, r, source);
}

void evr_revisit_find_takers(struct evr_revisit *s, uint32_t location, uint32_t place)
{
	const struct evr_rf *t = &s->f.s.t;
	evr_vec_clear(&s->takers);
	for (evr_event_id r = evr_rf_last(t, location); r != NONE; r = t->events.data[r].older) {
		const struct evr_revisit_event *k = &s->known.data[r];
		if (t->events.data[r].flags & EVR_RF_READS && k->read < place && !k->final)
			evr_vec_push(&s->takers, r);
	}
	/* Those who wait have no location. */
	for (evr_event_id r = 0; s->has_waits && r < s->known.len; r++)
		if (evr_revisit_waits(s, r) && s->known.data[r].read < place && evr_revisit_location(s, r) == location)
			evr_vec_push(&s->takers, r);
}

/*
 * Who might have to do with it that the lock, which `takers` is about, takes the mutex from there: NONE, nobody. A lock, if it is the one that has taken it, and nobody else
 * reads the mutex. Else somebody, no matter who.
 */
static evr_event_id find_displaced(const struct evr_revisit *s, const struct evr_rf_event *lock,
				   const evr_event_id *afters, evr_event_id source)
{
	const struct evr_rf *t = &s->f.s.t;
	evr_event_id found = NONE;
	for (size_t i = 0; i < s->takers.len; i++) {
		evr_event_id r = s->takers.data[i];
		/* A thread that waits may take the mutex from anywhere yet. */
		if (evr_revisit_waits(s, r))
			return r;
		bool locks = evr_revisit_is_lock(s, r);
		if ((locks && t->events.data[r].source != source) || comes_before(t, r, lock, afters, source))
			continue;
		if (!locks)
			return r;
		found = r;
	}
	return found;
}

/* The lock has become the last event of the trace, though it is not possible there. The one that it displaces is known; otherwise see what follows from that. */
static enum evr_revisit_outcome displace(struct evr_revisit *s, evr_event_id displaced)
{
	evr_event_id w = (evr_event_id)s->f.s.t.events.len - 1;
	if (!evr_revisit_is_lock(s, displaced))
		return evr_revisit_go_on_virtually(s);
	enum evr_revisit_outcome o =
		evr_revisit_may_revisit(s, displaced, w) ? evr_revisit_replace(s, displaced, w) : EVR_REVISIT_NOTHING;
	if (EVR_UNLIKELY(s->f.probing))
		return EVR_REVISIT_RUN;
	if (o == EVR_REVISIT_NOTHING)
		evr_revisit_reload(s);
	return o;
}

enum evr_revisit_outcome evr_revisit_take_from(struct evr_revisit *s, evr_event_id e, evr_event_id source)
{
	const struct evr_rf *t = &s->f.s.t;
	evr_event_id displaced = find_displaced(s, &t->events.data[e], t->afters.data, source);
	if (displaced == NONE || !evr_rf_may_read(&s->f.s, e, source))
		return EVR_REVISIT_NOTHING;
	struct evr_revisit_sources from = { 1, { source }, { 0 } };
	struct evr_revisit_event known = s->known.data[e];
	struct evr_rf_changed changed = evr_revisit_changed(s, e, &from, true);
	evr_revisit_keep_before(s, known.read, NONE);
	known.write = s->places;
	if (!evr_revisit_ask(s, &changed, 1))
		return EVR_REVISIT_NOTHING;
	displaced = evr_rf_number(&s->f.s.change, displaced);
	evr_revisit_take(s, &known, 1, NULL);
	s->places++;
	return displace(s, displaced);
}

enum evr_revisit_outcome evr_revisit_take_waiting(struct evr_revisit *s, const struct evr_revisit_frame *r,
						  const struct evr_revisit_waiter *l, evr_event_id source)
{
	struct evr_rf_changed changed = { NONE, l->x, r->waiting.data, NULL };
	struct evr_revisit_event known = {
		.read = s->places, .write = s->places + 1, .canon = source, .event = l->event
	};
	changed.event.source = source;
	changed.event.flags = (uint8_t)((changed.event.flags & EVR_RF_NATURE) | EVR_RF_READS);
	changed.event.after = l->after;
	evr_event_id displaced = find_displaced(s, &changed.event, changed.afters, source);
	if (displaced == NONE)
		return EVR_REVISIT_NOTHING;
	evr_revisit_keep_all(s);
	if (!evr_revisit_ask(s, &changed, 1))
		return EVR_REVISIT_NOTHING;
	displaced = evr_rf_number(&s->f.s.change, displaced);
	s->places += 2;
	evr_revisit_take(s, &known, 1, NULL);
	return displace(s, displaced);
}
