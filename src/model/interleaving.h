/*
 * Is an execution one of SC, as far as its reads can tell? It is if some interleaving of its events gives every read the source that it
 * has. In which order the execution had its writes does not matter: coherence may be chosen anew. This is the question for models
 * under which a reads-from trace has many coherence orders; where each execution has but one, event/cyclic.h is faster.
 *
 * The trace's events name their sources (event/graph.h), and it is in an order that respects program order and reads-from.
 *
 * Fences are left out. Under SC a fence does nothing, so that it fits in wherever its thread is. A model may make seq_cst fences a
 * chain of updates of a hidden location. The order of that chain is one of several that the same reads-from trace may have, and
 * with the wrong one there may be no interleaving: nobody reads from a fence, and so nobody can tell.
 */
#ifndef EVR_INTERLEAVING_H
#define EVR_INTERLEAVING_H

#include "event/rf.h"

struct evr_interleaving;

struct evr_interleaving *evr_interleaving_new(void);
void evr_interleaving_free(struct evr_interleaving *o);
/* Is there one? Then `order` is it: the positions in the trace of all events that access memory. It stays valid until the next call. */
bool evr_interleaving_find(struct evr_interleaving *o, const struct evr_trace *t, const evr_rf_ids **order);

#endif
