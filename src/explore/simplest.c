/*
 * The simplest executions first: with as few accesses out of order as possible, and then as few preemptions as possible. For a
 * finding that is known to exist, to show it at its clearest.
 *
 * An access is out of order if its thread makes it while stores of its own have not reached memory, if a store overtakes another
 * one, or, where the model names sources, if it reads or comes before what is not the newest. A preemption is a change to another thread
 * while the one before could go on. The search is depth first within bounds on both; the bound on preemptions grows until it
 * prunes nothing any more, then that on accesses out of order does.
 *
 * Invariant: within the bounds, the executions before the present one in depth-first order have been run.
 */
#include "explore/simplest.h"

#include <stdlib.h>

struct frame {
	size_t first, count; /* its steps */
	size_t chosen;
	size_t position;     /* events in the trace when it was decided */
	struct evr_cost cost; /* of what led here */
	uint16_t thread;      /* the one before */
};

struct simplest {
	struct evr_engine base;
	evr_steps steps, possible;
	EVR_VEC(struct evr_cost) costs; /* of each of `steps`, with what led to it */
	EVR_VEC(struct frame) frames;
	size_t depth;
	struct evr_cost bound;
	bool pruned_preemptions, pruned_weak; /* has a bound left something out? */
};

static const struct evr_engine_ops ops;

static void destroy(struct evr_engine *e)
{
	struct simplest *s = (struct simplest *)e;
	evr_vecs_release(&s->steps, &s->possible, &s->costs, &s->frames);
	free(s);
}

static void reset(struct simplest *s)
{
	evr_vec_clear(&s->steps);
	evr_vec_clear(&s->frames);
	s->depth = 0;
	s->pruned_preemptions = s->pruned_weak = false;
	s->base.prefix = 0;
}

static void restart(struct evr_engine *e)
{
	struct simplest *s = (struct simplest *)e;
	s->bound = (struct evr_cost){ 0, 0 };
	reset(s);
}

static bool is_access(const struct evr_event *e)
{
	return e->kind == EVR_READ || e->kind == EVR_WRITE || e->kind == EVR_RMW || e->kind == EVR_CAS;
}

/* The newest write that overlaps the event, as the variant that names it; 0: none. */
static uint32_t newest(const struct evr_world *w, const struct evr_event *e)
{
	for (size_t i = w->trace.events.len; i-- > 0;) {
		const struct evr_event *o = &w->trace.events.data[i];
		if (o->kind != EVR_FREE && evr_event_writes(o) && o->address < e->address + e->size &&
		    e->address < o->address + o->size)
			return (uint32_t)i + 1;
	}
	return 0;
}

/* Could an older store of the same buffer reach memory instead? */
static bool overtakes(const struct simplest *s, struct evr_step update)
{
	for (size_t i = 0; i < s->possible.len; i++)
		if (s->possible.data[i].actor == update.actor && s->possible.data[i].variant < update.variant)
			return true;
	return false;
}

static bool is_weak(const struct simplest *s, struct evr_step step)
{
	const struct evr_world *w = s->base.world;
	if (step.actor >= EVR_MAX_THREADS)
		return overtakes(s, step);
	const struct evr_event *e = &w->pending[step.actor];
	if (w->model->steps_name_sources)
		return is_access(e) && step.variant != newest(w, e);
	return is_access(e) && w->model->busy && w->model->busy(w, step.actor);
}

static uint16_t thread_of(struct evr_step s)
{
	return s.actor >= EVR_MAX_THREADS ? (uint16_t)(s.actor - EVR_MAX_THREADS) : s.actor;
}

static struct evr_cost cost_of(const struct simplest *s, const struct frame *f, struct evr_step step, bool goes_on)
{
	struct evr_cost c = f->cost;
	c.weak += is_weak(s, step);
	c.preemptions += goes_on && thread_of(step) != f->thread;
	return c;
}

/* Those within the bounds: what goes on with the same thread first, and updates before that. */
static void list(struct simplest *s, struct frame *f)
{
	const struct evr_model_ops *m = s->base.world->model;
	bool goes_on = false;
	evr_vec_clear(&s->possible);
	(m->all_steps ? m->all_steps : m->steps)(s->base.world, &s->possible);
	for (size_t i = 0; i < s->possible.len; i++)
		goes_on |= thread_of(s->possible.data[i]) == f->thread;
	for (unsigned pass = 0; pass < 3; pass++)
		for (size_t i = 0; i < s->possible.len; i++) {
			struct evr_step step = s->possible.data[i];
			bool same_thread = thread_of(step) == f->thread, update = step.actor >= EVR_MAX_THREADS;
			if (pass != (same_thread ? !update : 2u))
				continue;
			struct evr_cost c = cost_of(s, f, step, goes_on);
			s->pruned_weak |= c.weak > s->bound.weak;
			s->pruned_preemptions |= c.weak <= s->bound.weak && c.preemptions > s->bound.preemptions;
			if (c.weak > s->bound.weak || c.preemptions > s->bound.preemptions)
				continue;
			evr_vec_push(&s->steps, step);
			s->costs.len = s->steps.len - 1;
			evr_vec_push(&s->costs, c);
		}
	f->count = s->steps.len - f->first;
}

static struct evr_step next(struct evr_engine *e)
{
	struct simplest *s = (struct simplest *)e;
	if (s->depth == s->frames.len) {
		struct frame f = { .first = s->steps.len, .position = e->world->trace.events.len };
		if (s->depth) {
			const struct frame *before = &evr_vec_last(&s->frames);
			f.cost = s->costs.data[before->first + before->chosen];
			f.thread = thread_of(s->steps.data[before->first + before->chosen]);
		}
		list(s, &f);
		/* Every way on is too expensive, or there is none. */
		e->abandoned = !f.count && s->possible.len;
		if (!f.count)
			return (struct evr_step){ .actor = EVR_NO_ACTOR };
		evr_vec_push(&s->frames, f);
	}
	const struct frame *f = &s->frames.data[s->depth++];
	return s->steps.data[f->first + f->chosen];
}

/* The next bounds. False: there is nothing left that they leave out. */
static bool widen(struct simplest *s)
{
	if (s->pruned_preemptions) {
		s->bound.preemptions++;
	} else if (s->pruned_weak) {
		s->bound.weak++;
		s->bound.preemptions = 0;
	} else {
		return false;
	}
	reset(s);
	return true;
}

static bool advance(struct evr_engine *e)
{
	struct simplest *s = (struct simplest *)e;
	e->abandoned = false;
	s->frames.len = s->depth;
	while (s->frames.len) {
		struct frame *f = &evr_vec_last(&s->frames);
		s->steps.len = f->first + f->count;
		if (++f->chosen < f->count) {
			e->prefix = f->position;
			s->depth = 0;
			return true;
		}
		s->steps.len = f->first;
		s->frames.len--;
	}
	return widen(s);
}

static const struct evr_engine_ops ops = {
	.name = "simplest",
	.summary = "the simplest executions first",
	.destroy = destroy,
	.restart = restart,
	.next = next,
	.advance = advance,
};

struct evr_engine *evr_engine_simplest(struct evr_world *w)
{
	struct simplest *s = evr_engine_new(sizeof(*s), &ops, w);
	return &s->base;
}

struct evr_cost evr_simplest_cost(const struct evr_engine *e)
{
	const struct simplest *s = (const struct simplest *)e;
	const struct frame *last = s->depth ? &s->frames.data[s->depth - 1] : NULL;
	return last ? s->costs.data[last->first + last->chosen] : (struct evr_cost){ 0, 0 };
}
