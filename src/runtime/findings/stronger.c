/*
 * What would have to be stronger for a fault not to be, in the execution that has it: of a race, so that the two accesses are ordered;
 * of other faults, where the model heeds orders, so that what led to the fault is impossible.
 */
#include "event/stronger.h"

#include "event/race.h"
#include "model/possible.h"
#include "report/result.h"
#include "runtime/runtime.h"

#include <string.h>

enum {
	MOST_EVENTS = 2000,
	MOST_QUESTIONS = 5000,
	MOST_STEPS = 50000000, /* about a second, for a finding */
	ALL_STEPS = 10 * MOST_STEPS, /* for all of them */
};

/* What questions have taken, of all findings: steps are counted, not seconds, so that each run has the same answers. */
static EVR_LASTING size_t steps;

/* How many questions may be asked that take so many steps each. */
static unsigned budget(size_t each)
{
	size_t left = steps < ALL_STEPS ? ALL_STEPS - steps : 0, most = left < MOST_STEPS ? left : MOST_STEPS;
	return most / each < MOST_QUESTIONS ? (unsigned)(most / each) : MOST_QUESTIONS;
}

/* ---- a race ---- */

struct race {
	struct evr_race_finder *finder;
	const struct evr_graph *graph; /* NULL: the trace names sources */
	struct evr_race_pair pair;
	size_t each; /* steps */
};

static bool orders_pair(void *context, const struct evr_trace *changed)
{
	const struct race *r = context;
	steps += r->each;
	return !evr_race_between(r->finder, changed, r->graph, r->pair);
}

static bool find_for_race(const struct evr_fault *f, const struct evr_graph *g, evr_stronger_set *out)
{
	bool names_sources = evr_rt.world.model->steps_name_sources;
	struct race r = {
		evr_race_finder_new(), names_sources ? NULL : g, { f->other, f->event }, 4 * (g->trace->events.len + 1)
	};
	bool found = evr_stronger_find(g->trace, orders_pair, &r, budget(r.each), out);
	evr_race_finder_free(r.finder);
	return found;
}

/* ---- an execution ---- */

static bool is_impossible(void *context, const struct evr_trace *changed)
{
	steps += *(const size_t *)context;
	return !evr_model_possible(evr_rt.world.model, changed);
}

/* Is it about what all threads did? */
static bool is_of_all(const struct evr_fault *f)
{
	static const char *const kinds[] = { "deadlock", "no-progress", "leak" };
	for (size_t i = 0; i < EVR_COUNT(kinds); i++)
		if (!strcmp(f->kind, kinds[i]))
			return true;
	return false;
}

/* ---- the report ---- */

static const char *operation_of(const struct evr_event *e, bool failure)
{
	switch (e->kind) {
	case EVR_READ:
		return "load";
	case EVR_WRITE:
		return "store";
	case EVR_FENCE:
		return "fence";
	case EVR_CAS:
		return failure ? "compare_exchange failure" : "compare_exchange";
	default:
		return "read-modify-write";
	}
}

static void add(struct evr_result_finding *out, const struct evr_event *e, const struct evr_stronger *s)
{
	struct evr_result_change *c = evr_result_add_change(out);
	struct evr_strbuf name;
	evr_strbuf_init(&name);
	if (e->kind != EVR_FENCE && s->alone)
		evr_name_address(&name, e->address, e->size);
	evr_result_set(&c->file, e->site->file);
	evr_result_set(&c->function, e->site->function);
	c->line = e->site->line;
	c->column = e->site->column;
	evr_result_set(&c->operation, operation_of(e, s->failure));
	evr_result_set(&c->location, name.text);
	evr_result_set(&c->now, evr_order_name(s->now));
	evr_result_set(&c->needed, evr_order_name(s->needed));
	evr_strbuf_release(&name);
}

void evr_stronger_describe(struct evr_result_finding *out, const struct evr_fault *f)
{
	evr_stronger_set set = { 0 };
	struct evr_trace *t = &evr_rt.world.trace, part = { 0 };
	struct evr_graph g = { 0 };
	const struct evr_trace *looked_at = t;
	if (t->events.len > MOST_EVENTS || !strcmp(f->kind, "not-robust"))
		return;
	evr_graph_build(&g, t, evr_rt.world.model->steps_name_sources);
	evr_graph_link(&g, t);
	if (f->other != EVR_NO_EVENT) {
		find_for_race(f, &g, &set);
	} else if (evr_rt.world.model->heeds_orders) {
		if (!is_of_all(f)) {
			evr_model_part(t, f->event, &part);
			looked_at = &part;
		}
		size_t each = (looked_at->events.len + 1) * (looked_at->events.len + 1);
		evr_stronger_find(looked_at, is_impossible, &each, budget(each), &set);
	}
	for (size_t i = 0; i < set.len; i++)
		add(out, &looked_at->events.data[set.data[i].event], &set.data[i]);
	evr_vec_release(&set);
	evr_trace_release(&part);
	evr_graph_release(&g);
}
