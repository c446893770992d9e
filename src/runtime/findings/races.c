/* Data races of an execution, as faults: each pair of source places once, whichever of the two accesses came first. */
#include "event/race.h"

#include "runtime/runtime.h"

#include <string.h>

bool evr_races_wanted(void)
{
	int asked = evr_rt.config.races;
	return asked >= 0 ? asked : evr_rt.world.model->reports_races && !evr_robust_wanted();
}

static void describe(struct evr_strbuf *out, const char *which, const struct evr_event *e)
{
	evr_strbuf_printf(out, "%s: %s %s of ", which, e->site->order == EVR_PLAIN ? "plain" : "atomic",
			  evr_event_name(e));
	evr_name_address(out, e->address, e->size);
	evr_strbuf_printf(out, " by thread %u at %s:%u in %s\n", e->thread, e->site->file, e->site->line,
			  e->site->function);
	if (evr_rt.stacks_wanted)
		evr_stack_describe(out, e->thread, e->index, "  ");
}

static int compare_places(const struct evr_site *a, const struct evr_site *b)
{
	int files = strcmp(a->file, b->file);
	if (files)
		return files;
	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	return a->column == b->column ? 0 : a->column < b->column ? -1 : 1;
}

/* Some executions have many races at the same two places. */
static bool is_known(const struct evr_site *place, const struct evr_site *other)
{
	for (size_t i = 0; i < evr_execution.faults.len; i++) {
		const struct evr_fault *f = &evr_execution.faults.data[i];
		if (f->other_site && !compare_places(f->site, place) && !compare_places(f->other_site, other))
			return true;
	}
	return false;
}

/*
 * The race is found in executions of either order, and engines explore one of them: so the place that comes later in the source
 * is where it is, and the earlier one is what it is with.
 */
static void add(const struct evr_trace *t, struct evr_race_pair pair)
{
	const struct evr_event *first = &t->events.data[pair.first], *second = &t->events.data[pair.second];
	bool swap = compare_places(first->site, second->site) > 0;
	const struct evr_event *at = swap ? first : second, *with = swap ? second : first;
	if (is_known(at->site, with->site))
		return;
	struct evr_strbuf name, detail;
	evr_strbuf_init(&name);
	evr_strbuf_init(&detail);
	evr_name_address(&name, at->address, at->size);
	describe(&detail, "first access ", first);
	describe(&detail, "second access", second);
	evr_fault_add("race", at->site, at->thread,
		      evr_format("data race on %s with %s:%u", name.text, with->site->file, with->site->line),
		      evr_strbuf_take(&detail));
	struct evr_fault *f = &evr_vec_last(&evr_execution.faults);
	f->event = pair.second;
	f->other = pair.first;
	f->other_site = with->site;
	evr_strbuf_release(&name);
}

void evr_races_check(void)
{
	static EVR_SCRATCH struct evr_race_finder *finder;
	static EVR_SCRATCH struct evr_graph graph;
	static EVR_SCRATCH evr_race_pairs pairs;
	if (!finder)
		finder = evr_race_finder_new();
	struct evr_trace *t = &evr_rt.world.trace;
	/* Where the trace names sources, each of them is for the whole of a read. */
	bool names_sources = evr_rt.world.model->steps_name_sources;
	if (!names_sources) {
		evr_graph_build(&graph, t, false);
		evr_graph_link(&graph, t);
	}
	evr_vec_clear(&pairs);
	/* A report may be about any one of those in the execution that is replayed. */
	bool all = evr_rt.config.keep_going || evr_rt.config.replay;
	evr_race_find(finder, t, names_sources ? NULL : &graph, all, &pairs);
	for (size_t i = 0; i < pairs.len; i++)
		add(t, pairs.data[i]);
}
