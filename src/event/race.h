/*
 * Data races as C defines them: two conflicting accesses of different threads, at least one of them not atomic, neither
 * happening before the other (event/happens.h).
 */
#ifndef EVR_RACE_H
#define EVR_RACE_H

#include "event/graph.h"

/* Two events of a trace that are in a race, in its order. */
struct evr_race_pair {
	evr_event_id first, second;
};
typedef EVR_VEC(struct evr_race_pair) evr_race_pairs;

struct evr_race_finder;

struct evr_race_finder *evr_race_finder_new(void);
void evr_race_finder_free(struct evr_race_finder *f);
/*
 * Append the races of a trace whose reads are linked to their sources (evr_graph_link()); return whether there are any. The
 * graph of the same trace tells where the bytes of a read come from different writes; NULL: they never do.
 *
 * Without `all`, only the first one. With it, ordered by the second access; of several accesses that one thread has made at one
 * place of the source, and that are all in a race with the same later one, only the newest.
 */
bool evr_race_find(struct evr_race_finder *f, const struct evr_trace *t, const struct evr_graph *g, bool all,
		   evr_race_pairs *out);
/* Are the two events, in the trace's order, in a race? */
bool evr_race_between(struct evr_race_finder *f, const struct evr_trace *t, const struct evr_graph *g,
		      struct evr_race_pair pair);

#endif
