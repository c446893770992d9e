/*
 * What models share whose steps name sources: RA and RC11. They differ in their axioms, and in what a fence is.
 */
#ifndef EVR_SOURCES_H
#define EVR_SOURCES_H

#include "model/model.h"

/* May the trace so far with this event behind it happen? It is in `trial`, and `graph` is that one's graph. */
typedef bool evr_possible_fn(struct evr_world *w, const struct evr_event *e);

/* The state of such a model begins with this. */
struct evr_sources {
	evr_possible_fn *possible;
	struct evr_trace trial; /* the trace with one more event */
	struct evr_graph graph;
	struct evr_locations locations; /* that were accessed in any execution */
};

/* The model's begin(): its state has that size. */
void evr_sources_begin(struct evr_world *w, size_t size, evr_possible_fn *possible);
/* The model's functions of these names. A fence is executed as one that does nothing. */
void evr_sources_steps(struct evr_world *w, evr_steps *out);
void evr_sources_all_steps(struct evr_world *w, evr_steps *out);
void evr_sources_execute(struct evr_world *w, struct evr_step s, struct evr_event *e);
/* The last event that wrote to the location, of which each reads the one before: a mutex, or the like. */
evr_event_id evr_sources_chain_end(const struct evr_world *w, uintptr_t address);

#endif
