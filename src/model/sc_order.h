/* Sequential consistency with a given modification order: one graph after the other, of a question that is put to SC's oracle. */
#ifndef EVR_SC_ORDER_H
#define EVR_SC_ORDER_H

#include "model/oracle.h"

/* In a list: where it comes from, and the next one. */
struct evr_sc_edge {
	evr_event_id from;
	uint32_t next;
};

struct evr_sc_order {
	/* All is private. */
	EVR_VEC(uint32_t) first; /* of each event: its first edge, or EVR_NO_EVENT */
	EVR_VEC(struct evr_sc_edge) edges;
	evr_rf_ids writes;
	EVR_VEC(uint32_t) readers; /* of each write, and then of each location's initial one: the first in `reads` */
	EVR_VEC(struct evr_sc_edge) reads;
	evr_rf_ids stack;
	EVR_VEC(uint8_t) colour;
};

void evr_sc_order_release(struct evr_sc_order *o);
/* Can the change's graph happen, with the modification order that its events have? The answer is in its order, or in `early`. */
bool evr_sc_order_find(struct evr_sc_order *o, const struct evr_rf *t, struct evr_rf_change *c);

#endif
