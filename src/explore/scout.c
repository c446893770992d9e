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
};

static const struct evr_engine_ops ops;

static void destroy(struct evr_engine *e)
{
	struct scout *s = (struct scout *)e;
	evr_vec_release(&s->possible);
	free(s);
}

static void restart(struct evr_engine *e)
{
	e->prefix = 0;
}

static uint32_t random_below(struct scout *s, size_t n)
{
	s->random ^= s->random << 13;
	s->random ^= s->random >> 7;
	s->random ^= s->random << 17;
	return (uint32_t)((s->random >> 32) * n >> 32);
}

static struct evr_step next(struct evr_engine *e)
{
	struct scout *s = (struct scout *)e;
	evr_vec_clear(&s->possible);
	e->world->model->steps(e->world, &s->possible);
	if (!s->possible.len)
		return (struct evr_step){ .actor = EVR_NO_ACTOR };
	/* Every other time the same thread goes on, if it can: long runs of one thread are behaviours, too. */
	for (size_t i = 0; s->random & 1 && i < s->possible.len; i++)
		if (s->possible.data[i].actor == s->last.actor)
			s->possible.data[s->possible.len - 1] = s->possible.data[i];
	s->last = s->possible.data[s->random & 1 ? s->possible.len - 1 : random_below(s, s->possible.len)];
	random_below(s, 1);
	return s->last;
}

static bool advance(struct evr_engine *e)
{
	e->prefix = 0;
	return true;
}

static const struct evr_engine_ops ops = {
	.name = "scout",
	.summary = "random executions",
	.models = EVR_ALL_MODELS,
	.destroy = destroy,
	.restart = restart,
	.next = next,
	.advance = advance,
};

struct evr_engine *evr_engine_scout(struct evr_world *w)
{
	struct scout *s = evr_alloc(sizeof(*s));
	s->base.ops = &ops;
	s->base.world = w;
	s->random = UINT64_C(0x9e3779b97f4a7c15);
	return &s->base;
}
