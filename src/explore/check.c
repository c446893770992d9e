/*
 * `--check`: an engine that wraps another and believes nothing. Each execution is run a second time, step by step (the
 * trace module notices any difference). The first time it is run from the start; the second time it goes on from a mark, now an early one and now a
 * late one, and must leave memory and shadow memory as the first one did. Its events are judged by brute force, and an execution that came before, or one of
 * a class that did if the engine claims that none does, is a failure.
 *
 * The judgement: reads return what their sources wrote, the graph satisfies the model's axioms (evr_model_ops.allows, which
 * shares no code with the steps that were taken), and a mutex is never held twice. Where data races are looked for, those that
 * were found are those that there are by definition (check_races.h).
 *
 * Invariant: the wrapped engine does not know: it is told of each execution once, as if it had been run once.
 */
#include "base/map.h"
#include "event/classes.h"
#include "event/graph.h"
#include "explore/check_races.h"
#include "explore/engine.h"

#include <stdlib.h>
#include <string.h>

struct check {
	struct evr_engine base;
	struct evr_engine *inner;
	evr_steps taken;      /* in the execution that is running or was run last */
	bool replaying;
	size_t position;      /* while repeating */
	size_t repeated;      /* so many executions were */
	uint64_t digest;      /* of what the execution has left, the first time */
	struct evr_graph graph;
	struct evr_map initial; /* address -> value of a byte before anybody wrote it */
	struct evr_map holders; /* mutex -> how often it is held, and by which thread */
	struct evr_set seen; /* executions, or their classes */
	struct evr_race_finder *finder;
	struct evr_race_definition definition;
	evr_race_pairs defined, found; /* races */
	struct evr_strbuf text;
	char **names; /* of threads, in the text of a class */
};

static const struct evr_engine_ops ops;

static void destroy(struct evr_engine *e)
{
	struct check *c = (struct check *)e;
	c->inner->ops->destroy(c->inner);
	evr_vec_release(&c->taken);
	evr_graph_release(&c->graph);
	evr_map_release(&c->initial);
	evr_map_release(&c->holders);
	evr_set_release(&c->seen);
	evr_race_finder_free(c->finder);
	evr_race_definition_release(&c->definition);
	evr_vec_release(&c->defined);
	evr_vec_release(&c->found);
	evr_strbuf_release(&c->text);
	for (unsigned i = 0; i < EVR_MAX_THREADS; i++)
		free(c->names[i]);
	free(c->names);
	free(c);
}

/* What the last execution was does not matter any more, to the wrapped engine neither. */
static void begin_anew(struct check *c)
{
	struct evr_engine *e = &c->base;
	c->replaying = e->rerun = e->abandoned = c->inner->abandoned = false;
	evr_vec_clear(&c->taken);
	e->prefix = 0;
}

static void restart(struct evr_engine *e)
{
	struct check *c = (struct check *)e;
	c->inner->ops->restart(c->inner);
	begin_anew(c);
	evr_set_clear(&c->seen);
	e->failure = NULL;
}

static struct evr_step next(struct evr_engine *e)
{
	struct check *c = (struct check *)e;
	const struct evr_step end = { .actor = EVR_NO_ACTOR };
	if (c->replaying)
		return c->position < c->taken.len ? c->taken.data[c->position++] : end;
	struct evr_step s = c->inner->ops->next(c->inner);
	e->rerun = c->inner->rerun;
	e->abandoned = c->inner->abandoned;
	if (s.actor != EVR_NO_ACTOR)
		evr_vec_push(&c->taken, s);
	return s;
}

static size_t place(const struct evr_engine *e)
{
	const struct check *c = (const struct check *)e;
	return c->replaying ? c->position : c->taken.len;
}

static bool resume(struct evr_engine *e, size_t steps)
{
	struct check *c = (struct check *)e;
	if (!c->replaying || steps > c->taken.len * (c->repeated % 4) / 3)
		return false;
	c->position = steps;
	return true;
}

static void complete(struct evr_engine *e)
{
	struct check *c = (struct check *)e;
	/* The second time, the trace still has it. */
	if (c->inner->ops->complete && !c->replaying)
		c->inner->ops->complete(c->inner);
	e->abandoned |= !c->replaying && c->inner->abandoned;
}

/* Every byte of a read is that of its source; of one that nobody wrote, always the same. */
static bool values_agree(struct check *c)
{
	const struct evr_graph *g = &c->graph;
	evr_map_clear(&c->initial);
	for (size_t i = 0; i < g->reads.len; i++) {
		const struct evr_graph_read *r = &g->reads.data[i];
		const struct evr_event *e = &g->trace->events.data[r->read];
		uintptr_t address = g->bytes.data[r->byte].address;
		if (e->kind != EVR_READ && e->kind != EVR_RMW && e->kind != EVR_CAS)
			continue;
		uint8_t byte = (uint8_t)(e->read >> (8 * (address - e->address)));
		if (r->source == EVR_NO_EVENT) {
			uint64_t *known = evr_map_get(&c->initial, address);
			if (known && *known != byte)
				return false;
			evr_map_put(&c->initial, address, byte);
			continue;
		}
		const struct evr_event *w = &g->trace->events.data[r->source];
		/* Writes to a mutex by its own functions have no value here. */
		if (!evr_event_is_mutex(w) && byte != (uint8_t)(w->written >> (8 * (address - w->address))))
			return false;
	}
	return true;
}

static bool mutex_agrees(struct check *c, const struct evr_event *e)
{
	if (e->result != 0 || e->kind == EVR_MUTEX_INIT || e->kind == EVR_MUTEX_DESTROY)
		return true;
	uint64_t *known = evr_map_get(&c->holders, e->address);
	uint64_t count = known ? *known >> 32 : 0, holder = known ? (uint32_t)*known : 0;
	bool handed = evr_lock_kinds[e->lock].handed;
	if (handed ? count && e->kind != EVR_UNLOCK : count && holder != e->thread)
		return false;
	/* A mutex that was locked before it became visible is unlocked without having been locked here. */
	if (e->kind != EVR_UNLOCK)
		count++;
	else if (count)
		count--;
	evr_map_put(&c->holders, e->address, count << 32 | e->thread);
	return true;
}

static bool races_agree(struct check *c)
{
	struct evr_world *w = c->base.world;
	evr_vec_clear(&c->defined);
	evr_vec_clear(&c->found);
	evr_graph_link(&c->graph, &w->trace);
	bool some =
		evr_race_find(c->finder, &w->trace, w->model->steps_name_sources ? NULL : &c->graph, false, &c->found);
	bool one_found = c->found.len == 1;
	evr_vec_clear(&c->found);
	evr_race_find(c->finder, &w->trace, w->model->steps_name_sources ? NULL : &c->graph, true, &c->found);
	return evr_race_define(&c->definition, &c->graph, &c->defined) && some == one_found &&
	       some == (c->defined.len > 0) && evr_races_agree(&w->trace, &c->defined, &c->found);
}

static const char *validate(struct check *c)
{
	const struct evr_world *w = c->base.world;
	const struct evr_trace *t = &w->trace;
	evr_graph_build(&c->graph, t, w->model->steps_name_sources);
	if (!values_agree(c))
		return "self-check: a read did not return the value of its source";
	if (!w->model->allows(&c->graph))
		return "self-check: the execution violates the model's axioms";
	evr_map_clear(&c->holders);
	for (size_t i = 0; i < t->events.len; i++)
		if (evr_event_is_mutex(&t->events.data[i]) && !mutex_agrees(c, &t->events.data[i]))
			return "self-check: two threads held one mutex";
	if (w->races && !races_agree(c))
		return "self-check: the races that were found are not those of the execution";
	return NULL;
}

/* Has a thread been left in a loop? What it saw there is no part of the class, but may be explored more than once. */
static bool is_left_in_loop(const struct evr_trace *t)
{
	return t->erases;
}

static bool new_class(struct check *c)
{
	for (int k = 0; k < EVR_CLASS_KINDS; k++) {
		if (!c->inner->ops->classes || strcmp(c->inner->ops->classes, evr_class_names[k]) != 0)
			continue;
		evr_class_text(&c->text, (enum evr_class_kind)k, &c->graph, c->names, "");
		return evr_set_add(&c->seen, evr_class_key(c->text.text), NULL);
	}
	return true;
}

/* Two hashes, the second over the first's mixture, so that a chance collision is out of the question. */
static bool new_execution(struct check *c)
{
	uint64_t one = 0, two = 1;
	for (size_t i = 0; i < c->taken.len; i++) {
		uint64_t word = (uint64_t)c->taken.data[i].actor << 32 | c->taken.data[i].variant;
		one = evr_hash64(one ^ word) + i;
		two = evr_hash64(two * 31 + word);
	}
	return evr_set_add(&c->seen, (struct evr_key){ one, two }, NULL);
}

static bool retract(struct evr_engine *e, evr_thread_id t, bool new)
{
	struct check *c = (struct check *)e;
	if (c->replaying)
		return false;
	e->abandoned = c->inner->ops->retract(c->inner, t, new);
	return e->abandoned;
}

static bool advance(struct evr_engine *e)
{
	struct check *c = (struct check *)e;
	if (!c->replaying && !e->abandoned) {
		e->failure = c->inner->failure ? c->inner->failure : validate(c);
		/* Executions of several classes may ask for the same one to be run again. */
		bool once = !e->rerun && !e->restored && !is_left_in_loop(&e->world->trace);
		if (!e->failure && once && !new_execution(c))
			e->failure = "self-check: the same execution came twice";
		if (!e->failure && once && !new_class(c))
			e->failure = "self-check: two executions were of one class";
		if (e->failure)
			return false;
		c->replaying = e->rerun = true;
		c->position = 0;
		c->digest = e->world->digest;
		e->prefix = e->world->trace.events.len;
		return true;
	}
	if (c->replaying) {
		c->repeated++;
		if (c->digest != e->world->digest && e->world->trace.diverged == EVR_NO_EVENT) {
			e->failure =
				"self-check: an execution that continued from a mark left different contents in memory";
			return false;
		}
	}
	c->replaying = e->rerun = e->abandoned = false;
	evr_vec_clear(&c->taken);
	bool more = c->inner->ops->advance(c->inner);
	e->prefix = c->inner->prefix;
	e->rerun = c->inner->rerun;
	e->amid = c->inner->amid;
	e->restored = c->inner->restored;
	e->redundant = c->inner->redundant;
	e->failure = c->inner->failure;
	e->uncovered = c->inner->uncovered;
	return more;
}

/* Branches are the engine's. Each worker watches that no class comes twice among its own executions. */
static void take(struct evr_engine *e, const char *branch)
{
	struct check *c = (struct check *)e;
	c->inner->ops->take(c->inner, branch);
	begin_anew(c);
	e->restored = c->inner->restored;
	e->failure = c->inner->failure;
}

static void give(struct evr_engine *e, size_t least, evr_branches *given)
{
	struct evr_engine *inner = ((struct check *)e)->inner;
	inner->ops->give(inner, least, given);
	e->restored = inner->restored;
}

static void list(struct evr_engine *e, evr_branches *all)
{
	struct evr_engine *inner = ((struct check *)e)->inner;
	inner->ops->list(inner, all);
	e->restored = inner->restored;
}

static size_t open_branches(const struct evr_engine *e)
{
	const struct evr_engine *inner = ((const struct check *)e)->inner;
	return inner->ops->open(inner);
}

static size_t splits_at(const struct evr_engine *e)
{
	const struct evr_engine *inner = ((const struct check *)e)->inner;
	return inner->ops->splits_at(inner);
}

static bool part(struct evr_engine *e, size_t which, evr_join *join)
{
	struct check *c = (struct check *)e;
	bool more = c->inner->ops->part(c->inner, which, join);
	if (!join) {
		evr_vec_clear(&c->taken);
		e->prefix = 0;
	}
	return more;
}

static char *outcome(const struct evr_engine *e)
{
	const struct evr_engine *inner = ((const struct check *)e)->inner;
	return inner->ops->outcome(inner);
}

/* Those of the engine: repeating an execution asks it nothing. */
static void stats(const struct evr_engine *e, struct evr_stats *s)
{
	const struct evr_engine *inner = ((const struct check *)e)->inner;
	if (inner->ops->stats)
		inner->ops->stats(inner, s);
}

static const struct evr_engine_ops ops = {
	.name = "check",
	.summary = "self-check",
	.destroy = destroy,
	.restart = restart,
	.complete = complete,
	.next = next,
	.place = place,
	.resume = resume,
	.advance = advance,
	.retract = retract,
	.stats = stats,
	.take = take,
	.give = give,
	.list = list,
	.open = open_branches,
	.splits_at = splits_at,
	.part = part,
	.outcome = outcome,
};

struct evr_engine *evr_engine_check(struct evr_engine *inner)
{
	struct check *c = evr_alloc(sizeof(*c));
	c->base.ops = &ops;
	c->base.world = inner->world;
	c->inner = inner;
	evr_strbuf_init(&c->text);
	c->finder = evr_race_finder_new();
	c->definition.c11 = inner->world->trace.c11_release_sequences;
	c->names = evr_alloc(EVR_MAX_THREADS * sizeof(*c->names));
	for (unsigned i = 0; i < EVR_MAX_THREADS; i++)
		c->names[i] = evr_format("%u", i);
	return &c->base;
}
