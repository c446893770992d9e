/*
 * Engine `rvf`: at most one execution for each reads-value-from class (paper 001, Algorithm 2). docs/engines/rvf.md tells the
 * story.
 *
 * The search goes down a tree. At a node, all threads are about to read; each read in turn (mutate) is given each value that it
 * can have, by the writes that are there (its good writes), and for each value that has a witness (explore/verify_sc.h) the search
 * goes on: with what follows the read, up to the next reads. Causal maps keep a read from getting what it was given elsewhere;
 * backtrack signals tell whether a node's other reads need a turn at all.
 *
 * If a witness is the order in which events are being executed already, the execution just goes on. Otherwise it is abandoned, and
 * the witness is run from the start.
 */
#include "explore/rvf_search.h"

#include <stdlib.h>

#define NONE EVR_NO_EVENT
#define PATIENCE 128 /* the closure costs about as much as so many dead ends */

/* ---- what a complete execution does not tell ---- */

/* What loops that wait have looked at. Locks guard what they have looked at without an event. */
static void find_awaited(struct evr_rvf_search *f)
{
	const struct evr_world *w = f->base.world;
	for (size_t k = 0; w->awaits_undecided && k < f->positions.len; k++) {
		evr_event_id e = f->orders.data[f->order + k], since = w->await[f->x.events.data[e].thread];
		unsigned kind = f->x.events.data[e].kind;
		bool looks = kind == EVR_READ || kind == EVR_RMW || kind == EVR_CAS || kind == EVR_LOCK ||
			     kind == EVR_UNLOCK;
		if (looks && since != NONE && f->positions.data[k] >= since)
			evr_vec_push(&f->awaited, e);
	}
}

static bool is_awaited(const struct evr_rvf_search *f, evr_event_id e)
{
	for (size_t k = 0; k < f->awaited.len; k++)
		if (f->awaited.data[k] == e)
			return true;
	return false;
}

static void find_questions(struct evr_rvf_search *f)
{
	find_awaited(f);
	if (f->awaited.len)
		evr_rvf_relax(&f->relaxed, &f->x);
}

/* They see the last writes of all, but for those of each other, which leave what they find. */
static void come_last(struct evr_rvf_search *f)
{
	const struct evr_rvf *x = &f->x;
	for (size_t k = 0; k < f->awaited.len; k++) {
		evr_event_id r = f->awaited.data[k];
		const struct evr_rvf_event *y = &x->events.data[r];
		for (evr_event_id i = x->newest.data[y->location]; i != NONE; i = x->events.data[i].older) {
			const struct evr_rvf_event *z = &x->events.data[i];
			if (z->flags & EVR_RVF_WRITES && !is_awaited(f, i) &&
			    evr_overlap(y->address, y->size, z->address, z->size))
				evr_vec_push(&f->verify.pairs, (struct evr_rvf_pair){ i, r });
		}
	}
	evr_vec_clear(&f->awaited);
}

static bool find_other_order(struct evr_rvf_search *f)
{
	bool found = evr_verify_sc(&f->verify, &f->relaxed, &f->orders.data[f->order], f->x.events.len);
	evr_vec_clear(&f->verify.pairs);
	if (!found)
		return false;
	f->order = (uint32_t)f->orders.len;
	for (size_t i = 0; i < f->verify.order.len; i++)
		evr_vec_push(&f->orders, f->verify.order.data[i]);
	return true;
}

/*
 * Whether a loop waits in vain depends on the order of the events. If there is one that shows it, in which the threads do what
 * they did in this execution, run it.
 */
static bool prepare_rerun(struct evr_rvf_search *f)
{
	if (!f->awaited.len)
		return false;
	come_last(f);
	return find_other_order(f);
}

/* ---- the engine ---- */

/* Only reads are left, if anything. False: the execution ends here. */
static bool go_down(struct evr_rvf_search *f)
{
	struct evr_rvf_node *n = evr_rvf_add_node(f);
	uint32_t order = f->order;
	if (EVR_UNLIKELY(f->base.world->halted)) {
		f->base.abandoned = true;
		return false;
	}
	f->complete = n->has_child = n->first == n->end;
	f->executed += f->complete ? f->x.events.len : 0;
	f->has_plan =
		!f->complete && (EVR_UNLIKELY(f->probe != NULL) ? evr_rvf_any_child(f, n) : evr_rvf_next_child(f, n));
	f->base.abandoned = !f->complete && (!f->has_plan || f->order != order);
	if (!f->has_plan || f->base.abandoned)
		return false;
	f->has_plan = false;
	f->planned = f->x.events.len;
	return true;
}

static struct evr_step next(struct evr_engine *e)
{
	struct evr_rvf_search *f = (struct evr_rvf_search *)e;
	const struct evr_step end = { .actor = EVR_NO_ACTOR };
	evr_rvf_record(f);
	if (EVR_UNLIKELY(e->world->halted))
		e->failure = NULL;
	if (EVR_UNLIKELY(e->failure || e->world->halted)) {
		e->abandoned = true;
		return end;
	}
	if (f->depth >= f->planned) {
		evr_thread_id t = evr_rvf_extends(f);
		if (t != EVR_NO_THREAD)
			return evr_rvf_take_step(f, t, 0);
		if (e->rerun || !go_down(f))
			return end;
	}
	const struct evr_rvf_event *y = &f->x.events.data[f->orders.data[f->order + f->depth]];
	return evr_rvf_take_step(f, y->thread, y->kind == EVR_CHOOSE ? (uint32_t)y->read : 0);
}

/* How much of the last execution will be repeated? */
static size_t common_prefix(const struct evr_rvf_search *f)
{
	size_t k = 0;
	for (; k < f->steps.len && k < f->x.events.len; k++) {
		const struct evr_rvf_event *y = &f->x.events.data[f->orders.data[f->order + k]];
		if (f->steps.data[k].actor != y->thread ||
		    (y->kind == EVR_CHOOSE && f->steps.data[k].variant != (uint32_t)y->read))
			break;
	}
	return k < f->positions.len ? f->positions.data[k] : f->base.world->trace.events.len;
}

/* Does the probe go on in another execution? */
static bool continue_probe(struct evr_rvf_search *f)
{
	bool more = f->base.abandoned && f->has_plan;
	evr_rvf_learn(f);
	if (!f->complete && !more)
		f->probe->size = 0;
	f->has_plan = f->base.abandoned = f->complete = false;
	if (more) {
		f->base.prefix = common_prefix(f);
		evr_rvf_begin_execution(f);
	}
	return more;
}

static bool advance(struct evr_engine *e)
{
	struct evr_rvf_search *f = (struct evr_rvf_search *)e;
	if (f->probe)
		return !e->failure && continue_probe(f);
	if (f->complete && !e->rerun)
		find_questions(f);
	f->complete = e->abandoned = false;
	if (e->failure)
		return false;
	e->rerun = prepare_rerun(f);
	if (!e->rerun && !f->has_plan && !evr_rvf_find_child(f))
		return false;
	f->has_plan = false;
	e->prefix = common_prefix(f);
	evr_rvf_begin_execution(f);
	return true;
}

static void reset(struct evr_rvf_search *f)
{
	evr_vec_clear(&f->nodes);
	evr_vec_clear(&f->mutate);
	evr_vec_clear(&f->per_thread);
	evr_vec_clear(&f->orders);
	evr_vec_clear(&f->asking);
	f->verify.patience = PATIENCE;
	f->verify.off = f->base.world->heuristics_off;
	/* Signals come from executions that a probe does not see. */
	if (f->probe)
		f->verify.off |= EVR_RVF_SIGNALS;
	f->verify.asked = f->verify.states = f->verify.filtered = f->verify.refuted = 0;
	f->order = 0;
	f->has_plan = f->complete = false;
	f->work = f->executed = 0;
	evr_vec_clear(&f->awaited);
	f->base.prefix = 0;
	f->base.abandoned = f->base.rerun = false;
	/* What was not as planned may have been so because more memory is shared than was known. */
	f->base.failure = NULL;
	evr_rvf_begin_execution(f);
}

static struct evr_engine *create(struct evr_world *w)
{
	struct evr_rvf_search *f = evr_alloc(sizeof(*f));
	f->base.ops = &evr_engine_rvf;
	f->base.world = w;
	evr_rvf_init(&f->x);
	evr_rvf_init(&f->relaxed);
	reset(f);
	return &f->base;
}

static bool supports(const struct evr_model_ops *m)
{
	return m->is_sequential;
}

static struct evr_engine *probe(struct evr_world *w, struct evr_probe *p)
{
	struct evr_engine *e = create(w);
	((struct evr_rvf_search *)e)->probe = p;
	reset((struct evr_rvf_search *)e);
	return e;
}

static void destroy(struct evr_engine *e)
{
	struct evr_rvf_search *f = (struct evr_rvf_search *)e;
	evr_rvf_release(&f->x);
	evr_rvf_release(&f->relaxed);
	evr_vec_release(&f->awaited);
	evr_verify_release(&f->verify);
	evr_vecs_release(&f->nodes, &f->mutate, &f->per_thread, &f->orders, &f->asking, &f->sources, &f->hiding,
			 &f->values, &f->options, &f->choices, &f->positions, &f->steps);
	evr_clocks_release(&f->coming);
	free(f);
}

static void restart(struct evr_engine *e)
{
	struct evr_rvf_search *f = (struct evr_rvf_search *)e;
	evr_rvf_clear(&f->x);
	reset(f);
}

static void stats(const struct evr_engine *e, struct evr_stats *s)
{
	const struct evr_verify *v = &((const struct evr_rvf_search *)e)->verify;
	evr_stats_put(s, EVR_STAT_QUESTIONS, v->asked);
	evr_stats_put(s, EVR_STAT_STATES, v->states);
	evr_stats_put(s, EVR_STAT_REFUTED, v->refuted);
	evr_stats_put(s, EVR_STAT_CLOSED, v->filtered);
	if (e->costly)
		evr_stats_put(s, EVR_STAT_VALUES, ((const struct evr_rvf_search *)e)->work);
}

const struct evr_engine_ops evr_engine_rvf = {
	.name = "rvf",
	.summary = "at most one execution for each reads-value-from class: what is read",
	.supports = supports,
	.values_only = true,
	.exhaustive = true,
	.classes = "rvf",
	EVR_ENGINE_FUNCTIONS,
	.next = next,
	.probe = probe,
	.stats = stats,
	.splits_at = evr_rvf_splits_at,
	.part = evr_rvf_part,
	.outcome = evr_rvf_outcome,
	.instead = &evr_engine_rf,
};
