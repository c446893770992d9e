/* Data races of an execution, as faults: each pair of source lines once. */
#include "event/race.h"

#include "runtime/runtime.h"

bool evr_races_wanted(void)
{
	int asked = evr_rt.config.races;
	return asked >= 0 ? asked : evr_rt.world.model->reports_races;
}

static void describe(struct evr_strbuf *out, const char *which, const struct evr_event *e)
{
	evr_strbuf_printf(out, "%s: %s %s of ", which, e->site->order == EVR_PLAIN ? "plain" : "atomic",
			  evr_event_name(e));
	evr_name_address(out, e->address, e->size);
	evr_strbuf_printf(out, " by thread %u at %s:%u in %s\n", e->thread, e->site->file, e->site->line,
			  e->site->function);
}

void evr_races_check(void)
{
	static struct evr_race_finder *finder;
	if (!finder)
		finder = evr_race_finder_new();
	static struct evr_graph graph;
	struct evr_trace *t = &evr_rt.world.trace;
	/* An axiomatic model names the sources. */
	if (!evr_rt.world.model->axiomatic) {
		evr_graph_build(&graph, t, false);
		evr_graph_link(&graph, t);
	}
	evr_event_id first, second = 0;
	while ((second = evr_race_find(finder, t, second, &first)) != EVR_NO_EVENT) {
		const struct evr_event *a = &t->events.data[first], *b = &t->events.data[second];
		struct evr_strbuf name, detail;
		evr_strbuf_init(&name);
		evr_strbuf_init(&detail);
		evr_name_address(&name, b->address, b->size);
		describe(&detail, "first access ", a);
		describe(&detail, "second access", b);
		evr_fault_add("race", b->site, b->thread,
			      evr_format("data race on %s with %s:%u", name.text, a->site->file, a->site->line),
			      detail.text);
		evr_vec_last(&evr_rt.faults).event = second;
		evr_strbuf_release(&name);
		if (!evr_rt.config.keep_going)
			return;
		second++;
	}
}
