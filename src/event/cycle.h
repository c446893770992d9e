/*
 * Cycles of a Shasha-Snir trace, to be shown to people: few events, with program order and communication in turns.
 *
 * Where stores are buffered, every edge but program order leads from what took effect earlier to what took effect later, so a cycle
 * has an event that took effect before an earlier store of its own thread: it *overtook* the store. The search goes from each such
 * event to a store that it overtook. As in event/cyclic.h the trace is that of an operational model.
 *
 * Where events name their sources, nothing is late. A cycle then has an access that program order leads to, and from which
 * communication leads on; the search goes from each access. What fences update is no access here: see model/interleaving.h.
 */
#ifndef EVR_CYCLE_H
#define EVR_CYCLE_H

#include "event/graph.h"

enum evr_cycle_edge {
	EVR_CYCLE_PO,
	EVR_CYCLE_CREATE,
	EVR_CYCLE_JOIN,
	EVR_CYCLE_RF,
	EVR_CYCLE_CO,
	EVR_CYCLE_FR,
};

struct evr_cycle_step {
	evr_event_id event;
	enum evr_cycle_edge edge; /* to the next one; of the last, to the first */
	bool overtaken;           /* the edge is program order, and the next one took effect first */
	bool fence; /* the edge is program order, and evr_cycle_place_fences() wants a full fence there */
};

typedef EVR_VEC(struct evr_cycle_step) evr_cycle;

struct evr_cycle_search;

const char *evr_cycle_edge_name(enum evr_cycle_edge edge);

struct evr_cycle_search *evr_cycle_search_new(void);
void evr_cycle_search_free(struct evr_cycle_search *s);
/* Prepare to search a trace, which stays as it is meanwhile. */
void evr_cycle_search_begin(struct evr_cycle_search *s, const struct evr_trace *t, bool names_sources);
/* The first event at or after `from` that a search can start at; EVR_NO_EVENT if there is none. */
evr_event_id evr_cycle_start(const struct evr_cycle_search *s, evr_event_id from);
/*
 * A cycle whose second event is `over`, as short as possible. Where stores are buffered, the first is a store that it overtook; where
 * events name their sources, program order, create or join leads from there to `over`. False if there is none; a shortest cycle of the
 * trace is found from at least one event.
 */
bool evr_cycle_through(struct evr_cycle_search *s, evr_event_id over, evr_cycle *out);
/* When the event took effect, as a position in the trace: of a buffered store, that of its UPDATE. */
evr_event_id evr_cycle_effect(const struct evr_cycle_search *s, evr_event_id e);

/*
 * May event b take effect before event a, an earlier one of its thread, in a model that keeps this part of program order?
 * Yes is the answer if neither `keep` nor coherence orders them, directly or by way of one event between them.
 */
bool evr_cycle_relaxed(const struct evr_trace *t, evr_event_id a, evr_event_id b, evr_keep_fn *keep);

/*
 * Where must full fences be so that a cycle of an execution whose events name their sources cannot be? Sets `fence` of its steps.
 *
 * Program order and reads that synchronise (NULL: all do) are happens-before. The other steps of the cycle divide it into pieces
 * of happens-before, and a fence is needed in each piece that has program order in it, if there is none yet. Why these suffice:
 * two fences that follow each other on the cycle, f and g, have between them happens-before from f to an access b, communication at
 * one location from b to an access a, and happens-before from a to g. C11 says that full fences so related form no cycle. Where they
 * are updates of a hidden location, of any two fences one happens before the other; not always as the cycle has them, so that for
 * some two of these g happens before f. Then a happens before b, although b comes before a at their location: no coherent model
 * allows that.
 */
void evr_cycle_place_fences(const struct evr_trace *t, evr_cycle *c, evr_synchronise_fn *synchronises);

#endif
