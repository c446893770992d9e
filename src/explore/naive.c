/*
 * Engine `none`: every interleaving of visible events, by depth-first search. No two executions are taken for
 * equivalent; slow, and obviously right, it is what the other engines are judged by.
 *
 * The path being explored is a stack of frames, one for each decision, with all steps that were possible there.
 *
 * Invariant: of each frame, the steps before the one that is taken have been explored with all that follows them.
 *
 * A branch is FIRST;STEP,...: what follows these steps, if the next one is the FIRST or a later one of those that are possible then. A STEP is an actor, with `+`
 * and its variant if that is not 0.
 */
#include "explore/engine.h"

#include "base/strbuf.h"
#include "event/knowledge.h"
#include "explore/cost.h"

#include <stdlib.h>

struct frame {
	size_t first;    /* its steps in naive.steps */
	size_t count;
	size_t chosen;
	size_t position; /* events in the trace when it was decided */
	struct evr_spent spent; /* before it, if preemptions are bounded */
};

struct naive {
	struct evr_engine base;
	evr_steps steps;
	evr_spents spent; /* after each of them, if preemptions are bounded */
	EVR_VEC(struct frame) frames;
	size_t depth; /* decisions made in this execution */
	struct evr_probe *probe; /* NULL: this is a search */
	size_t fixed; /* so many of the frames are not to be decided otherwise */
	size_t first; /* and of the next one, the steps before this one are not to be taken */
	bool divided; /* others explore other branches */
	bool left_out; /* something, because of a bound */
	long most; /* preemptions and accesses out of order, together; -1: there is no bound */
};

static struct evr_engine *create(struct evr_world *w)
{
	struct naive *n = evr_alloc(sizeof(*n));
	n->base.ops = &evr_engine_none;
	n->base.world = w;
	n->most = w->most_preemptions;
	return &n->base;
}

static void destroy(struct evr_engine *e)
{
	struct naive *n = (struct naive *)e;
	evr_vecs_release(&n->steps, &n->spent, &n->frames);
	free(n);
}

static void restart(struct evr_engine *e)
{
	struct naive *n = (struct naive *)e;
	n->steps.len = n->frames.len = n->fixed;
	n->depth = 0;
	e->prefix = 0;
}

/* The actor's steps come behind the others, and the newest sources first. */
static void put_last(struct evr_step *steps, size_t n, uint16_t actor)
{
	for (size_t i = 1; i < n; i++)
		for (size_t k = i; k > 0 && steps[k - 1].actor == actor; k--) {
			struct evr_step s = steps[k];
			steps[k] = steps[k - 1];
			steps[k - 1] = s;
		}
}

/* Without steps that are too expensive. Where the model names sources, none may be left: what an access would have to read for nothing, it may have read past. */
static void bound(struct naive *n, struct frame *f)
{
	if (n->frames.len) {
		const struct frame *before = &evr_vec_last(&n->frames);
		f->spent = n->spent.data[before->first + before->chosen];
	}
	n->spent.len = f->first;
	evr_cost_of_steps(n->base.world, &n->steps.data[f->first], f->count, f->spent, &n->spent);
	size_t kept = f->first;
	for (size_t i = f->first; i < f->first + f->count; i++) {
		struct evr_spent s = n->spent.data[i];
		if ((long)s.cost.weak + (long)s.cost.preemptions > n->most)
			continue;
		n->steps.data[kept] = n->steps.data[i];
		n->spent.data[kept++] = s;
	}
	n->left_out |= kept < f->first + f->count;
	n->base.abandoned = f->count && kept == f->first;
	n->steps.len = n->spent.len = kept;
	f->count = kept - f->first;
}

/* The steps that are possible now; every one, if what they cost is counted. */
static void list_steps(struct naive *n, struct frame *f)
{
	const struct evr_world *w = n->base.world;
	bool every = n->most >= 0 && w->model->all_steps;
	(every ? w->model->all_steps : w->model->steps)(n->base.world, &n->steps);
	f->count = n->steps.len - f->first;
	if (EVR_UNLIKELY(w->tired))
		put_last(&n->steps.data[f->first], f->count, (uint16_t)(w->tired - 1));
	if (EVR_UNLIKELY(n->most >= 0))
		bound(n, f);
}

static struct evr_step next(struct evr_engine *e)
{
	struct naive *n = (struct naive *)e;
	if (n->depth == n->frames.len) {
		struct frame f = { .first = n->steps.len, .position = e->world->trace.events.len };
		list_steps(n, &f);
		if (!f.count)
			return (struct evr_step){ .actor = EVR_NO_ACTOR };
		if (EVR_UNLIKELY(n->depth == n->fixed))
			f.chosen = n->first;
		if (EVR_UNLIKELY(n->probe != NULL)) {
			f.chosen = (size_t)(evr_probe_random(n->probe) * (double)f.count);
			evr_probe_go(n->probe, 1 / (double)f.count);
		}
		evr_vec_push(&n->frames, f);
	}
	const struct frame *f = &n->frames.data[n->depth++];
	return n->steps.data[f->first + f->chosen];
}

static size_t place(const struct evr_engine *e)
{
	return ((const struct naive *)e)->depth;
}

/* The last frame's step is another one than before. */
static bool resume(struct evr_engine *e, size_t place)
{
	struct naive *n = (struct naive *)e;
	if (place >= n->frames.len)
		return false;
	n->depth = place;
	return true;
}

/*
 * Every step is tried anyway; the thread may as well look later, if anybody can take a step that is not known to be for nothing.
 * Where what a thread sees depends on what it has seen, a look for nothing may keep it from going on: then the execution goes on.
 */
static bool retract(struct evr_engine *e, evr_thread_id t, bool new)
{
	struct naive *n = (struct naive *)e;
	const struct evr_model_ops *m = e->world->model;
	size_t first = n->steps.len;
	bool some = false;
	(void)t, (void)new;
	if (m->steps_name_sources)
		return false;
	(m->all_steps ? m->all_steps : m->steps)(e->world, &n->steps);
	for (size_t i = first; i < n->steps.len; i++) {
		uint16_t actor = n->steps.data[i].actor;
		some |= actor >= EVR_MAX_THREADS || !evr_model_futile(e->world, actor);
	}
	n->steps.len = first;
	return some;
}

static bool advance(struct evr_engine *e)
{
	struct naive *n = (struct naive *)e;
	if (n->probe)
		return false;
	/* Which steps are possible then depends on what this process has found out about loops. */
	if (EVR_UNLIKELY(n->divided && e->world->knowledge.waits)) {
		e->failure = "a loop waits";
		e->uncovered = true;
		return false;
	}
	/* An execution that was ended early may have left decisions behind it untaken. */
	n->frames.len = n->depth;
	while (n->frames.len > n->fixed) {
		struct frame *f = &evr_vec_last(&n->frames);
		n->steps.len = f->first + f->count;
		if (++f->chosen < f->count) {
			e->prefix = f->position;
			n->depth = 0;
			return true;
		}
		n->steps.len = f->first;
		n->frames.len--;
	}
	return false;
}

/* ---- branches ---- */

/* What is left of the i-th decision, from that step on. */
static char *write_branch(const struct naive *n, size_t i, size_t first)
{
	struct evr_strbuf out;
	evr_strbuf_init(&out);
	evr_strbuf_printf(&out, "%zu;", first);
	for (size_t k = 0; k < i; k++) {
		const struct frame *f = &n->frames.data[k];
		struct evr_step s = n->steps.data[f->first + f->chosen];
		evr_strbuf_printf(&out, "%s%u", k ? "," : "", s.actor);
		if (s.variant)
			evr_strbuf_printf(&out, "+%u", s.variant);
	}
	return evr_strbuf_take(&out);
}

static bool read_branch(struct naive *n, const char *p)
{
	unsigned long long first, actor, variant;
	if (!evr_read_number(&p, 10, &first) || !evr_read_char(&p, ';'))
		return false;
	n->first = first;
	for (bool more = *p; more; more = evr_read_char(&p, ',')) {
		variant = 0;
		if (!evr_read_number(&p, 10, &actor) || actor >= EVR_NO_ACTOR ||
		    (evr_read_char(&p, '+') && !evr_read_number(&p, 10, &variant)) || variant > UINT32_MAX)
			return false;
		evr_vec_push(&n->frames, (struct frame){ .first = n->steps.len, .count = 1 });
		evr_vec_push(&n->steps, (struct evr_step){ (uint16_t)actor, (uint32_t)variant });
	}
	n->fixed = n->frames.len;
	return !*p;
}

static void take(struct evr_engine *e, const char *branch)
{
	struct naive *n = (struct naive *)e;
	n->steps.len = n->frames.len = n->depth = n->fixed = 0;
	n->divided = true;
	e->prefix = 0;
	if (n->most >= 0) {
		e->failure = "preemptions are bounded";
		e->uncovered = true;
	} else if (!read_branch(n, branch))
		e->failure = "the search contains an invalid branch";
}

static void give(struct evr_engine *e, size_t least, evr_branches *given)
{
	struct naive *n = (struct naive *)e;
	size_t open = 0;
	for (size_t i = n->fixed; i < n->frames.len; i++)
		open += n->frames.data[i].chosen + 1 < n->frames.data[i].count;
	size_t parts = evr_branches_to_give(open, least);
	for (size_t i = n->fixed; given->len < parts && i < n->frames.len; i++) {
		struct frame *f = &n->frames.data[i];
		if (f->chosen + 1 == f->count)
			continue;
		evr_vec_push(given, write_branch(n, i, f->chosen + 1));
		f->count = f->chosen + 1;
	}
}

static void list(struct evr_engine *e, evr_branches *all)
{
	const struct naive *n = (const struct naive *)e;
	for (size_t i = n->fixed; i < n->frames.len; i++)
		if (n->frames.data[i].chosen + 1 < n->frames.data[i].count)
			evr_vec_push(all, write_branch(n, i, n->frames.data[i].chosen + 1));
	evr_vec_push(all, write_branch(n, n->frames.len, 0));
}

static size_t open_branches(const struct evr_engine *e)
{
	const struct naive *n = (const struct naive *)e;
	return n->frames.len - n->fixed;
}

/* All ways are known, and there are no dead ends. */
static struct evr_engine *probe(struct evr_world *w, struct evr_probe *p)
{
	struct naive *n = (struct naive *)create(w);
	n->probe = p;
	return &n->base;
}

bool evr_engine_bound_matters(const struct evr_engine *e)
{
	return ((const struct naive *)e)->left_out;
}

struct evr_engine *evr_engine_after(struct evr_world *w, const struct evr_step *steps, size_t count)
{
	struct naive *n = (struct naive *)create(w);
	n->most = -1;
	n->fixed = count;
	for (size_t i = 0; i < count; i++) {
		evr_vec_push(&n->steps, steps[i]);
		evr_vec_push(&n->frames, (struct frame){ .first = i, .count = 1 });
	}
	return &n->base;
}

const struct evr_engine_ops evr_engine_none = {
	.name = "none",
	.summary = "every interleaving of visible events",
	.exhaustive = true,
	.erases = true,
	EVR_ENGINE_FUNCTIONS,
	.next = next,
	.place = place,
	.resume = resume,
	.retract = retract,
	.probe = probe,
	.whole = "0;",
	.take = take,
	.give = give,
	.list = list,
	.open = open_branches,
};
