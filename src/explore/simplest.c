/*
 * The simplest executions first: with as few accesses out of order as possible, and then as few preemptions as possible. For a
 * finding that is known to exist, to show it at its clearest.
 *
 * What these are, says explore/cost.h. The search is depth first within bounds on both; the bound on preemptions grows until it prunes nothing any more, then that on
 * accesses out of order does.
 *
 * Invariant: within the bounds, the executions before the present one in depth-first order have been run.
 */
#include "explore/simplest.h"

#include <stdlib.h>

struct frame {
	size_t first, count; /* its steps */
	size_t chosen;
	size_t position;     /* events in the trace when it was decided */
	struct evr_spent spent; /* on what led here */
};

struct simplest {
	struct evr_engine base;
	evr_steps steps, possible;
	evr_spents spent, possible_spent; /* after each of `steps`, and of `possible` */
	EVR_VEC(struct frame) frames;
	size_t depth;
	struct evr_cost bound;
	bool pruned_preemptions, pruned_weak; /* has a bound left something out? */
};

static const struct evr_engine_ops ops;

static void destroy(struct evr_engine *e)
{
	struct simplest *s = (struct simplest *)e;
	evr_vecs_release(&s->steps, &s->possible, &s->spent, &s->possible_spent, &s->frames);
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

/* Those within the bounds: what goes on with the same thread first, and updates before that. */
static void list(struct simplest *s, struct frame *f)
{
	const struct evr_model_ops *m = s->base.world->model;
	evr_vec_clear(&s->possible);
	(m->all_steps ? m->all_steps : m->steps)(s->base.world, &s->possible);
	evr_vec_clear(&s->possible_spent);
	evr_cost_of_steps(s->base.world, s->possible.data, s->possible.len, f->spent, &s->possible_spent);
	for (unsigned pass = 0; pass < 3; pass++)
		for (size_t i = 0; i < s->possible.len; i++) {
			struct evr_step step = s->possible.data[i];
			bool same_thread = evr_cost_thread(step) == f->spent.thread,
			     update = step.actor >= EVR_MAX_THREADS;
			if (pass != (same_thread ? !update : 2u))
				continue;
			struct evr_cost c = s->possible_spent.data[i].cost;
			s->pruned_weak |= c.weak > s->bound.weak;
			s->pruned_preemptions |= c.weak <= s->bound.weak && c.preemptions > s->bound.preemptions;
			if (c.weak > s->bound.weak || c.preemptions > s->bound.preemptions)
				continue;
			evr_vec_push(&s->steps, step);
			s->spent.len = s->steps.len - 1;
			evr_vec_push(&s->spent, s->possible_spent.data[i]);
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
			f.spent = s->spent.data[before->first + before->chosen];
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
	return last ? s->spent.data[last->first + last->chosen].cost : (struct evr_cost){ 0, 0 };
}
