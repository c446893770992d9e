/* Sequential consistency: every event takes place in memory, at once. */
#include "model/model.h"

static void begin(struct evr_world *w)
{
	(void)w;
}

static void steps(struct evr_world *w, evr_steps *out)
{
	for (unsigned t = 0; t < w->threads; t++)
		if (w->waiting[t])
			evr_model_thread_steps(w, (evr_thread_id)t, out);
}

static void execute(struct evr_world *w, struct evr_step s, struct evr_event *e)
{
	switch (e->kind) {
	case EVR_READ:
		e->read = evr_memory_load(e->address, e->size);
		break;
	case EVR_WRITE:
		evr_model_store(w, e->address, e->size, e->written);
		break;
	case EVR_RMW:
		e->read = evr_memory_load(e->address, e->size);
		e->written = evr_rmw_result(e->op, e->read, e->written, e->size);
		evr_model_store(w, e->address, e->size, e->written);
		break;
	case EVR_CAS:
		e->read = evr_memory_load(e->address, e->size);
		if (e->read == e->expected)
			evr_model_store(w, e->address, e->size, e->written);
		break;
	case EVR_CHOOSE:
		e->expected = s.variant;
		break;
	case EVR_FENCE:
	case EVR_FREE:
		break;
	default:
		evr_model_execute_mutex(w, s, e);
	}
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
	.name = "sc",
	.summary = "sequential consistency: the threads' steps are interleaved",
	.begin = begin,
	.steps = steps,
	.execute = execute,
	.allows = allows,
};
