/*
 * Data races as C defines them: two conflicting accesses of different threads, at least one of them not atomic, neither
 * happening before the other. Happens-before is program order, create and join, unlock to lock, and synchronisation by the
 * orders that the program *declares*, with release sequences and fences: a relaxed flag does not synchronise, whatever a
 * memory model makes of it. A release sequence is its head and the read-modify-writes that follow (as in C23; C11 adds later
 * stores of the head's thread).
 */
#ifndef EVR_RACE_H
#define EVR_RACE_H

#include "event/trace.h"

struct evr_race_finder;

struct evr_race_finder *evr_race_finder_new(void);
void evr_race_finder_free(struct evr_race_finder *f);
/*
 * The first race at or after event `from` of a trace whose reads are linked to their sources (evr_graph_link());
 * EVR_NO_EVENT if there is none. *first is the earlier access, the result the later one.
 */
evr_event_id evr_race_find(struct evr_race_finder *f, const struct evr_trace *t, evr_event_id from,
			   evr_event_id *first);

#endif
