/*
 * Engine `revisit`: what has the next execution in common with the last one? It goes on from a mark in there (runtime/rollback.h).
 *
 * Events change their numbers from graph to graph, so steps are compared: which thread takes it, and what it names. What a step names is itself a step before
 * it. So executions whose first steps are the same have the same events there.
 *
 * Invariant: `ran` has the steps of the last execution up to the first place at which there is none, because a thread waits or stands still. It is empty if
 * that execution was only to find something out. While an execution is run, the first `ran_still` steps of `ran` are its own, too.
 */
#include "explore/revisit.h"

#define NONE EVR_NO_EVENT

/* The step of the trace's order at that place. */
static struct evr_step step_at(const struct evr_revisit *s, size_t k)
{
	const struct evr_rf *t = &s->f.s.t;
	evr_event_id id = evr_rf_event_of(t->order.data[k]), named = NONE;
	const struct evr_rf_event *x = &t->events.data[id];
	if (evr_rf_is_update(t->order.data[k]))
		return (struct evr_step){ (uint16_t)(x->thread + EVR_MAX_THREADS), t->rank.data[id] };
	if (!t->names_sources)
		return (struct evr_step){ x->thread, x->variant };
	if (s->f.s.ordered && x->kind == EVR_WRITE)
		named = evr_rf_place_in_order(t, id);
	else if (evr_rf_step_names_source(x))
		named = x->source;
	else
		return (struct evr_step){ x->thread, x->variant };
	return (struct evr_step){ x->thread, named == NONE ? 0 : t->rank.data[named] + 1 };
}

void evr_revisit_note_steps(struct evr_revisit *s)
{
	const struct evr_rf *t = &s->f.s.t;
	const struct evr_world *w = s->f.base.world;
	s->ran.len = 0;
	/* One that was left in a loop that it need not go round is asked for no more. */
	for (unsigned i = 0; i < w->threads; i++)
		if (w->await[i] != NONE)
			return;
	evr_vec_reserve(&s->ran, t->order.len);
	evr_vec_reserve(&s->ran_positions, t->order.len);
	size_t k = s->ran_still;
	for (; k < t->order.len && k < t->position.len && t->position.data[k] != NONE; k++) {
		s->ran.data[k] = step_at(s, k);
		s->ran_positions.data[k] = t->position.data[k];
	}
	s->ran.len = s->ran_positions.len = k;
}

void evr_revisit_find_common(struct evr_revisit *s)
{
	struct evr_rf_engine *f = &s->f;
	size_t k = 0;
	while (k < s->ran.len && k < f->steps.len && f->steps.data[k].actor != EVR_NO_ACTOR) {
		struct evr_step step = step_at(s, k);
		if (step.actor != s->ran.data[k].actor || step.variant != s->ran.data[k].variant)
			break;
		k++;
	}
	f->common = s->ran_still = k;
	/* Threads begin and end between two steps. */
	f->base.prefix = k < s->ran.len ? s->ran_positions.data[k] : k ? s->ran_positions.data[k - 1] + 1 : 0;
}

size_t evr_revisit_at(const struct evr_engine *e)
{
	const struct evr_rf_engine *f = &((const struct evr_revisit *)e)->f;
	size_t steps = 0;
	for (size_t k = 0; k < f->depth; k++)
		steps += f->s.t.position.data[k] != NONE;
	return steps;
}

/* Up to there the steps must be the same, and each be taken. What a text says has no numbers yet. */
bool evr_revisit_resume(struct evr_engine *e, size_t place)
{
	struct evr_rf_engine *f = &((struct evr_revisit *)e)->f;
	if (e->rerun || place > f->common || f->script.len)
		return false;
	for (size_t k = 0; k < place; k++)
		if (f->steps.data[k].actor == EVR_NO_ACTOR)
			return false;
	f->depth = place;
	return true;
}
