/* One recorded execution again: follow its steps; where they end, take the first step that is possible. */
#include "explore/engine.h"

#include <stdlib.h>

struct replay {
	struct evr_engine base;
	evr_steps steps, possible;
	size_t position;
};

static const struct evr_engine_ops ops;

static void destroy(struct evr_engine *e)
{
	struct replay *r = (struct replay *)e;
	evr_vec_release(&r->steps);
	evr_vec_release(&r->possible);
	free(r);
}

static void restart(struct evr_engine *e)
{
	((struct replay *)e)->position = 0;
}

static void find_possible(struct replay *r, bool recorded)
{
	struct evr_world *w = r->base.world;
	const struct evr_model_ops *m = w->model;
	evr_vec_clear(&r->possible);
	if (recorded && m->recorded_steps)
		m->recorded_steps(w, &r->possible);
	else if (recorded && m->all_steps)
		m->all_steps(w, &r->possible);
	else
		m->steps(w, &r->possible);
}

static struct evr_step next(struct evr_engine *e)
{
	struct replay *r = (struct replay *)e;
	const struct evr_model_ops *m = e->world->model;
	bool recorded = r->position < r->steps.len;
	find_possible(r, recorded);
	if (!recorded)
		return r->possible.len ? r->possible.data[0] : (struct evr_step){ .actor = EVR_NO_ACTOR };
	struct evr_step wanted = r->steps.data[r->position++];
	for (size_t i = 0; i < r->possible.len; i++)
		if (evr_same_step(r->possible.data[i], wanted))
			return wanted;
	/* A read that fails, because its memory was freed, reads nothing; the model, which does not know, offers sources. */
	for (size_t i = 0; i < r->possible.len && !wanted.variant && m->steps_name_sources; i++)
		if (r->possible.data[i].actor == wanted.actor)
			return r->possible.data[i];
	e->failure = "the schedule does not fit the program";
	return (struct evr_step){ .actor = EVR_NO_ACTOR };
}

static bool expects(const struct evr_engine *e, evr_thread_id t)
{
	const struct replay *r = (const struct replay *)e;
	for (size_t i = r->position; i < r->steps.len; i++)
		if (r->steps.data[i].actor == t)
			return true;
	return false;
}

static bool advance(struct evr_engine *e)
{
	(void)e;
	return false;
}

static const struct evr_engine_ops ops = {
	.name = "replay",
	.summary = "one recorded execution",
	.destroy = destroy,
	.restart = restart,
	.next = next,
	.advance = advance,
	.expects = expects,
};

struct evr_engine *evr_engine_replay(struct evr_world *w, const struct evr_step *steps, size_t n)
{
	struct replay *r = evr_alloc(sizeof(*r));
	r->base.ops = &ops;
	r->base.world = w;
	for (size_t i = 0; i < n; i++)
		evr_vec_push(&r->steps, steps[i]);
	return &r->base;
}
