/*
 * `everett predict`: a few random executions under SC, the cycles that they predict, and for each cycle trials under the model (paper
 * 002). The same seed gives the same trials, whatever else is tried.
 */
#include "runtime/predict.h"

#include "base/map.h"
#include "event/confirm.h"
#include "explore/predict.h"
#include "model/relaxer.h"
#include "runtime/runtime.h"
#include "runtime/search.h"

#include <stdlib.h>
#include <string.h>

#define ATTEMPTS 20   /* in a trial; the paper's are scripts that run a program a hundred times */
#define RESTARTS 1000 /* as often may an execution find memory shared that was not known to be */

static EVR_LASTING const struct evr_model_ops *model; /* that the trials are under */
static EVR_LASTING uint64_t length;                   /* of an execution, in steps, about */
static EVR_LASTING const evr_predictions *cycles;     /* that were predicted */
static EVR_LASTING bool deciding;                     /* executions are not tried but explored */
static EVR_LASTING bool watching;                     /* phase I: executions are those of SC */

bool evr_predict_spins(void)
{
	static EVR_LASTING int wanted = -1;
	if (wanted < 0)
		wanted = evr_predict_wanted();
	return wanted && !deciding;
}

bool evr_predict_wanted(void)
{
	return evr_rt.config.engine && !strcmp(evr_rt.config.engine, "predict");
}

const char *evr_predict_remark(void)
{
	return watching ? "this needs no reordering: it was found in an execution under SC, before any cycle was tried"
			: NULL;
}

/* An execution that found memory to be shared, or that did not repeat itself, is none of the model's. */
static void collect(struct evr_result *r)
{
	if (!evr_learned(&evr_rt.world))
		evr_collect(r);
}

/* One execution of the cycle, with that seed. What it finds to be shared was not seen by it: it is repeated. */
struct attempt {
	const struct evr_predicted *cycle;
	uint64_t seed;
	unsigned runs;
};

static bool begin_attempt(void *self)
{
	struct attempt *a = self;
	if (a->runs++ == RESTARTS)
		return false;
	evr_predict_begin(evr_rt.engine, a->cycle, a->seed, length);
	return true;
}

static bool is_enough(void *self)
{
	(void)self;
	return false;
}

/* False: the search was stopped. Findings are kept, whatever else comes of it. */
static bool run(struct evr_result *r, const struct evr_predicted *c, uint64_t seed)
{
	static const struct evr_policy policy = { begin_attempt, is_enough, NULL, NULL };
	struct attempt a = { c, seed, 0 };
	evr_search(&evr_tested, evr_rt.engine, &policy, &a);
	if (evr_search_stopped()) {
		collect(r);
		return false;
	}
	r->events += evr_rt.world.trace.events.len;
	if (evr_rt.engine->abandoned)
		r->truncated++;
	else
		r->executions++;
	if (r->executions + r->truncated == 1)
		evr_result_set(&r->output, evr_execution.output.text);
	collect(r);
	return true;
}

/*
 * Phase I. Without a cycle, the engine lets every store reach memory before anything else happens: that is SC, in the steps of the
 * model. So the schedule of a finding can be replayed under the model, and delays are measured in the steps that a trial takes.
 */
static bool predict(struct evr_result *r, struct evr_prediction *p)
{
	uint64_t steps = 0;
	watching = true;
	length = 1000;
	for (uint64_t i = 0; i < evr_rt.config.runs; i++) {
		if (!run(r, NULL, evr_hash64(evr_rt.config.seed * 2 + 1) + i))
			return false;
		evr_prediction_add(p, &evr_rt.world.trace);
		steps += evr_execution.taken.len;
	}
	if (evr_rt.config.runs)
		length = steps / evr_rt.config.runs + 1;
	watching = false;
	return true;
}

/* ---- one cycle ---- */

static void describe_pair(struct evr_strbuf *out, const struct evr_site *a, const struct evr_site *b)
{
	evr_strbuf_printf(out, " between %s:%u and %s:%u", a->file, a->line, b->file, b->line);
}

/* Which reorderings made it, and which fences forbid them. */
static void describe(struct evr_result_cycle *out, const struct evr_predicted *c, const struct evr_confirmed *how)
{
	struct evr_strbuf reordering, fence;
	evr_strbuf_init(&reordering);
	evr_strbuf_init(&fence);
	for (unsigned i = 0; i < c->length; i += 2) {
		if (!how->overtook[i / 2])
			continue;
		const char *kind = c->stores[i] && c->stores[i + 1] ? "store-store"
				   : c->stores[i]                   ? "store-load"
								    : "load-load";
		evr_strbuf_printf(&reordering, "%s%s", reordering.len ? ", " : "", kind);
		evr_strbuf_printf(&fence, "%sa %s fence", fence.len ? ", " : "", kind);
		describe_pair(&fence, c->label[i], c->label[i + 1]);
	}
	evr_result_set(&out->reordering, reordering.text);
	evr_result_set(&out->fence, fence.text);
	evr_strbuf_release(&reordering);
	evr_strbuf_release(&fence);
}

static void begin_cycle(struct evr_result_cycle *out, const struct evr_predicted *c)
{
	for (unsigned i = 0; i < c->length; i++) {
		struct evr_result_label *l = evr_result_add_label(out);
		evr_result_set(&l->file, c->label[i]->file);
		evr_result_set(&l->function, c->label[i]->function);
		evr_result_set(&l->kind, c->stores[i] ? "write" : "read");
		l->line = c->label[i]->line;
		l->column = c->label[i]->column;
	}
}

/* Keep what shows it best: a finding, or else the cycle alone. */
static void keep(struct evr_result_cycle *out, const struct evr_predicted *c, const struct evr_confirmed *how)
{
	char *schedule = evr_schedule_text();
	describe(out, c, how);
	evr_result_set(&out->schedule, schedule);
	free(schedule);
	if (!evr_execution.faults.len)
		return;
	const struct evr_fault *f = &evr_execution.faults.data[0];
	char *text = evr_format("%s at %s:%u", f->kind, f->site->file, f->site->line);
	evr_result_set(&out->finding, text);
	free(text);
}

/* A trial: the program is run a few times, until the cycle comes about with a finding. False: the search was stopped. */
static bool try_once(struct evr_result *r, struct evr_result_cycle *out, const struct evr_predicted *c, uint64_t seed)
{
	struct evr_confirmed how;
	bool confirmed = false, buggy = false;
	for (unsigned i = 0; !buggy && i < ATTEMPTS; i++) {
		if (!run(r, c, evr_hash64(seed) + i))
			return false;
		if (!evr_predicted_confirm(c, &evr_rt.world.trace, &how))
			continue;
		buggy = evr_execution.faults.len;
		if ((!out->confirmed && !confirmed) || (buggy && !out->buggy))
			keep(out, c, &how);
		confirmed = true;
	}
	out->trials++;
	out->confirmed += confirmed;
	out->buggy += buggy;
	return true;
}

static bool try(struct evr_result *r, size_t number)
{
	const struct evr_predicted *c = &cycles->data[number];
	struct evr_result_cycle *out = evr_result_add_cycle(r);
	bool going = true;
	begin_cycle(out, c);
	for (uint64_t i = 0; going && i < evr_rt.config.trials; i++)
		going = try_once(r, out, c, evr_hash64(evr_hash64(evr_rt.config.seed + 1) + number) + i);
	evr_result_set(&out->verdict, out->buggy ? "buggy" : out->confirmed ? "benign so far" : "not confirmed");
	evr_wire_cycle(evr_rt.config.fd, out);
	return going;
}

/* ---- deciding ---- */

/*
 * Everything that the model allows is explored, once for all cycles: by traces if `everett check` has a model with the same
 * executions. For the others there is nothing but every interleaving.
 */
static struct evr_engine *exhaustive_engine(void)
{
	evr_rt.world.model = model->same_as ? model->same_as : model;
	return (model->same_as ? &evr_engine_traces : &evr_engine_none)->create(&evr_rt.world);
}

static bool is_open(const struct evr_result_cycle *c)
{
	return !c->buggy;
}

struct decision {
	struct evr_result *result;
	const evr_predictions *all;
	bool *seen; /* of each of them: it has come about */
	bool exhaustive;
};

static bool note_execution(void *self)
{
	struct decision *d = self;
	struct evr_confirmed how;
	if (evr_search_stopped())
		return false;
	/* A loop that waits went round once only, others not as often as they might: not every cycle can be seen. */
	d->exhaustive &= !evr_execution.blocked && !evr_execution.truncated;
	if (!evr_rt.engine->rerun)
		d->result->executions++;
	for (size_t i = 0; i < d->all->len; i++) {
		struct evr_result_cycle *c = &d->result->cycles.data[i];
		if (!is_open(c) || (d->seen[i] && !evr_execution.faults.len) ||
		    !evr_predicted_confirm(&d->all->data[i], &evr_rt.world.trace, &how))
			continue;
		if (!d->seen[i] || evr_execution.faults.len)
			keep(c, &d->all->data[i], &how);
		d->seen[i] = true;
		c->buggy += evr_execution.faults.len > 0;
	}
	evr_collect(d->result);
	return true;
}

/* False: it was not completed, and nothing is decided. */
static bool explore_all(struct evr_result *r, const evr_predictions *all, bool *seen)
{
	static const struct evr_policy policy = { NULL, note_execution, NULL, NULL };
	struct decision d = { r, all, seen, true };
	enum evr_search_end end = evr_search(&evr_tested, evr_rt.engine, &policy, &d);
	if (end != EVR_EXHAUSTED)
		collect(r);
	return end == EVR_EXHAUSTED && d.exhaustive;
}

static void decide(struct evr_result *r, const evr_predictions *all)
{
	struct evr_engine *random = evr_rt.engine;
	bool *seen = evr_alloc(all->len + 1);
	for (size_t i = 0; i < all->len; i++)
		seen[i] = r->cycles.data[i].confirmed > 0;
	deciding = true;
	evr_rt.config.keep_going = true;
	evr_rt.engine = exhaustive_engine();
	bool complete = explore_all(r, all, seen);
	for (size_t i = 0; i < all->len; i++) {
		struct evr_result_cycle *c = &r->cycles.data[i];
		const char *verdict = c->buggy ? "buggy" : !complete ? NULL : seen[i] ? "benign" : "infeasible";
		if (!verdict || !strcmp(verdict, c->verdict))
			continue;
		evr_result_set(&c->verdict, verdict);
		evr_wire_decided(evr_rt.config.fd, i, c);
	}
	evr_rt.engine->ops->destroy(evr_rt.engine);
	evr_rt.engine = random;
	evr_rt.world.model = model;
	free(seen);
}

void evr_predict(struct evr_result *r)
{
	struct evr_prediction *p = evr_prediction_new(evr_rt.config.cycle_length);
	model = evr_rt.world.model;
	bool going = predict(r, p);
	cycles = evr_prediction_cycles(p);
	bool divided = evr_rt.config.jobs > 1 && cycles->len > 1;
	if (going && divided)
		going = evr_trials_divide(r, cycles->len, try);
	for (size_t i = 0; going && !divided && i < cycles->len; i++)
		going = try(r, i);
	if (going && evr_rt.config.decide && cycles->len)
		decide(r, cycles);
	evr_prediction_free(p);
}
