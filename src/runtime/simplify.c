/*
 * What was found is shown at its clearest: before the report, look for the simplest execution with the same finding, and for the step
 * that decides, after which every execution fails. Both within a small budget; what was found first is reported anyway.
 *
 * Invariant: a finding is replaced only by what an execution has just shown that was really run. So no report shows an execution that was
 * thought up.
 */
#include "explore/simplest.h"
#include "report/result.h"
#include "runtime/runtime.h"
#include "runtime/search.h"
#include "runtime/turn.h"

#include <stdlib.h>
#include <string.h>

#define EXECUTIONS 4000 /* for each finding */
#define SECONDS 0.2
#define MOST_FINDINGS 8 /* so many are looked at */
/*
 * Where steps name sources, each one is judged with all events before it, in time that is quadratic in their number: with more events than this
 * one execution would use up more than the budget.
 */
#define MOST_EVENTS 150

/* A search for one execution, within the budget. */
struct wish {
	bool (*is_granted)(const void *what);
	const void *what;
	bool fixed; /* their first steps are: they fit no longer when new locations turn out to be shared */
	bool granted;
	unsigned runs;
	double began;
};

static bool has_budget(void *self)
{
	struct wish *w = self;
	return w->runs++ < EXECUTIONS && evr_cpu() - w->began < SECONDS && !evr_search_stopped();
}

static bool visit(void *self)
{
	struct wish *w = self;
	w->granted = !evr_rt.engine->abandoned && w->is_granted(w->what);
	return !w->granted;
}

static bool fits_still(void *self)
{
	return !((const struct wish *)self)->fixed;
}

/* Is there an execution of the engine that is as wished for? *enough: that is not known, the budget is used up. */
static bool search(struct evr_engine *engine, struct wish w, bool *enough)
{
	static const struct evr_policy policy = { has_budget, visit, NULL, fits_still };
	w.began = evr_cpu();
	enum evr_search_end end = evr_search(&evr_tested, engine, &policy, &w);
	*enough = !w.granted && end != EVR_EXHAUSTED && end != EVR_FAILED;
	return w.granted;
}

static const struct evr_fault *same_fault(const struct evr_result_finding *f)
{
	for (size_t i = 0; i < evr_execution.faults.len; i++) {
		const struct evr_fault *x = &evr_execution.faults.data[i];
		if (evr_same_finding(f, x))
			return x;
	}
	return NULL;
}

static bool has_fault(const void *finding)
{
	return same_fault(finding);
}

static bool is_fine(const void *unused)
{
	(void)unused;
	return !evr_execution.faults.len && !evr_execution.blocked && !evr_execution.truncated && !evr_execution.stop;
}

/* Can an execution that begins with these steps still end well? If that is not known in time: yes. */
static bool can_end_well(const evr_steps *taken, size_t n)
{
	bool enough = false;
	struct evr_engine *engine = evr_engine_after(&evr_rt.world, taken->data, n);
	bool fine = search(engine, (struct wish){ .is_granted = is_fine, .fixed = true }, &enough);
	engine->ops->destroy(engine);
	return fine || enough;
}

/* How many of the steps must be taken until every execution fails; more than there are if that is not known. */
static size_t steps_to_decide(const evr_steps *taken)
{
	size_t low = 0, high = taken->len;
	if (can_end_well(taken, high))
		return SIZE_MAX;
	while (low < high && !evr_learned(&evr_rt.world)) {
		size_t middle = low + (high - low) / 2;
		if (can_end_well(taken, middle))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* What the report shows of the trace is without what has no place in it. */
static void mark(struct evr_result_finding *f, evr_event_id place)
{
	struct evr_result_event *e = evr_collect_event(f, place);
	if (e)
		e->decides = e->past = true;
}

/* Once more, to see where the steps were taken, and who had called whom. */
static void look_again(struct evr_result_finding *f, const evr_steps *taken, size_t k)
{
	struct evr_engine *engine = evr_engine_after(&evr_rt.world, taken->data, taken->len);
	evr_rt.stacks_wanted = true;
	evr_tested.run(&evr_tested, engine);
	evr_rt.stacks_wanted = false;
	const struct evr_fault *fault = same_fault(f);
	evr_event_id place =
		k && k <= evr_execution.step_events.len ? evr_execution.step_events.data[k - 1] : EVR_NO_EVENT;
	/* The execution goes on after a race, and fails whatever follows: a step that comes later is where the budget was used up. */
	bool is_late = fault && fault->other != EVR_NO_EVENT && place > fault->event;
	if (place != EVR_NO_EVENT && !is_late)
		mark(f, place);
	if (fault && fault->other != EVR_NO_EVENT) {
		evr_result_set(&f->detail, fault->detail);
	} else if (fault && !*f->detail) {
		struct evr_strbuf out;
		evr_strbuf_init(&out);
		evr_stack_describe(&out, fault->thread, evr_rt.world.trace.counts[fault->thread] - 1, "");
		evr_result_set(&f->detail, out.text);
		evr_strbuf_release(&out);
	}
	engine->ops->destroy(engine);
}

static void find_decision(struct evr_result_finding *f)
{
	evr_steps taken = { 0 };
	for (size_t i = 0; i < evr_execution.taken.len; i++)
		evr_vec_push(&taken, evr_execution.taken.data[i]);
	size_t k = steps_to_decide(&taken);
	if (!evr_learned(&evr_rt.world)) {
		f->hopeless = k == 0;
		look_again(f, &taken, k <= taken.len ? k : 0);
	}
	evr_vec_release(&taken);
}

static void simplify(struct evr_result *r, size_t number)
{
	struct evr_result_finding *f = &r->findings.data[number];
	struct evr_engine *engine = evr_engine_simplest(&evr_rt.world);
	bool enough = false;
	if (search(engine, (struct wish){ .is_granted = has_fault, .what = f }, &enough)) {
		struct evr_cost cost = evr_simplest_cost(engine);
		evr_collect_replace(r, number, same_fault(f));
		f->simplified = true;
		f->weak = cost.weak;
		f->preemptions = cost.preemptions;
		find_decision(f);
		evr_turn_hold();
		evr_wire_instead(evr_rt.config.fd, number, f);
		evr_turn_release();
	}
	engine->ops->destroy(engine);
}

/* Not what is about the search itself, nor what takes its time to be noticed. */
static bool is_worth_it(const struct evr_result_finding *f)
{
	if (evr_rt.world.model->steps_name_sources && f->events.len > MOST_EVENTS)
		return false;
	return strcmp(f->kind, "nondeterminism") != 0 && strcmp(f->kind, "no-progress") != 0 &&
	       strcmp(f->kind, "not-robust") != 0;
}

void evr_simplify(struct evr_result *r)
{
	struct evr_engine *engine = evr_rt.engine;
	for (size_t i = 0; i < r->findings.len && i < MOST_FINDINGS && !evr_search_stopped(); i++)
		if (is_worth_it(&r->findings.data[i]))
			simplify(r, i);
	evr_rt.engine = engine;
}
