/* A graph with a given modification order, where events take effect in memory one after the other: for the oracles of SC, TSO and PSO. */
#ifndef EVR_EFFECTS_H
#define EVR_EFFECTS_H

#include "model/oracle.h"

/* In a list: where it comes from, and the next one. */
struct evr_effect_edge {
	evr_event_id from;
	uint32_t next;
};

struct evr_effects {
	/* All is private. */
	evr_event_id total; /* events */
	evr_event_id last_store[EVR_MAX_THREADS]; /* of each thread: its last buffered store */
	evr_event_id
		barrier[EVR_MAX_THREADS]; /* and the event before which its stores take effect before later ones do */
	evr_rf_ids store_before; /* of a buffered store: the one before it of its thread */
	EVR_VEC(uint32_t) first; /* of each node: its first edge, or EVR_NO_EVENT */
	EVR_VEC(struct evr_effect_edge) edges;
	evr_rf_ids writes;
	EVR_VEC(uint32_t) readers; /* of each write, and then of each location's initial one: the first in `reads` */
	EVR_VEC(struct evr_effect_edge) reads;
	evr_rf_ids stack;
	EVR_VEC(uint8_t) colour;
};

void evr_effects_release(struct evr_effects *o);
/* Can the change's graph happen, with the modification order that its events have? The answer is in its order, or in `early`. */
bool evr_effects_order(struct evr_effects *o, const struct evr_rf *t, struct evr_rf_change *c);

#endif
