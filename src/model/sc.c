/* Sequential consistency: every event takes place in memory, at once. */
#include "model/model.h"
#include "model/oracle.h"

static void begin(struct evr_world *w)
{
	(void)w;
}

static void steps(struct evr_world *w, evr_steps *out)
{
	if (evr_model_is_within(w)) {
		evr_model_thread_steps(w, (evr_thread_id)(w->within - 1), out);
		return;
	}
	for (unsigned t = 0; t < w->threads; t++)
		if (w->waiting[t])
			evr_model_thread_steps(w, (evr_thread_id)t, out);
}

/* One order of all events: program order, reads-from, coherence and from-reads agree. */
static bool allows(const struct evr_graph *g)
{
	struct evr_relation r = { 0 };
	evr_relation_clear(&r, g->trace->events.len);
	evr_graph_add_po(g, &r, NULL);
	evr_graph_add_rf(g, &r, false);
	evr_graph_add_co(g, &r, SIZE_MAX);
	evr_graph_add_fr(g, &r, SIZE_MAX);
	bool fine = evr_relation_acyclic(&r) && evr_axiom_coherent(g);
	evr_relation_release(&r);
	return fine;
}

const struct evr_model_ops evr_model_sc = {
	EVR_MODEL_ROW(sc),
	.summary = "sequential consistency: the threads' steps are interleaved",
	.is_sequential = true,
	.pieces = evr_model_no_pieces,
	.begin = begin,
	.steps = steps,
	.ready = evr_model_thread_ready,
	.execute = evr_model_execute_in_memory,
	.allows = allows,
	.oracle = &evr_oracle_sc,
};
