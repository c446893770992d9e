/*
 * Robustness: is every execution under the model one that SC has, too? Asked after each execution; the first that is not so is
 * the witness. Where an execution has one order of its writes: is its Shasha-Snir trace acyclic? Where the model leaves the order open:
 * is there an interleaving in which all reads have their sources?
 *
 * A finding is a place where a fence is missing, on a cycle: an access that overtook an earlier store of its thread; or, where nothing is
 * buffered, two accesses of a thread that others see in another order.
 */
#include "runtime/findings/robust.h"

#include "event/cyclic.h"
#include "model/interleaving.h"
#include "runtime/runtime.h"

#include <string.h>

static EVR_LASTING bool ignored; /* a fault of another kind ended a thread */
static EVR_LASTING EVR_VEC(const struct evr_site *) reported; /* under --keep-going: each place once */

bool evr_robust_wanted(void)
{
	return evr_rt.config.robust;
}

/* Those that are left say that not every execution was explored. */
bool evr_robust_ignores(const char *kind)
{
	if (!strcmp(kind, "not-robust") || !strcmp(kind, "nondeterminism") || !strcmp(kind, "no-progress"))
		return false;
	ignored = true;
	return true;
}

const char *evr_robust_note(void)
{
	return ignored ? "some executions fail, which 'everett check' reports: robustness covers only what a failing "
			 "thread did before"
		       : NULL;
}

bool evr_robust_by_sources(void)
{
	return evr_rt.world.model->steps_name_sources;
}

/* ---- reporting ---- */

void evr_robust_forget(void)
{
	evr_vec_clear(&reported);
}

static const struct evr_site *site_of(const evr_cycle *c, size_t step)
{
	return evr_rt.world.trace.events.data[c->data[step % c->len].event].site;
}

static bool is_reported(const struct evr_site *site)
{
	for (size_t k = 0; k < reported.len; k++)
		if (reported.data[k] == site)
			return true;
	return false;
}

/* Make this step the first. */
static void rotate(evr_cycle *c, size_t step)
{
	for (; step; step--) {
		struct evr_cycle_step first = c->data[0];
		memmove(c->data, c->data + 1, (c->len - 1) * sizeof(*c->data));
		evr_vec_last(c) = first;
	}
}

/* The first step at or after `from` where a fence is missing and, under --keep-going, not reported; or c->len. */
static size_t missing_fence(const evr_cycle *c, size_t from)
{
	bool each = evr_rt.config.keep_going;
	while (from < c->len && (!c->data[from].fence || (each && is_reported(site_of(c, from + 1)))))
		from++;
	return from;
}

static void report_shortest(struct evr_cycle_search *s)
{
	static EVR_SCRATCH evr_cycle best, cycle;
	evr_vec_clear(&best);
	for (evr_event_id i = 0; (i = evr_cycle_start(s, i)) != EVR_NO_EVENT; i++) {
		if (!evr_cycle_through(s, i, &cycle) || (best.len && best.len <= cycle.len))
			continue;
		evr_cycle swap = best;
		best = cycle;
		cycle = swap;
	}
	if (!best.len)
		evr_bug("a cyclic trace without a cycle");
	if (evr_robust_by_sources()) {
		evr_cycle_place_fences(&evr_rt.world.trace, &best, evr_rt.world.model->synchronises);
		size_t first = missing_fence(&best, 0);
		if (first == best.len)
			evr_bug("a cycle that has all its fences");
		rotate(&best, first);
	}
	evr_robust_report(s, &best);
}

/* Where no event overtook another one: every place on the cycle where a fence is missing. */
static void report_missing_fences(struct evr_cycle_search *s, evr_cycle *c)
{
	evr_cycle_place_fences(&evr_rt.world.trace, c, evr_rt.world.model->synchronises);
	for (size_t i; (i = missing_fence(c, 0)) < c->len;) {
		rotate(c, i);
		evr_vec_push(&reported, site_of(c, 1));
		evr_robust_report(s, c);
	}
}

/* A cycle for each place that has not been reported. */
static void report_places(struct evr_cycle_search *s)
{
	static EVR_SCRATCH evr_cycle cycle;
	bool found = false;
	for (evr_event_id i = 0; (i = evr_cycle_start(s, i)) != EVR_NO_EVENT; i++) {
		const struct evr_site *site = evr_rt.world.trace.events.data[i].site;
		bool known = is_reported(site);
		found |= known;
		if (known || !evr_cycle_through(s, i, &cycle))
			continue;
		found = true;
		if (evr_robust_by_sources()) {
			report_missing_fences(s, &cycle);
			continue;
		}
		evr_vec_push(&reported, site);
		evr_robust_report(s, &cycle);
	}
	if (!found)
		evr_bug("a cyclic trace without a cycle");
}

/* The execution is none of SC's. */
static void report_cycles(void)
{
	static EVR_SCRATCH struct evr_cycle_search *search;
	if (!search)
		search = evr_cycle_search_new();
	evr_cycle_search_begin(search, &evr_rt.world.trace, evr_robust_by_sources());
	if (evr_rt.config.keep_going)
		report_places(search);
	else
		report_shortest(search);
}

/* ---- an execution with one order of its writes ---- */

/* `--check`: the slow and obvious way must give the same answer. */
static void check_answer(bool cyclic)
{
	static EVR_SCRATCH struct evr_graph graph;
	evr_graph_build(&graph, &evr_rt.world.trace, false);
	if (evr_model_sc.allows(&graph) == cyclic)
		evr_rt.engine->failure = "self-check: the test for cycles and the axioms of SC do not agree";
}

static bool is_cyclic(void)
{
	static EVR_SCRATCH struct evr_cyclic *test;
	if (!test)
		test = evr_cyclic_new();
	bool cyclic = evr_cyclic_test(test, &evr_rt.world.trace);
	if (evr_rt.config.check)
		check_answer(cyclic);
	return cyclic;
}

/* ---- an execution whose writes may be ordered anew ---- */

/* Does the event, which accesses memory, find what it reads as it was left by its source? And it leaves what it writes. */
static bool follows(struct evr_map *memory, evr_event_id id)
{
	const struct evr_event *e = &evr_rt.world.trace.events.data[id];
	for (uintptr_t a = e->address; a < e->address + evr_model_extent(e); a++) {
		const uint64_t *now = evr_map_get(memory, a);
		if (evr_event_reads(e) && e->source != (now ? *now : EVR_NO_EVENT))
			return false;
		if (evr_event_writes(e))
			evr_map_put(memory, a, id);
	}
	return true;
}

/* Has the interleaving all accesses, once, and never one of them before what comes before it in program order? */
static bool is_in_program_order(const evr_rf_ids *order)
{
	struct evr_graph graph = { 0 };
	struct evr_relation po = { 0 };
	const struct evr_trace *t = &evr_rt.world.trace;
	size_t accesses = 0;
	bool fine = true;
	for (size_t i = 0; i < t->events.len; i++) {
		const struct evr_event *e = &t->events.data[i];
		accesses += e->kind != EVR_FENCE && (evr_event_reads(e) || evr_event_writes(e));
	}
	evr_graph_build(&graph, t, true);
	evr_relation_clear(&po, t->events.len);
	evr_graph_add_po(&graph, &po, NULL);
	evr_relation_close(&po);
	for (size_t i = 0; i < order->len; i++)
		for (size_t k = 0; k < i; k++)
			fine &= order->data[k] != order->data[i] &&
				!evr_relation_has(&po, order->data[i], order->data[k]);
	evr_relation_release(&po);
	evr_graph_release(&graph);
	return fine && order->len == accesses;
}

/* `--check`: take the interleaving at its word. */
static void check_interleaving(const evr_rf_ids *order)
{
	struct evr_map memory = { 0 };
	bool fine = is_in_program_order(order);
	for (size_t i = 0; i < order->len && fine; i++)
		fine = follows(&memory, order->data[i]);
	evr_map_release(&memory);
	if (!fine)
		evr_rt.engine->failure = "self-check: an interleaving was found that does not give reads their sources";
}

static bool has_interleaving(void)
{
	static EVR_SCRATCH struct evr_interleaving *test;
	const evr_rf_ids *order = NULL;
	if (!test)
		test = evr_interleaving_new();
	if (!evr_interleaving_find(test, &evr_rt.world.trace, &order))
		return false;
	if (evr_rt.config.check)
		check_interleaving(order);
	return true;
}

void evr_robust_check(void)
{
	bool robust = evr_robust_by_sources() ? has_interleaving() : !is_cyclic();
	/* With whatever order of the writes there is a cycle: show that of the engine. */
	if (!robust && evr_run_complete())
		report_cycles();
}
