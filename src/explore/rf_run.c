/*
 * Engine `rf`: an execution. It takes the steps that it was asked to take, and then any. Its events are appended to the reads-from trace
 * as late as possible: when somebody asks for them, and when it is over.
 *
 * Invariant: the first `depth` places of the trace (struct evr_rf) are where the events of the steps so far are in the execution's
 * trace, or EVR_NO_EVENT if a step turned out to have no event.
 */
#include "explore/rf_search.h"

#define NONE EVR_NO_EVENT

static void record(struct evr_rf_engine *f);
static uint32_t newest_source(struct evr_rf_engine *f, evr_thread_id thread);

/* Would the thread's pending event, which is possible, be for nothing? Where steps name sources, that is a matter of the newest. */
static __attribute__((noinline)) bool is_futile(struct evr_rf_engine *f, evr_thread_id thread)
{
	const struct evr_world *w = f->base.world;
	const struct evr_event *e = &w->pending[thread];
	if (!f->s.t.names_sources || e->kind == EVR_TRYLOCK)
		return evr_model_futile(w, thread);
	if (e->kind != EVR_READ && e->kind != EVR_RMW && e->kind != EVR_CAS)
		return false;
	record(f);
	if (!f->as_asked)
		return false;
	uint32_t variant = newest_source(f, thread);
	const struct evr_event *source = variant ? &w->trace.events.data[variant - 1] : NULL;
	if (source && (source->address != e->address || source->size != e->size))
		return false;
	return evr_model_futile_if(w, e, w->history[thread],
				   source ? source->written : evr_memory_load(e->address, e->size));
}

/* Is its last event one that was not executed? The trace may not have it yet. */
static bool stands_still(const struct evr_rf_engine *f, unsigned thread)
{
	const struct evr_rf *t = &f->s.t;
	const evr_rf_ids *mine = &t->of_thread[thread];
	for (size_t i = f->script.len; EVR_UNLIKELY(i && f->script.data[i - 1].unexecuted); i--)
		if (f->script.data[i - 1].thread == thread)
			return true;
	return mine->len && t->events.data[evr_vec_last(mine)].flags & EVR_RF_UNEXECUTED;
}

static evr_value load(const struct evr_world *w, evr_thread_id thread)
{
	const struct evr_event *e = &w->pending[thread];
	return w->model->load ? w->model->load(w, thread, e->address, e->size) : evr_memory_load(e->address, e->size);
}

static bool is_held(struct evr_rf_engine *f, unsigned thread)
{
	for (size_t i = 0; i < f->held.len; i++)
		if (f->held.data[i].thread == thread) {
			f->held.data[i].value = load(f->base.world, (evr_thread_id)thread);
			return true;
		}
	return false;
}

/* An event that reads several cells does not wait: it is executed, and its thread stops. */
static bool may_be_held(struct evr_rf_engine *f, evr_thread_id thread)
{
	struct evr_rf *t = &f->s.t;
	const struct evr_event *e = &f->base.world->pending[thread];
	if (f->looking || f->base.rerun ||
	    (e->kind != EVR_READ && e->kind != EVR_RMW && e->kind != EVR_CAS && e->kind != EVR_TRYLOCK))
		return false;
	uint32_t location = evr_rf_location(t, e);
	return !t->locations.all.data[location].mixed && t->division.of.data[location].cells == 1;
}

static void hold(struct evr_rf_engine *f, evr_thread_id thread)
{
	evr_vec_push(&f->held, (struct evr_rf_held){ thread, f->depth, load(f->base.world, thread), UINT32_MAX });
}

static inline bool can_go(struct evr_rf_engine *f, unsigned thread)
{
	const struct evr_world *w = f->base.world;
	if (!w->waiting[thread] || !w->model->ready(w, (evr_thread_id)thread))
		return false;
	if (f->s.alone && (stands_still(f, thread) || is_held(f, thread)))
		return false;
	if (EVR_LIKELY(!w->futile.len) || (f->s.alone && !may_be_held(f, (evr_thread_id)thread)) ||
	    !is_futile(f, (evr_thread_id)thread))
		return true;
	if (f->s.alone)
		hold(f, (evr_thread_id)thread);
	return false;
}

/* Any thread will do; the one that is running already comes first. Who would go round for nothing does so in the end. */
static struct evr_step any_step(struct evr_rf_engine *f)
{
	const struct evr_world *w = f->base.world;
	unsigned before = f->steps.len ? evr_vec_last(&f->steps).actor % EVR_MAX_THREADS : 0;
	/* Who remembers nothing takes the first that can go on: that is a matter of the trace alone. */
	if (!f->s.alone && before < w->threads && before + 1 != w->tired && can_go(f, before))
		return (struct evr_step){ (uint16_t)before, 0 };
	for (unsigned i = 0; i < w->threads; i++)
		if (i + 1 != w->tired && can_go(f, i))
			return (struct evr_step){ (uint16_t)i, 0 };
	if (w->tired && can_go(f, w->tired - 1u))
		return (struct evr_step){ (uint16_t)(w->tired - 1), 0 };
	for (unsigned i = 0; w->futile.len && !f->s.alone && i < w->threads; i++)
		if (w->waiting[i] && w->model->ready(w, (evr_thread_id)i))
			return (struct evr_step){ (uint16_t)i, 0 };
	return (struct evr_step){ .actor = EVR_NO_ACTOR };
}

static bool tries_lock(const struct evr_event *e)
{
	return e->kind == EVR_TRYLOCK || e->kind == EVR_TIMEDLOCK;
}

static bool looks(const struct evr_event *e)
{
	return e->kind == EVR_READ || e->kind == EVR_RMW || e->kind == EVR_CAS || tries_lock(e);
}

evr_event_id evr_rf_newest(struct evr_rf_engine *f, evr_thread_id thread)
{
	struct evr_rf *t = &f->s.t;
	const struct evr_event *e = &f->base.world->pending[thread];
	if (!looks(e) && !(f->s.ordered && e->kind == EVR_WRITE))
		return NONE;
	uint32_t location = evr_rf_location(t, e);
	if (f->s.ordered && !tries_lock(e))
		return evr_rf_newest_in_order(t, location);
	evr_event_id source = evr_rf_now(t, t->division.of.data[location].cell);
	/* Of a mutex the chain of its events tells all. What the execution itself has written comes after all that it was asked to write. */
	if (t->names_sources && !tries_lock(e) && (source == NONE || source < f->s.extension) &&
	    evr_rf_component(t, location)->last != NONE)
		source = f->s.oracle->ops->newest(f->s.oracle, location);
	return source;
}

/* Where steps name sources: that of a thread's pending event, if nobody has asked for one; with a modification order, what a write comes right behind, too. */
static uint32_t newest_source(struct evr_rf_engine *f, evr_thread_id thread)
{
	const struct evr_rf *t = &f->s.t;
	evr_event_id source = evr_rf_newest(f, thread);
	if (source == NONE ||
	    (tries_lock(&f->base.world->pending[thread]) &&
	     (!t->events.data[source].depth || t->events.data[t->events.data[source].section].thread == thread)))
		return 0;
	return t->position.data[t->rank.data[source]] + 1;
}

/* The execution goes on by itself: a store takes effect at once. */
static bool has_stored(const struct evr_rf_engine *f)
{
	const struct evr_rf *t = &f->s.t;
	if (!t->buffers_stores || !f->depth)
		return false;
	evr_event_id last = t->position.data[f->depth - 1];
	return last != NONE && evr_event_is_buffered(&t->trace->events.data[last]);
}

/*
 * The execution is over: has its trace been explored before? Of those who are left in loops, that is not asked. Nor of one in which
 * something was learned: its events may be others than those that were asked for.
 */
static bool is_known(struct evr_rf_engine *f)
{
	const struct evr_world *w = f->base.world;
	if (evr_learned(w))
		return false;
	for (unsigned i = 0; i < w->threads; i++)
		if (w->await[i] != NONE)
			return false;
	return evr_rf_record_rest(f) && !evr_rf_is_new(&f->s);
}

/* Has one of those who were to look for nothing gone on? */
static bool has_found_something(const struct evr_rf_engine *f)
{
	const struct evr_world *w = f->base.world;
	for (size_t i = 0; i < f->lookers.len; i++) {
		const struct evr_history *h = &w->history[f->lookers.data[i]];
		if (w->await[f->lookers.data[i]] == NONE ||
		    !evr_set_has(&w->futile, (struct evr_key){ h->one, h->two }))
			return true;
	}
	return false;
}

static __attribute__((noinline)) struct evr_step new_step(struct evr_rf_engine *f)
{
	struct evr_step s = has_stored(f) ? evr_update_step(&f->s.t.trace->events.data[evr_vec_last(&f->s.t.position)])
					  : any_step(f);
	/* Who is asked for no more than that goes no further. */
	if (f->probing || (f->looking && (s.actor != EVR_NO_ACTOR || has_found_something(f)))) {
		f->base.abandoned = true;
		return (struct evr_step){ .actor = EVR_NO_ACTOR };
	}
	if (s.actor == EVR_NO_ACTOR) {
		if (f->waits || f->held.len) {
			if (f->let_go && f->let_go(f))
				return evr_rf_next(&f->base);
			f->base.abandoned = true;
		}
		if (!f->s.alone)
			f->base.abandoned = EVR_UNLIKELY(f->s.doubtful) && !f->sure && !f->base.rerun && is_known(f);
		return s;
	}
	if (f->s.t.names_sources) {
		record(f);
		if (!f->as_asked)
			return (struct evr_step){ .actor = EVR_NO_ACTOR };
		s.variant = newest_source(f, s.actor);
	}
	evr_vec_push(&f->s.t.position, (evr_event_id)f->base.world->trace.events.len);
	evr_vec_push(&f->steps, s);
	f->depth++;
	return s;
}

/* The variant of a step that was asked for, where steps name sources. */
static uint32_t source_step(const struct evr_rf_engine *f, evr_event_id id)
{
	const struct evr_rf *t = &f->s.t;
	evr_event_id source;
	if (EVR_UNLIKELY(f->script.len)) {
		if (!f->script.data[id].names_source)
			return f->script.data[id].variant;
		source = f->script.data[id].source;
	} else {
		const struct evr_rf_event *x = &t->events.data[id];
		if (f->s.ordered && x->kind == EVR_WRITE)
			source = evr_rf_place_in_order(t, id);
		else if (!evr_rf_step_names_source(x))
			return x->variant;
		else
			source = x->source;
	}
	return source == NONE ? 0 : t->position.data[t->rank.data[source]] + 1;
}

/* The thread of the last step waits for its stores to take effect, and they have. That is no step of the order. */
static bool is_drained(const struct evr_rf_engine *f)
{
	const struct evr_world *w = f->base.world;
	if (!f->s.t.buffers_stores || !f->depth)
		return false;
	unsigned actor = f->steps.data[f->depth - 1].actor, thread = actor - EVR_MAX_THREADS;
	return actor >= EVR_MAX_THREADS && w->waiting[thread] && w->pending[thread].kind == EVR_DRAIN &&
	       w->model->ready(w, (evr_thread_id)thread);
}

/* A step of the order, by which a store takes effect. False: what came is no buffered store. */
static bool update_step(struct evr_rf_engine *f, struct evr_step *s)
{
	struct evr_rf *t = &f->s.t;
	evr_event_id store = evr_rf_event_of(t->order.data[f->depth]), position = t->position.data[t->rank.data[store]];
	bool fine = position != NONE && evr_event_is_buffered(&t->trace->events.data[position]);
	t->position.data[f->depth] = fine ? (evr_event_id)t->trace->events.len : NONE;
	if (fine)
		*s = f->steps.data[f->depth] = evr_update_step(&t->trace->events.data[position]);
	f->depth++;
	return fine;
}

struct evr_step evr_rf_next(struct evr_engine *e)
{
	struct evr_rf_engine *f = (struct evr_rf_engine *)e;
	if (EVR_UNLIKELY(is_drained(f)))
		return (struct evr_step){ f->steps.data[f->depth - 1].actor % EVR_MAX_THREADS, 0 };
	while (EVR_LIKELY(f->depth < f->steps.len)) {
		struct evr_step s = f->steps.data[f->depth];
		if (EVR_UNLIKELY(s.actor == EVR_NO_ACTOR)) {
			/* Its thread stands still: the execution cannot be completed. Or it waits: a text has no steps for that. */
			if (f->script.len ||
			    f->s.t.events.data[evr_rf_event_of(f->s.t.order.data[f->depth])].flags & EVR_RF_READS)
				e->abandoned = f->stands_still = true;
			else
				f->waits = true;
			f->s.t.position.data[f->depth++] = NONE;
			continue;
		}
		if (s.actor >= EVR_MAX_THREADS) {
			if (EVR_LIKELY(update_step(f, &s)))
				return s;
			continue;
		}
		f->s.t.position.data[f->depth++] = (evr_event_id)e->world->trace.events.len;
		if (f->s.t.names_sources)
			s.variant = source_step(f, f->s.t.order.data[f->depth - 1]);
		return s;
	}
	return new_step(f);
}

size_t evr_rf_place(const struct evr_engine *e)
{
	return ((const struct evr_rf_engine *)e)->depth;
}

/* The positions of the steps before that one are what they were. */
bool evr_rf_resume(struct evr_engine *e, size_t place)
{
	struct evr_rf_engine *f = (struct evr_rf_engine *)e;
	if (place > f->common || f->script.len)
		return false;
	f->depth = place;
	return true;
}

/* ---- it is over ---- */

/* Could the event have come about in another way? */
static bool has_branches(const struct evr_rf *t, evr_event_id e)
{
	const struct evr_rf_event *x = &t->events.data[e];
	return x->flags & EVR_RF_READS || (x->kind == EVR_CHOOSE && evr_rf_executed(t, e)->choices > 1);
}

/* Of an execution that is run from a text: did all events come, and do the threads that stand still wait? */
static bool is_as_told(const struct evr_rf_engine *f)
{
	const struct evr_rf *t = &f->s.t;
	for (size_t k = 0; k < f->asked; k++) {
		const struct evr_rf_told *x = &f->script.data[evr_rf_event_of(t->order.data[k])];
		bool came = k < t->position.len && t->position.data[k] != NONE;
		if (x->unexecuted ? !f->base.world->waiting[x->thread] : !came)
			return false;
	}
	return true;
}

/*
 * Is what was asked for what came? Whether an access fails cannot always be foreseen. What the branch is about comes last, so
 * that nothing depends on it; then it is taken as it is. If anything else is not as it should be, nothing is learned from this
 * execution.
 */
static bool is_as_asked(const struct evr_rf_engine *f, struct evr_rf_search *s)
{
	struct evr_rf *t = &s->t;
	if (EVR_UNLIKELY(f->script.len))
		return is_as_told(f);
	for (size_t k = 0; k < t->order.len; k++) {
		evr_event_id id = t->order.data[k];
		if (evr_rf_event_of(id) < s->block || t->events.data[evr_rf_event_of(id)].flags & EVR_RF_UNEXECUTED)
			continue;
		if (k >= t->position.len || t->position.data[k] == NONE)
			return false;
		if (evr_rf_is_update(id))
			continue;
		const struct evr_event *e = &t->trace->events.data[t->position.data[k]];
		struct evr_rf_event x = t->events.data[id];
		bool writes = evr_event_writes(e);
		if (e->thread == x.thread && e->kind == x.kind && writes == !!(x.flags & EVR_RF_WRITES))
			continue;
		if (id + 1 < t->events.len || e->thread != x.thread || e->kind != EVR_FAULT || x.cells > 1)
			return false;
		x.kind = EVR_FAULT;
		x.flags &= (uint8_t)~(EVR_RF_BUFFERED | EVR_RF_RELEASES);
		if (x.flags & (EVR_RF_READS | EVR_RF_WRITES))
			x.flags = (uint8_t)((x.flags & ~EVR_RF_WRITES) | EVR_RF_READS);
		/* What it comes after is read from where it will be written again. */
		evr_rf_rewind(t, id);
		evr_rf_append(t, &x, t->afters.data, NULL);
	}
	return true;
}

/* The events of the text: those that were executed, and then those before which threads stand still. */
static void record_told(struct evr_rf_engine *f)
{
	struct evr_rf *t = &f->s.t;
	size_t executed = f->asked;
	while (executed && f->steps.data[executed - 1].actor == EVR_NO_ACTOR)
		executed--;
	t->position.len = executed;
	evr_rf_record(t);
	t->position.len = f->depth;
	for (size_t k = executed; k < f->asked; k++) {
		const struct evr_rf_told *x = &f->script.data[t->order.data[k]];
		evr_rf_record_unexecuted(t, &f->base.world->pending[x->thread], f->script_sources.data + x->first,
					 x->cells);
		evr_vec_reserve(&t->rank, t->events.len);
		t->rank.data[t->order.data[k]] = (evr_event_id)k;
	}
}

/* Append the events executed so far to the reads-from trace. */
static void record(struct evr_rf_engine *f)
{
	struct evr_rf *t = &f->s.t;
	t->position.len = f->depth;
	if (!f->begun) {
		f->s.extension = (evr_event_id)(f->script.len ? f->script.len : t->events.len);
		f->begun = true;
		f->as_asked = is_as_asked(f, &f->s);
		if (f->s.alone)
			evr_rf_unrecord(t, 0);
		evr_rf_begin(t);
		if (f->as_asked && EVR_UNLIKELY(f->script.len) && evr_vec_last(&f->script).unexecuted)
			record_told(f);
	}
	evr_event_id known = (evr_event_id)t->events.len;
	if (f->as_asked)
		evr_rf_record(t);
	if (f->s.ordered)
		evr_rf_order_new(t, known);
}

/* Its new events get nodes. */
bool evr_rf_record_rest(struct evr_rf_engine *f)
{
	struct evr_rf_search *s = &f->s;
	struct evr_rf *t = &s->t;
	if (f->over)
		return f->as_asked;
	record(f);
	f->over = true;
	if (!f->as_asked)
		return false;
	evr_rf_finish(t);
	if (s->alone)
		return true;
	evr_vec_reserve(&s->nodes, t->events.len + 1);
	evr_vec_reserve(&s->node_of, t->events.len);
	s->nodes.len = s->node_of.len = t->events.len;
	for (evr_event_id e = s->extension; e < t->events.len; e++) {
		bool branches = has_branches(t, e);
		s->nodes.data[e] = (struct evr_rf_node){ NULL, 0 };
		s->node_of.data[e] = branches ? e : NONE;
		if (branches)
			evr_rf_note(s, e, e);
	}
	return true;
}
