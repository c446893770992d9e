/*
 * Random executions, before the search: they find most of the locations that threads share, each of which would otherwise
 * make the search start again when it comes upon it. Nothing is verified by them, and nothing reported.
 */
#include "explore/engine.h"

#include <stdlib.h>

struct scout {
	struct evr_engine base;
	evr_steps possible;
	uint64_t random;
	struct evr_step last;
	unsigned round;
};

static const struct evr_engine_ops ops;

static void destroy(struct evr_engine *e)
{
	struct scout *s = (struct scout *)e;
	evr_vec_release(&s->possible);
	free(s);
}

/* Something was learned: go on elsewhere. */
static void restart(struct evr_engine *e)
{
	((struct scout *)e)->round++;
	e->prefix = 0;
}

static uint32_t random_below(struct scout *s, size_t n)
{
	s->random ^= s->random << 13;
	s->random ^= s->random >> 7;
	s->random ^= s->random << 17;
	return (uint32_t)((s->random >> 32) * n >> 32);
}

/* The step to take, among those that are possible. */
static size_t choose(struct scout *s)
{
	size_t n = s->possible.len, i = random_below(s, n);
	bool goes_on = s->round % 4 == 1 && random_below(s, 4);
	bool changes = s->round % 4 == 2;
	/* Long runs of one thread, and threads that take turns, are hardly ever met by chance alone. */
	for (size_t k = 0; (goes_on || changes) && k < n; k++)
		if ((s->possible.data[(i + k) % n].actor == s->last.actor) == goes_on)
			return (i + k) % n;
	return i;
}

/*
 * A model whose steps name sources would have to look at the whole execution to tell which sources are possible. What is shared can be seen with
 * the last writes as well: an interleaving is an execution of every model.
 */
static void ready_threads(struct scout *s)
{
	const struct evr_world *w = s->base.world;
	for (unsigned t = 0; t < w->threads; t++) {
		const struct evr_event *e = &w->pending[t];
		if (!w->waiting[t] || !w->model->ready(w, (evr_thread_id)t))
			continue;
		struct evr_step step = { (uint16_t)t, 0 };
		bool reads = e->kind == EVR_READ || e->kind == EVR_RMW || e->kind == EVR_CAS;
		for (size_t i = w->trace.events.len; reads && !step.variant && i-- > 0;) {
			const struct evr_event *o = &w->trace.events.data[i];
			if (o->address == e->address && o->size == e->size && o->kind != EVR_FREE &&
			    evr_event_writes(o))
				step.variant = (uint32_t)i + 1;
		}
		if (e->kind == EVR_CHOOSE)
			step.variant = random_below(s, (size_t)e->choices);
		evr_vec_push(&s->possible, step);
	}
}

static struct evr_step next(struct evr_engine *e)
{
	struct scout *s = (struct scout *)e;
	evr_vec_clear(&s->possible);
	if (e->world->model->steps_name_sources)
		ready_threads(s);
	else
		e->world->model->steps(e->world, &s->possible);
	if (!s->possible.len)
		return (struct evr_step){ .actor = EVR_NO_ACTOR };
	s->last = s->possible.data[choose(s)];
	return s->last;
}

static bool advance(struct evr_engine *e)
{
	((struct scout *)e)->round++;
	return true;
}

static const struct evr_engine_ops ops = {
	.name = "scout",
	.summary = "random executions",
	.destroy = destroy,
	.restart = restart,
	.next = next,
	.advance = advance,
};

struct evr_engine *evr_engine_scout(struct evr_world *w)
{
	struct scout *s = evr_engine_new(sizeof(*s), &ops, w);
	s->random = UINT64_C(0x9e3779b97f4a7c15);
	return &s->base;
}
