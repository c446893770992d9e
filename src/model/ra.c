/*
 * Release-acquire, by its axioms (paper 000, Definition 3.1): an execution may happen if for each location x the relation
 * po u rf u co_x u fr_x has no cycle, and every read-modify-write comes right after its source in coherence.
 *
 * A step chooses a source, or a place in coherence (model/sources.h).
 *
 * Every access is a release or acquire, whatever the program says. A mutex is a chain of read-modify-writes, and a
 * seq_cst fence one on a hidden location: both have no choice but the end of the chain. A failed trylock is a read.
 */
#include "model/oracle.h"
#include "model/sources.h"

#define FENCE_ADDRESS ((uintptr_t)1) /* of the location that seq_cst fences update; no variable has it */

struct ra {
	struct evr_sources sources;
	struct evr_relation relation;
};

/* Coherence and from-reads of the one location, program order and reads-from of all. */
static bool consistent_at(const struct evr_graph *g, struct evr_relation *r, size_t byte)
{
	evr_relation_clear(r, g->trace->events.len);
	evr_graph_add_po(g, r, NULL);
	evr_graph_add_rf(g, r, false);
	evr_graph_add_co(g, r, byte);
	evr_graph_add_fr(g, r, byte);
	return evr_relation_acyclic(r);
}

static bool atomic_at(const struct evr_graph *g, size_t byte)
{
	for (size_t i = 0; i < g->reads.len; i++) {
		const struct evr_graph_read *r = &g->reads.data[i];
		const struct evr_event *e = &g->trace->events.data[r->read];
		const struct evr_graph_byte *b = &g->bytes.data[r->byte];
		if (r->byte != byte || !evr_event_writes(e))
			continue;
		evr_event_id before = EVR_NO_EVENT;
		for (size_t k = 0; k < b->writes.len && b->writes.data[k] != r->read; k++)
			before = b->writes.data[k];
		if (before != r->source)
			return false;
	}
	return true;
}

/* The axioms put differently, so that they can judge the steps. */
static bool allows(const struct evr_graph *g)
{
	struct evr_relation before = { 0 }; /* happens-before */
	evr_relation_clear(&before, g->trace->events.len);
	evr_graph_add_po(g, &before, NULL);
	evr_graph_add_rf(g, &before, false);
	bool fine = evr_relation_acyclic(&before);
	evr_relation_close(&before);
	fine = fine && evr_axiom_numbered(g, &before);
	evr_relation_release(&before);
	return fine;
}

static bool possible(struct evr_world *w, const struct evr_event *e)
{
	struct ra *ra = w->model_state;
	const struct evr_graph *g = &ra->sources.graph;
	/* The new event has no successors but through co and fr of its own location: only there can it close a cycle. */
	size_t byte = *evr_map_get(&g->byte_of, e->address);
	return atomic_at(g, byte) && consistent_at(g, &ra->relation, byte);
}

static void begin(struct evr_world *w)
{
	evr_sources_begin(w, sizeof(struct ra), possible);
}

static void execute(struct evr_world *w, struct evr_step s, struct evr_event *e)
{
	if (e->kind == EVR_FENCE) {
		e->address = FENCE_ADDRESS;
		e->size = 1;
		e->source = evr_sources_chain_end(w, FENCE_ADDRESS);
		return;
	}
	if (e->site)
		w->orders_used |= 1u << e->site->order;
	evr_sources_execute(w, s, e);
}

const struct evr_model_ops evr_model_ra = {
	EVR_MODEL_ROW(ra),
	.memory_stays_initial = true,
	.coherence_per_location = true,
	.skips_ordered = true,
	.summary = "release-acquire: every access is one",
	.fences = 1u << EVR_SEQ_CST,
	.notes = {
		[EVR_RELAXED] = "relaxed accesses are treated as release/acquire: C11 allows more than was explored",
		[EVR_SEQ_CST] = "seq_cst accesses are treated as release/acquire: C11 allows less than was explored",
	},
	.note_on_locked_atomics = "atomic objects of more than 16 bytes are accessed under a lock: "
				  "C11 allows more than was explored",
	.pieces = evr_model_no_pieces,
	.begin = begin,
	.steps = evr_sources_steps,
	.all_steps = evr_sources_all_steps,
	.ready = evr_model_thread_ready,
	.execute = execute,
	.allows = allows,
	.oracle = &evr_oracle_ra,
};
