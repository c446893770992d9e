/*
 * Engine `rf`: one execution for each reads-from trace (paper 003, Algorithm 1). docs/engines/rf.md tells the story.
 *
 * When an execution is over, each of its reads asks whether it could have read from another write. The oracle of the model
 * says whether that is possible, and in which order the events would then come; such an order is a schedule, kept at the read's
 * node until it is its turn. The deepest node with a schedule goes on: the events before the read stay, the read gets its
 * new source, what the new source needs comes along, and the execution goes on from there as it likes.
 *
 * What comes along is marked: its reads have been, or will be, given other sources elsewhere.
 *
 * Invariant: nodes are left from the deepest upwards, and of a node that was left all branches have been explored.
 */
#include "explore/rf_search.h"

#include <stdlib.h>
#include <string.h>

#define NONE EVR_NO_EVENT

static void reset(struct evr_rf_engine *f)
{
	f->s.oracle = f->base.world->model->oracle->create(&f->s.t);
	f->s.t.names_sources = f->base.world->model->steps_name_sources;
	f->s.t.buffers_stores = f->base.world->model->buffers_stores;
	f->s.t.reorders_stores = f->base.world->model->reorders_stores;
	f->begun = f->over = false;
	f->sure = !f->s.doubtful;
	evr_rf_search_clear(&f->s);
	evr_vec_clear(&f->steps);
	f->depth = f->asked = 0;
	f->overlaps = f->s.t.locations.overlaps;
	f->cuts = f->base.world->knowledge.cuts.len;
	f->base.prefix = 0;
	f->base.rerun = f->retracted = false;
}

void evr_rf_init_engine(struct evr_rf_engine *f, struct evr_world *w)
{
	f->base.world = f->s.world = w;
	evr_rf_init(&f->s.t, &w->trace);
	reset(f);
}

static struct evr_engine *create(struct evr_world *w)
{
	struct evr_rf_engine *f = evr_engine_new(sizeof(*f), &evr_engine_rf, w);
	evr_rf_init_engine(f, w);
	return &f->base;
}

void evr_rf_release_engine(struct evr_rf_engine *f)
{
	f->s.oracle->ops->destroy(f->s.oracle);
	evr_rf_release(&f->s.t);
	evr_rf_search_release(&f->s);
	evr_vec_release(&f->steps);
}

static void destroy(struct evr_engine *e)
{
	evr_rf_release_engine((struct evr_rf_engine *)e);
	free(e);
}

void evr_rf_restart(struct evr_rf_engine *f)
{
	struct evr_locations *known = &f->s.t.locations;
	f->s.oracle->ops->destroy(f->s.oracle);
	/* Accesses are no more to what they were to. */
	if (f->cuts != f->base.world->knowledge.cuts.len) {
		evr_locations_release(known);
		*known = (struct evr_locations){ 0 };
	}
	evr_rf_clear(&f->s.t);
	reset(f);
}

static void restart(struct evr_engine *e)
{
	evr_rf_restart((struct evr_rf_engine *)e);
}

/* ---- the next execution ---- */

/* How many steps of the last execution will be the same in this order, which is new from this event on? */
static size_t common_steps(const evr_rf_ids *ran, const evr_rf_ids *order, evr_event_id new)
{
	size_t k = 0;
	while (k < ran->len && order->data[k] == ran->data[k] && evr_rf_event_of(order->data[k]) < new)
		k++;
	return k;
}

/* And how much of its trace? */
static size_t common_prefix(const struct evr_rf *t, size_t k)
{
	while (k < t->position.len && EVR_UNLIKELY(t->position.data[k] == NONE))
		k++;
	return k < t->position.len ? t->position.data[k] : t->trace->events.len;
}

void evr_rf_run_in_order(struct evr_rf_engine *f, evr_event_id new)
{
	struct evr_rf *t = &f->s.t;
	const evr_rf_ids *order = &f->s.change.order;
	bool moved = evr_rf_show_order_that_ran(&f->s);
	size_t same = common_steps(&t->order, order, new);
	f->common = same;
	f->base.prefix = common_prefix(t, same);
	evr_rf_unrecord(t, same);
	evr_vec_reserve(&t->order, order->len);
	evr_vec_reserve(&t->position, order->len);
	evr_vec_reserve(&f->steps, order->len);
	evr_vec_reserve(&t->rank, t->events.len);
	evr_vec_reserve(&t->effect, t->events.len);
	/* Of those steps all is said, but perhaps when they were taken. */
	for (size_t k = moved ? 0 : same; k < order->len; k++) {
		evr_event_id e = evr_rf_event_of(order->data[k]);
		const struct evr_rf_event *x = &t->events.data[e];
		bool update = evr_rf_is_update(order->data[k]);
		t->order.data[k] = order->data[k];
		(update ? &t->effect : &t->rank)->data[e] = (evr_event_id)k;
		f->steps.data[k] =
			(struct evr_step){ (uint16_t)(x->thread + (update ? EVR_MAX_THREADS : 0)), x->variant };
		if (EVR_UNLIKELY(x->flags & EVR_RF_UNEXECUTED)) {
			f->steps.data[k].actor = EVR_NO_ACTOR;
			f->common = k < f->common ? k : f->common;
		}
	}
	t->order.len = t->position.len = f->steps.len = f->asked = order->len;
}

/*
 * A loop waits in vain if it has seen the last write of all, and which that is, the trace does not say. If it can be, run the
 * trace in such an order.
 */
static bool order_for_awaits(struct evr_rf_engine *f)
{
	const struct evr_rf *t = &f->s.t;
	if (!evr_rf_ask_for_rereads(&f->s))
		return false;
	/* It may also be that the memory is not there any more. */
	const evr_rf_ids *order = &f->s.change.order;
	if (!memcmp(order->data, t->order.data, order->len * sizeof(*order->data)))
		return false;
	evr_rf_run_in_order(f, (evr_event_id)t->events.len);
	return true;
}

bool evr_rf_prepare_rerun(struct evr_rf_engine *f)
{
	/* Where the order of writes is not that in which they are executed, complete() has seen to it. */
	if (!f->base.rerun && f->base.world->awaits_undecided && !f->s.oracle->ops->complete && order_for_awaits(f))
		return true;
	if (EVR_LIKELY(!f->s.t.frees.len) || !evr_rf_ask_for_update_after_free(&f->s, &f->frees_tried))
		return false;
	evr_rf_run_in_order(f, (evr_event_id)f->s.t.events.len);
	return true;
}

void evr_rf_complete(struct evr_engine *e)
{
	struct evr_rf_engine *f = (struct evr_rf_engine *)e;
	struct evr_rf *t = &f->s.t;
	if (!f->s.oracle->ops->complete || f->waits || !evr_rf_record_rest(f) || t->failure)
		return;
	/* The search will start again; how the writes are ordered nobody can say yet. */
	if (f->overlaps != t->locations.overlaps) {
		e->abandoned = true;
		return;
	}
	evr_rf_ids awaited = { 0 };
	for (size_t i = 0; i < t->events.len; i++) {
		const struct evr_rf_event *x = &t->events.data[i];
		evr_event_id since = e->world->await[x->thread];
		if (since == NONE || x->flags & EVR_RF_UNEXECUTED || t->position.data[t->rank.data[i]] < since)
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
static bool take_next(struct evr_rf_engine *f)
{
	struct evr_rf_search *s = &f->s;
	for (evr_event_id node = (evr_event_id)s->nodes.len; node-- > 0;) {
		while (s->nodes.data[node].branches)
			if (evr_rf_take_up(s, node)) {
				evr_rf_run_in_order(f, node);
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
	return s->extension >= s->block + 2 && t->events.data[s->extension - 1].source == s->extension - 2 &&
	       t->events.data[s->extension - 2].flags & EVR_RF_CHANGED;
}

size_t evr_rf_without_fences(const struct evr_rf_engine *f, evr_thread_id thread)
{
	const struct evr_rf *t = &f->s.t;
	size_t depth = f->depth;
	for (; depth > 0; depth--) {
		evr_event_id id = t->position.data[depth - 1];
		if (id == EVR_NO_EVENT || t->trace->events.data[id].thread != thread ||
		    t->trace->events.data[id].kind != EVR_FENCE)
			break;
	}
	return depth;
}

/*
 * What the execution did by itself can be taken back. So can the last event that it was asked for, where that waits for the one
 * before: rule 3 would have been right.
 */
bool evr_rf_retract(struct evr_engine *e, evr_thread_id thread, bool new)
{
	struct evr_rf_engine *f = (struct evr_rf_engine *)e;
	const struct evr_rf *t = &f->s.t;
	if (f->base.rerun)
		return false;
	size_t depth = f->told = evr_rf_without_fences(f, thread);
	if (!depth)
		return false;
	bool last = depth <= f->asked && t->order.data[depth - 1] == f->s.extension - 1;
	f->dropped = last && is_reversal(&f->s);
	f->s.doubtful |= last && t->events.data[f->s.extension - 1].kind != EVR_READ;
	f->retracted = f->dropped || (new && depth > f->asked && f->steps.data[depth - 1].actor == thread);
	return f->retracted;
}

void evr_rf_take_back(struct evr_rf_engine *f)
{
	struct evr_rf *t = &f->s.t;
	f->base.prefix = t->position.data[f->told - 1];
	/* Behind what was asked for it finds its steps itself. */
	f->common = f->told - 1 < f->asked ? f->told - 1 : f->asked;
	evr_rf_unrecord(t, f->common);
	if (f->begun) {
		evr_rf_rewind(t, f->s.extension);
		f->s.oracle->ops->rewind(f->s.oracle, f->s.extension);
	}
	f->steps.len = t->position.len = t->order.len = f->asked;
	f->depth = 0;
	f->begun = f->over = f->retracted = false;
}

/* The branch is asked for without its last event. Is that a new one? */
static bool drop_last(struct evr_rf_engine *f)
{
	struct evr_rf_search *s = &f->s;
	struct evr_rf *t = &s->t;
	evr_event_id last = --s->extension;
	evr_rf_ids *order = &s->change.order;
	evr_vec_clear(order);
	for (size_t k = 0; k < t->order.len; k++)
		if (evr_rf_event_of(t->order.data[k]) != last)
			evr_vec_push(order, t->order.data[k]);
	evr_rf_rewind(t, last);
	s->oracle->ops->rewind(s->oracle, last);
	s->nodes.len = s->node_of.len = last;
	s->doubtful = true;
	if (!evr_rf_note_block(s))
		return false;
	evr_rf_run_in_order(f, s->block);
	return true;
}

static bool advance(struct evr_engine *e)
{
	struct evr_rf_engine *f = (struct evr_rf_engine *)e;
	struct evr_rf_search *s = &f->s;
	if (EVR_UNLIKELY(f->s.doubtful && f->sure)) {
		evr_learn(&e->world->knowledge);
		return true;
	}
	if (EVR_UNLIKELY(f->retracted)) {
		evr_rf_take_back(f);
		return !f->dropped || drop_last(f) || take_next(f);
	}
	bool as_asked = evr_rf_record_rest(f);
	f->begun = f->over = e->abandoned = false;
	if (f->overlaps != s->t.locations.overlaps) {
		if (e->world->model->coherence_per_location)
			evr_model_cut_locations(e->world, &s->t.locations);
		evr_learn(&e->world->knowledge);
		return true;
	}
	if (!as_asked)
		e->redundant += !e->rerun;
	else if (s->t.failure)
		e->failure = s->t.failure;
	else if (!e->rerun)
		evr_rf_find_branches(s);
	f->depth = 0;
	if (e->failure)
		return false;
	if (!e->rerun)
		f->frees_tried = 0;
	e->rerun = evr_rf_prepare_rerun(f);
	return e->rerun || take_next(f);
}

/* A restart makes a new oracle, which begins at 0. */
static void stats(const struct evr_engine *e, struct evr_stats *s)
{
	const struct evr_oracle *o = ((const struct evr_rf_engine *)e)->s.oracle;
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
	EVR_ENGINE_FUNCTIONS,
	.next = evr_rf_next,
	.place = evr_rf_place,
	.resume = evr_rf_resume,
	.complete = evr_rf_complete,
	.retract = evr_rf_retract,
	.probe = evr_engine_probe_sources,
	.stats = stats,
	.divided = &evr_engine_revisit,
};
