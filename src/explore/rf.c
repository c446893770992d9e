/*
 * Engine `rf`: one execution for each reads-from trace (paper 003, Algorithm 1). docs/engines/rf.md tells the story.
 *
 * When an execution is over, each of its reads asks whether it could have read from another write. The oracle of the model
 * says whether that is possible, and in which order the events would then come; such an order is a schedule, kept at the read's
 * node until it is its turn. The deepest node with a schedule goes on: the events before the read stay, the read gets its
 * new source, what the new source needs comes along, and the execution goes on from there as it likes.
 *
 * What comes along is marked: its reads have been, or will be, given other sources elsewhere.
 */
#include "explore/engine.h"
#include "explore/rf_search.h"

#include <stdlib.h>
#include <string.h>

#define NONE EVR_NO_EVENT

struct rf {
	struct evr_engine base;
	struct evr_rf_search s;
	evr_steps steps; /* of this execution, those that it was told to take first */
	size_t asked;    /* how many these are */
	size_t depth;    /* how many it has taken */
	uint32_t mixes;  /* of the locations, when the search began */
	size_t cuts;     /* and how many the world had */
	bool begun;      /* the execution's events have been taken in, as far as they were asked for */
	bool as_asked;   /* and they are what was asked for */
	bool over;       /* all have been taken in */
	bool settling;   /* the execution repeats the last trace, in another order */
	bool retracted;  /* the last step was for nothing */
	bool dropped;    /* and it was the last that was asked for */
	bool sure;       /* no traces are remembered: nothing was doubtful when the search began */
	size_t late; /* of the stores that may take effect after their memory was freed: how many have been looked at */
};

static void begin(struct rf *f)
{
	f->s.oracle = f->base.world->model->oracle->create(&f->s.t);
	f->s.t.named = f->base.world->model->steps_name_sources;
	f->s.t.buffered = f->base.world->model->buffers_stores;
	f->s.t.unordered = f->base.world->model->reorders_stores;
	f->begun = f->over = false;
	f->sure = !f->s.doubtful;
	evr_rf_search_clear(&f->s);
	evr_vec_clear(&f->steps);
	f->depth = f->asked = 0;
	f->mixes = f->s.t.locations.mixes;
	f->cuts = f->base.world->cuts.len;
	f->base.prefix = 0;
	f->base.rerun = f->base.again = f->settling = f->retracted = false;
}

static struct evr_engine *create(struct evr_world *w)
{
	struct rf *f = evr_alloc(sizeof(*f));
	f->base.ops = &evr_engine_rf;
	f->base.world = f->s.world = w;
	evr_rf_init(&f->s.t, &w->trace);
	begin(f);
	return &f->base;
}

static void destroy(struct evr_engine *e)
{
	struct rf *f = (struct rf *)e;
	f->s.oracle->ops->destroy(f->s.oracle);
	evr_rf_release(&f->s.t);
	evr_rf_search_release(&f->s);
	evr_vec_release(&f->steps);
	free(f);
}

static void restart(struct evr_engine *e)
{
	struct rf *f = (struct rf *)e;
	struct evr_locations *known = &f->s.t.locations;
	f->s.oracle->ops->destroy(f->s.oracle);
	/* Accesses are no more to what they were to. */
	if (f->cuts != e->world->cuts.len) {
		evr_locations_release(known);
		*known = (struct evr_locations){ 0 };
	}
	evr_rf_clear(&f->s.t);
	begin(f);
}

/* ---- an execution ---- */

static void take_in(struct rf *f);
static uint32_t newest_source(struct rf *f, evr_thread_id thread);

/* Would the thread's pending event, which is possible, be for nothing? Where steps name sources, that is a matter of the newest. */
static __attribute__((noinline)) bool is_futile(struct rf *f, evr_thread_id thread)
{
	const struct evr_world *w = f->base.world;
	const struct evr_event *e = &w->pending[thread];
	if (!f->s.t.named || e->kind == EVR_TRYLOCK)
		return evr_model_futile(w, thread);
	if (e->kind != EVR_READ && e->kind != EVR_RMW && e->kind != EVR_CAS)
		return false;
	take_in(f);
	if (!f->as_asked)
		return false;
	uint32_t variant = newest_source(f, thread);
	const struct evr_event *source = variant ? &w->trace.events.data[variant - 1] : NULL;
	if (source && (source->address != e->address || source->size != e->size))
		return false;
	return evr_model_futile_if(w, e, w->history[thread],
				   source ? source->written : evr_memory_load(e->address, e->size));
}

static inline bool can_go(struct rf *f, unsigned thread)
{
	const struct evr_world *w = f->base.world;
	if (!w->waiting[thread] || !w->model->ready(w, (evr_thread_id)thread))
		return false;
	return EVR_LIKELY(!w->futile.len) || !is_futile(f, (evr_thread_id)thread);
}

/* Any thread will do; the one that is running already comes first. Who would go round for nothing does so in the end. */
static struct evr_step any_step(struct rf *f)
{
	const struct evr_world *w = f->base.world;
	unsigned before = f->steps.len ? evr_vec_last(&f->steps).actor % EVR_MAX_THREADS : 0;
	if (before < w->threads && before + 1 != w->tired && can_go(f, before))
		return (struct evr_step){ (uint16_t)before, 0 };
	for (unsigned i = 0; i < w->threads; i++)
		if (i + 1 != w->tired && can_go(f, i))
			return (struct evr_step){ (uint16_t)i, 0 };
	if (w->tired && can_go(f, w->tired - 1u))
		return (struct evr_step){ (uint16_t)(w->tired - 1), 0 };
	for (unsigned i = 0; w->futile.len && i < w->threads; i++)
		if (w->waiting[i] && w->model->ready(w, (evr_thread_id)i))
			return (struct evr_step){ (uint16_t)i, 0 };
	return (struct evr_step){ .actor = EVR_NO_ACTOR };
}

/* Where steps name sources: that of a thread's pending event, if nobody has asked for one. */
static uint32_t newest_source(struct rf *f, evr_thread_id thread)
{
	struct evr_rf *t = &f->s.t;
	const struct evr_event *e = &f->base.world->pending[thread];
	bool trylock = e->kind == EVR_TRYLOCK || e->kind == EVR_TIMEDLOCK;
	if (e->kind != EVR_READ && e->kind != EVR_RMW && e->kind != EVR_CAS && !trylock)
		return 0;
	uint32_t location = evr_rf_location(t, e);
	evr_event_id source = evr_rf_now(t, t->at.data[location].cell);
	/* Of a mutex the chain of its events tells all. */
	if (trylock && (source == NONE || !t->events.data[source].depth ||
			t->events.data[t->events.data[source].section].thread == thread))
		return 0;
	/* What the execution itself has written comes after all that it was asked to write. */
	if (!trylock && (source == NONE || source < f->s.own) && evr_rf_whole(t, location)->last != NONE)
		source = f->s.oracle->ops->newest(f->s.oracle, location);
	return source == NONE ? 0 : t->place.data[t->rank.data[source]] + 1;
}

/* The execution goes on by itself: a store takes effect at once. */
static bool has_stored(const struct rf *f)
{
	const struct evr_rf *t = &f->s.t;
	if (!t->buffered || !f->depth)
		return false;
	evr_event_id last = t->place.data[f->depth - 1];
	return last != NONE && evr_rf_is_buffered(&t->trace->events.data[last]);
}

static bool follow(struct rf *f);

/* The execution is over: has its trace been explored before? Of those who are left in loops, that is not asked. */
static bool is_known(struct rf *f)
{
	const struct evr_world *w = f->base.world;
	for (unsigned i = 0; i < w->threads; i++)
		if (w->await[i] != NONE)
			return false;
	return follow(f) && !evr_rf_is_new(&f->s);
}

static __attribute__((noinline)) struct evr_step new_step(struct rf *f)
{
	struct evr_step s =
		has_stored(f) ? evr_update_step(&f->s.t.trace->events.data[evr_vec_last(&f->s.t.place)]) : any_step(f);
	if (s.actor == EVR_NO_ACTOR) {
		f->base.abandoned = EVR_UNLIKELY(f->s.doubtful) && !f->sure && !f->settling && is_known(f);
		return s;
	}
	if (f->s.t.named) {
		take_in(f);
		if (!f->as_asked)
			return (struct evr_step){ .actor = EVR_NO_ACTOR };
		s.variant = newest_source(f, s.actor);
	}
	evr_vec_push(&f->s.t.place, (evr_event_id)f->base.world->trace.events.len);
	evr_vec_push(&f->steps, s);
	f->depth++;
	return s;
}

/* The variant of a step that was asked for, where steps name sources. A lock can have but one. */
static uint32_t source_step(const struct rf *f, evr_event_id id)
{
	const struct evr_rf *t = &f->s.t;
	const struct evr_rf_event *x = &t->events.data[id];
	bool lock = evr_kind_is_mutex(x->kind) && x->flags & EVR_RF_WRITES;
	if (!(x->flags & EVR_RF_READS) || lock || x->kind == EVR_FENCE || x->kind == EVR_CHOOSE)
		return x->variant;
	return x->source == NONE ? 0 : t->place.data[t->rank.data[x->source]] + 1;
}

/* The thread of the last step waits for its stores to take effect, and they have. That is no step of the order. */
static bool is_drained(const struct rf *f)
{
	const struct evr_world *w = f->base.world;
	if (!f->s.t.buffered || !f->depth)
		return false;
	unsigned actor = f->steps.data[f->depth - 1].actor, thread = actor - EVR_MAX_THREADS;
	return actor >= EVR_MAX_THREADS && w->waiting[thread] && w->pending[thread].kind == EVR_DRAIN &&
	       w->model->ready(w, (evr_thread_id)thread);
}

/* A step of the order, by which a store takes effect. False: what came is no buffered store. */
static bool update_step(struct rf *f, struct evr_step *s)
{
	struct evr_rf *t = &f->s.t;
	evr_event_id store = evr_rf_event_of(t->order.data[f->depth]), place = t->place.data[t->rank.data[store]];
	bool fine = place != NONE && evr_rf_is_buffered(&t->trace->events.data[place]);
	t->place.data[f->depth] = fine ? (evr_event_id)t->trace->events.len : NONE;
	if (fine)
		*s = f->steps.data[f->depth] = evr_update_step(&t->trace->events.data[place]);
	f->depth++;
	return fine;
}

static struct evr_step next(struct evr_engine *e)
{
	struct rf *f = (struct rf *)e;
	if (EVR_UNLIKELY(is_drained(f)))
		return (struct evr_step){ f->steps.data[f->depth - 1].actor % EVR_MAX_THREADS, 0 };
	while (EVR_LIKELY(f->depth < f->steps.len)) {
		struct evr_step s = f->steps.data[f->depth];
		if (s.actor >= EVR_MAX_THREADS) {
			if (EVR_LIKELY(update_step(f, &s)))
				return s;
			continue;
		}
		f->s.t.place.data[f->depth++] = (evr_event_id)e->world->trace.events.len;
		if (f->s.t.named)
			s.variant = source_step(f, f->s.t.order.data[f->depth - 1]);
		return s;
	}
	return new_step(f);
}

/* ---- it is over ---- */

/* Could the event have come about in another way? */
static bool has_branches(const struct evr_rf *t, evr_event_id e)
{
	const struct evr_rf_event *x = &t->events.data[e];
	return x->flags & EVR_RF_READS || (x->kind == EVR_CHOOSE && evr_rf_executed(t, e)->written > 1);
}

/*
 * Is what was asked for what came? Whether an access fails cannot always be foreseen. What the branch is about comes last, so
 * that nothing depends on it; then it is taken as it is. If anything else is not as it should be, nothing is learned from this
 * execution.
 */
static bool is_as_asked(struct evr_rf_search *s)
{
	struct evr_rf *t = &s->t;
	for (size_t k = 0; k < t->order.len; k++) {
		evr_event_id id = t->order.data[k];
		if (evr_rf_event_of(id) < s->block)
			continue;
		if (k >= t->place.len || t->place.data[k] == NONE)
			return false;
		if (evr_rf_is_update(id))
			continue;
		const struct evr_event *e = &t->trace->events.data[t->place.data[k]];
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
		evr_rf_cut(t, id);
		evr_rf_append(t, &x, t->afters.data, NULL);
	}
	return true;
}

/* Take in the execution, as far as it has come. */
static void take_in(struct rf *f)
{
	struct evr_rf *t = &f->s.t;
	t->place.len = f->depth;
	if (!f->begun) {
		f->s.own = (evr_event_id)t->events.len;
		f->begun = true;
		f->as_asked = is_as_asked(&f->s);
		evr_rf_begin(t);
	}
	if (f->as_asked)
		evr_rf_follow(t);
}

/* It is over: take in the rest, and give its new events nodes. */
static bool follow(struct rf *f)
{
	struct evr_rf_search *s = &f->s;
	struct evr_rf *t = &s->t;
	if (f->over)
		return f->as_asked;
	take_in(f);
	f->over = true;
	if (!f->as_asked)
		return false;
	evr_rf_finish(t);
	evr_vec_reserve(&s->nodes, t->events.len + 1);
	evr_vec_reserve(&s->node_of, t->events.len);
	s->nodes.len = s->node_of.len = t->events.len;
	for (evr_event_id e = s->own; e < t->events.len; e++) {
		bool branches = has_branches(t, e);
		s->nodes.data[e] = (struct evr_rf_node){ NULL, NONE };
		s->node_of.data[e] = branches ? e : NONE;
		if (branches)
			evr_rf_note(s, e, e);
	}
	return true;
}

/* ---- the next execution ---- */

/* How much of the last execution's trace will be the same in this order, which is new from this event on? */
static size_t common_prefix(const struct evr_rf *t, const evr_rf_ids *order, evr_event_id new)
{
	size_t k = 0;
	while (k < t->order.len && order->data[k] == t->order.data[k] && evr_rf_event_of(order->data[k]) < new)
		k++;
	return k < t->place.len ? t->place.data[k] : t->trace->events.len;
}

/* Run the events of the trace in the order that was found; it knows those from `new` on only now. */
static void run_in_order(struct rf *f, evr_event_id new)
{
	struct evr_rf *t = &f->s.t;
	const evr_rf_ids *order = &f->s.change.order;
	f->base.prefix = common_prefix(t, order, new);
	evr_vec_reserve(&t->order, order->len);
	evr_vec_reserve(&t->place, order->len);
	evr_vec_reserve(&f->steps, order->len);
	evr_vec_reserve(&t->rank, t->events.len);
	evr_vec_reserve(&t->effect, t->events.len);
	for (size_t k = 0; k < order->len; k++) {
		evr_event_id e = evr_rf_event_of(order->data[k]);
		const struct evr_rf_event *x = &t->events.data[e];
		bool update = evr_rf_is_update(order->data[k]);
		t->order.data[k] = order->data[k];
		(update ? &t->effect : &t->rank)->data[e] = (evr_event_id)k;
		f->steps.data[k] =
			(struct evr_step){ (uint16_t)(x->thread + (update ? EVR_MAX_THREADS : 0)), x->variant };
	}
	t->order.len = t->place.len = f->steps.len = f->asked = order->len;
}

/*
 * A loop waits in vain if it has seen the last write of all, and which that is, the trace does not say. If it can be, run the
 * trace in such an order.
 */
static bool settle(struct rf *f)
{
	const struct evr_rf *t = &f->s.t;
	if (!evr_rf_ask_to_look_again(&f->s))
		return false;
	/* It may also be that the memory is not there any more. */
	const evr_rf_ids *order = &f->s.change.order;
	if (!memcmp(order->data, t->order.data, order->len * sizeof(*order->data)))
		return false;
	run_in_order(f, (evr_event_id)t->events.len);
	return true;
}

/* What the trace does not say may make a difference: run it in another order, too? */
static bool run_again(struct rf *f)
{
	/* Where the order of writes is not that in which they are executed, complete() has seen to it. */
	if (!f->settling && f->base.world->unsettled && !f->s.oracle->ops->complete && settle(f))
		return true;
	if (EVR_LIKELY(!f->s.t.frees.len) || !evr_rf_ask_for_late_store(&f->s, &f->late))
		return false;
	run_in_order(f, (evr_event_id)f->s.t.events.len);
	return true;
}

static void complete(struct evr_engine *e)
{
	struct rf *f = (struct rf *)e;
	struct evr_rf *t = &f->s.t;
	if (!f->s.oracle->ops->complete || !follow(f) || t->failure)
		return;
	/* The search will start again; how the writes are ordered nobody can say yet. */
	if (f->mixes != t->locations.mixes) {
		e->abandoned = true;
		return;
	}
	evr_rf_ids awaited = { 0 };
	for (size_t i = 0; i < t->events.len; i++) {
		const struct evr_rf_event *x = &t->events.data[i];
		evr_event_id since = e->world->await[x->thread];
		if (since == NONE || t->place.data[t->rank.data[i]] < since)
			continue;
		/* What a read-modify-write has left is what it found. */
		if (x->flags & EVR_RF_WRITES && !evr_kind_is_mutex(x->kind))
			evr_vec_push(&awaited, (evr_event_id)i);
		else if (x->kind == EVR_READ || x->kind == EVR_CAS)
			evr_vec_push(&awaited, x->source);
	}
	f->s.oracle->ops->complete(f->s.oracle, &e->world->trace, &awaited);
	evr_vec_release(&awaited);
}

/* The deepest branch. False: there is none. */
static bool take_next(struct rf *f)
{
	struct evr_rf_search *s = &f->s;
	for (evr_event_id node = (evr_event_id)s->nodes.len; node-- > 0;) {
		if (s->nodes.data[node].schedules) {
			evr_rf_take_up(s, node);
			run_in_order(f, node);
			return true;
		}
		evr_rf_forget(s, node);
	}
	return false;
}

/* Was the branch asked for to have its last event read from the one before, as rule 2 does? */
static bool is_reversal(const struct evr_rf_search *s)
{
	const struct evr_rf *t = &s->t;
	return s->own >= s->block + 2 && t->events.data[s->own - 1].source == s->own - 2 &&
	       t->events.data[s->own - 2].flags & EVR_RF_CHANGED;
}

/*
 * What the execution did by itself can be taken back. So can the last event that it was asked for, where that waits for the one
 * before: rule 3 would have been right.
 */
static bool retract(struct evr_engine *e, evr_thread_id thread, bool new)
{
	struct rf *f = (struct rf *)e;
	const struct evr_rf *t = &f->s.t;
	if (f->settling || !f->depth)
		return false;
	bool last = f->depth <= f->asked && t->order.data[f->depth - 1] == f->s.own - 1;
	f->dropped = last && is_reversal(&f->s);
	f->s.doubtful |= last && t->events.data[f->s.own - 1].kind != EVR_READ;
	f->retracted = f->dropped || (new && f->depth > f->asked &&evr_vec_last(&f->steps).actor == thread);
	return f->retracted;
}

/* Forget what the execution has done by itself. */
static void take_back(struct rf *f)
{
	struct evr_rf *t = &f->s.t;
	f->base.prefix = t->place.data[f->depth - 1];
	if (f->begun) {
		evr_rf_cut(t, f->s.own);
		f->s.oracle->ops->cut(f->s.oracle, f->s.own);
	}
	f->steps.len = t->place.len = t->order.len = f->asked;
	f->depth = 0;
	f->begun = f->over = f->retracted = false;
}

/* The branch is asked for without its last event. Is that a new one? */
static bool drop_last(struct rf *f)
{
	struct evr_rf_search *s = &f->s;
	struct evr_rf *t = &s->t;
	evr_event_id last = --s->own;
	evr_rf_ids *order = &s->change.order;
	evr_vec_clear(order);
	for (size_t k = 0; k < t->order.len; k++)
		if (evr_rf_event_of(t->order.data[k]) != last)
			evr_vec_push(order, t->order.data[k]);
	evr_rf_cut(t, last);
	s->oracle->ops->cut(s->oracle, last);
	s->nodes.len = s->node_of.len = last;
	s->doubtful = true;
	if (!evr_rf_note_block(s))
		return false;
	run_in_order(f, s->block);
	return true;
}

static bool advance(struct evr_engine *e)
{
	struct rf *f = (struct rf *)e;
	struct evr_rf_search *s = &f->s;
	if (EVR_UNLIKELY(f->s.doubtful && f->sure)) {
		e->again = true;
		return true;
	}
	if (EVR_UNLIKELY(f->retracted)) {
		take_back(f);
		return !f->dropped || drop_last(f) || take_next(f);
	}
	bool as_asked = follow(f);
	f->begun = f->over = e->abandoned = false;
	e->again = f->mixes != s->t.locations.mixes;
	if (e->again && e->world->model->orders_whole_locations)
		evr_model_cut_locations(e->world, &s->t.locations);
	if (e->again)
		return true;
	if (!as_asked)
		e->redundant += !f->settling;
	else if (s->t.failure)
		e->failure = s->t.failure;
	else if (!f->settling)
		evr_rf_find_branches(s);
	f->depth = 0;
	if (e->failure)
		return false;
	if (!f->settling)
		f->late = 0;
	e->rerun = f->settling = run_again(f);
	if (f->settling)
		return true;
	return take_next(f);
}

/* A restart makes a new oracle, which begins at 0. */
static void stats(const struct evr_engine *e, struct evr_stats *s)
{
	const struct evr_oracle *o = ((const struct rf *)e)->s.oracle;
	evr_stats_put(s, EVR_STAT_QUESTIONS, o->asked);
	evr_stats_put(s, EVR_STAT_INSERTED, o->inserted);
	evr_stats_put(s, EVR_STAT_SATURATED, o->saturated);
	evr_stats_put(s, EVR_STAT_GUIDED, o->guided);
	evr_stats_put(s, EVR_STAT_DECIDED, o->decided);
}

static bool supports(const struct evr_model_ops *m)
{
	return m->oracle != NULL;
}

static bool preferred(const struct evr_model_ops *m)
{
	return !m->buffers_stores;
}

const struct evr_engine_ops evr_engine_rf = {
	.name = "rf",
	.summary = "one execution for each reads-from trace: who reads from whom",
	.supports = supports,
	.preferred = preferred,
	.sources_only = true,
	.exhaustive = true,
	.erases = true,
	.classes = "rf",
	.create = create,
	.destroy = destroy,
	.restart = restart,
	.next = next,
	.complete = complete,
	.advance = advance,
	.retract = retract,
	.probe = evr_engine_probe_sources,
	.stats = stats,
};
