/*
 * Cycles of a Shasha-Snir trace, to be shown to people: few events, with program order and communication in turns.
 *
 * Every edge but program order leads from what took effect earlier to what took effect later, so a cycle has an event that
 * took effect before an earlier store of its own thread: it *overtook* the store. The search goes from each such event to a
 * store that it overtook.
 *
 * As in event/cyclic.h the trace is that of an operational model.
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
};

typedef EVR_VEC(struct evr_cycle_step) evr_cycle;

struct evr_cycle_search;

const char *evr_cycle_edge_name(enum evr_cycle_edge edge);

struct evr_cycle_search *evr_cycle_search_new(void);
void evr_cycle_search_free(struct evr_cycle_search *s);
/* Prepare to search a trace, which stays as it is meanwhile. */
void evr_cycle_search_begin(struct evr_cycle_search *s, const struct evr_trace *t);
/* The first event at or after `from` that overtook a store; EVR_NO_EVENT if there is none. */
evr_event_id evr_cycle_overtaker(const struct evr_cycle_search *s, evr_event_id from);
/*
 * A cycle that begins with a store and, second, the event `over` that overtook it, as short as possible. False if there is none; a
 * shortest cycle of the trace is found from at least one event.
 */
bool evr_cycle_through(struct evr_cycle_search *s, evr_event_id over, evr_cycle *out);
/* When the event took effect, as a position in the trace: of a buffered store, that of its UPDATE. */
evr_event_id evr_cycle_effect(const struct evr_cycle_search *s, evr_event_id e);

/*
 * May event b take effect before event a, an earlier one of its thread, in a model that keeps this part of program order?
 * Yes is the answer if neither `keep` nor coherence orders them, directly or by way of one event between them.
 */
bool evr_cycle_relaxed(const struct evr_trace *t, evr_event_id a, evr_event_id b, evr_keep_fn *keep);

#endif
