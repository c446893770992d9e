/*
 * Synchronises-with between the threads of an execution, edge by edge, by the orders that the program *declares*: for reports.
 * docs/models.md, "Data races", says what synchronises; happens-before is these edges with program order, create and join.
 *
 * What follows from other edges is left out: of several fences only the one next to the access counts, and behind a
 * read-modify-write that acquires and releases nobody need be named again.
 */
#ifndef EVR_SYNCHRONISES_H
#define EVR_SYNCHRONISES_H

#include "event/graph.h"

/* `from` synchronises with `to`, an event of another thread. */
struct evr_sw_edge {
	evr_event_id from, to;
};
typedef EVR_VEC(struct evr_sw_edge) evr_sw_edges;

/*
 * Append the edges of the graph's trace, whose reads are linked to their sources (evr_graph_link()), ordered by `from`, then by `to`,
 * each once.
 */
void evr_sw_find(const struct evr_graph *g, evr_sw_edges *out);

#endif
