/*
 * Data races as C defines them: two conflicting accesses of different threads, at least one of them not atomic, neither
 * happening before the other. Happens-before is program order, create and join, unlock to lock, and synchronisation by the
 * orders that the program *declares*, with release sequences and fences: a relaxed flag does not synchronise, whatever a
 * memory model makes of it. A release sequence is its head and the read-modify-writes that follow (as in C23; C11 adds later
 * stores of the head's thread).
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
/* The order by which an executed event synchronises: the one that it declares, or, in an atomic section, seq_cst. */
unsigned evr_race_order(const struct evr_event *e);
/* Is the lock none of the program's, so that it orders nothing? */
bool evr_race_ignores_lock(const struct evr_event *e);

#endif
