/*
 * Engine `revisit`: one execution, several graphs. When only threads that wait are left, the graph is complete, and a frame. If a thread that waits would find
 * something now, it is no class, and the execution need not end there: that the thread goes on is one of the graphs that follow from the frame, and the
 * execution becomes one of that graph.
 *
 * Invariant: a graph that follows in this way is one that evr_revisit_next() would have found, and is not found again (the frame's `merged_read`).
 */
#include "explore/revisit.h"

#define NONE EVR_NO_EVENT

/* Would nothing that was executed go, if r, which waits, read from w? */
static bool keeps_all(const struct evr_revisit *s, evr_event_id r, evr_event_id w)
{
	const struct evr_rf *t = &s->f.s.t;
	uint32_t place = s->known.data[r].read, end = s->known.data[w].write;
	for (evr_event_id i = 0; i < t->events.len; i++) {
		uint32_t added = evr_revisit_added(&s->known.data[i]);
		if (i != w && !evr_revisit_waits(s, i) && (added >= end || (added >= place && !evr_rf_before(t, i, w))))
			return false;
	}
	return true;
}

/* Is it one of the graphs that follow from the last frame that r, which waits, reads from w, and has the execution come just so far? */
static bool may_merge(struct evr_revisit *s, evr_event_id r, evr_event_id w)
{
	if (w == NONE || s->known.data[w].write < s->frames.data[s->depth - 1].new ||
	    !evr_revisit_may_revisit(s, r, w) || !keeps_all(s, r, w) ||
	    evr_revisit_futility(s, r, w) == EVR_REVISIT_FUTILE || evr_revisit_may_find_nothing(s, r))
		return false;
	s->merging = true;
	bool fine = evr_revisit_may_go(s, r, 0, w) && !s->f.probing;
	s->merging = s->f.probing = false;
	return fine;
}

/* The steps of the execution so far, by the numbers that events will have; those who wait come last. */
static void renumber_steps(struct evr_revisit *s)
{
	const struct evr_rf *t = &s->f.s.t;
	const struct evr_rf_change *c = &s->f.s.change;
	evr_vec_clear(&s->merged_order);
	evr_vec_clear(&s->merged_positions);
	evr_vec_clear(&s->merged_steps);
	for (size_t k = 0; k < t->order.len; k++) {
		evr_event_id id = evr_rf_event_of(t->order.data[k]), update = t->order.data[k] & EVR_RF_UPDATE;
		if (evr_revisit_waits(s, id))
			continue;
		evr_vec_push(&s->merged_order, evr_rf_number(c, id) | update);
		evr_vec_push(&s->merged_positions, t->position.data[k]);
		evr_vec_push(&s->merged_steps, s->f.steps.data[k]);
	}
	for (evr_event_id i = 0; i < t->events.len; i++) {
		if (!evr_revisit_waits(s, i) || !s->keep.data[i])
			continue;
		evr_vec_push(&s->merged_order, evr_rf_number(c, i));
		evr_vec_push(&s->merged_positions, NONE);
		evr_vec_push(&s->merged_steps, (struct evr_step){ .actor = EVR_NO_ACTOR });
	}
}

/* The execution has taken these steps, and has been asked for them and one more: that of the trace's last event. */
static void set_steps(struct evr_revisit *s)
{
	struct evr_rf_engine *f = &s->f;
	struct evr_rf *t = &f->s.t;
	evr_event_id last = (evr_event_id)t->events.len - 1;
	evr_vec_push(&s->merged_order, last);
	evr_vec_push(&s->merged_positions, NONE);
	evr_vec_push(&s->merged_steps, (struct evr_step){ t->events.data[last].thread, 0 });
	size_t n = s->merged_order.len;
	evr_vec_reserve(&t->order, n);
	evr_vec_reserve(&t->position, n);
	evr_vec_reserve(&f->steps, n);
	for (size_t k = 0; k < n; k++) {
		evr_event_id step = s->merged_order.data[k];
		t->order.data[k] = step;
		t->position.data[k] = s->merged_positions.data[k];
		f->steps.data[k] = s->merged_steps.data[k];
		(evr_rf_is_update(step) ? &t->effect : &t->rank)->data[evr_rf_event_of(step)] = (evr_event_id)k;
	}
	t->order.len = t->position.len = f->steps.len = f->asked = n;
	f->depth = n - 1;
	f->begun = f->over = false;
}

static bool merge(struct evr_revisit *s, evr_event_id r, evr_event_id w)
{
	struct evr_revisit_frame *frame = &s->frames.data[s->depth - 1];
	struct evr_revisit_event known = s->known.data[r];
	struct evr_revisit_sources from = { 1, { w }, { known.read } };
	if (!may_merge(s, r, w))
		return false;
	evr_revisit_keep_before(s, known.read, w);
	evr_revisit_drop(s, r);
	s->keep.data[w] = true;
	bool writes = evr_revisit_would_write(s, r, &from);
	struct evr_rf_changed changed = evr_revisit_changed(s, r, &from, false);
	known.canon = w;
	known.exact = false;
	known.write = writes ? s->places : EVR_NEVER;
	evr_revisit_set_values(s, &known, r, &from);
	if (!evr_revisit_ask(s, &changed, 1))
		return false;
	renumber_steps(s);
	s->since = known.read;
	evr_revisit_take(s, &known, 1, &from);
	set_steps(s);
	s->new = s->places;
	s->places += writes;
	frame->merged_read = r;
	frame->merged_write = w;
	s->f.held.len = 0;
	s->f.waits = false;
	for (evr_event_id i = 0; i < s->f.s.t.events.len; i++)
		s->f.waits |= evr_revisit_waits(s, i);
	return true;
}

bool evr_revisit_let_go(struct evr_rf_engine *f)
{
	struct evr_revisit *s = (struct evr_revisit *)f;
	const struct evr_rf *t = &f->s.t;
	const struct evr_world *world = f->base.world;
	evr_event_id newest[EVR_MAX_THREADS];
	if (s->told_text || f->base.rerun || f->looking || f->probing || f->stands_still || evr_learned(world))
		return false;
	if (!evr_rf_record_rest(f) || t->failure || f->overlaps != t->locations.overlaps)
		return false;
	for (unsigned i = 0; i < world->threads; i++)
		newest[i] = world->waiting[i] ? evr_rf_newest(f, (evr_thread_id)i) : NONE;
	evr_revisit_note_fruitful(s);
	evr_revisit_note_graph(s);
	s->noted = f->waits = true;
	for (evr_event_id i = 0; i < t->events.len; i++)
		if (evr_revisit_waits(s, i) && merge(s, i, newest[t->events.data[i].thread])) {
			s->noted = false;
			return true;
		}
	return false;
}
