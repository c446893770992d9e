/*
 * Data races as C defines them: two conflicting accesses of different threads, at least one of them not atomic, neither
 * happening before the other. Happens-before is program order, create and join, unlock to lock, and synchronisation by the
 * orders that the program *declares*, with release sequences and fences: a relaxed flag does not synchronise, whatever a
 * memory model makes of it.
 *
 * A release sequence is its head and the read-modify-writes that follow, as in C++20 and C23. With the release sequences of C11 it also has
 * all later atomic stores of the head's thread to the location, and the read-modify-writes that follow those. That is RC11's reading:
 * the standard's breaks the sequence where another thread's store comes in between in coherence.
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

/* c11: with the release sequences of C11. */
struct evr_race_finder *evr_race_finder_new(bool c11);
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

#endif
