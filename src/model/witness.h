/*
 * A witness of saturated events: an order of all of them in which every read finds its source. Phases P-II and P-III of paper 003.
 *
 * Both take events one by one, where nothing that must come first is missing, and nobody misses what is overwritten. The first
 * follows a guide, the order of the last execution; the other one searches.
 */
#ifndef EVR_WITNESS_H
#define EVR_WITNESS_H

#include "base/map.h"
#include "model/oracle.h"
#include "model/saturation.h"

struct evr_witness {
	const struct evr_saturation *s;
	/* The rest is private: all events, as they are to be tried, and a run of them, as far as it has come. */
	evr_rf_ids guide;
	uint64_t run;
	int32_t *done; /* how many events of each thread have been taken: the clock of the run */
	int32_t *seen; /* how many have come up in the guide */
	struct evr_clocks room; /* where these two are */
	EVR_VEC(struct evr_witness_cell) cells; /* in the run */
	EVR_VEC(uint32_t) left; /* of each part of a write: who has yet to read it */
	evr_rf_ids rank; /* of an event: its index in the guide */
	/* The decision procedure's. */
	struct evr_map visited; /* hash of the threads' positions -> their row in `positions` */
	struct evr_clocks positions; /* as many as have been visited */
	EVR_VEC(struct evr_choice) path;
	evr_rf_ids before; /* what the writes on the path have overwritten */
};

void evr_witness_init(struct evr_witness *w, const struct evr_saturation *s);
void evr_witness_release(struct evr_witness *w);
/*
 * Of what is saturated, which is that change of the trace. First in the order of the last execution, letting those wait whose turn
 * has not come; if that gets stuck, by a search among the positions that the threads can reach. False: there is none.
 */
bool evr_witness_find(struct evr_witness *w, struct evr_oracle *base, const struct evr_rf_change *c, evr_rf_ids *order);

/* The same, without the search. False: it got stuck, which says nothing. */
bool evr_witness_follow(struct evr_witness *w, const struct evr_rf_change *c, evr_rf_ids *order);

#endif
