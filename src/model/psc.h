/*
 * RC11's SC axiom: is there a modification order with which psc is acyclic? For its oracle; src/model/rc11.c says what psc is.
 *
 * The events of a graph are added one by one, with their happens-before; each location's coherence is known to be possible (model/coherence.h).
 * The nodes are the seq_cst events. Part of psc does not depend on the modification order, and is found once. The rest does: of
 * two accesses to a location, does one come before the other? That is `comes_before()` in psc.c.
 *
 * Of the accesses that happen before a fence, or after it, only one of each thread and location counts: coherence makes the others
 * come still earlier, or later.
 */
#ifndef EVR_PSC_H
#define EVR_PSC_H

#include "event/graph.h"
#include "model/coherence.h"
#include "model/sync.h"

/* An order of the blocks of a location, which may be partial: for each block, a row of bits with those that come after it. */
struct evr_mo {
	uint32_t blocks, words;
	size_t begin; /* of its rows, in `bits` of struct evr_psc_order */
};

struct evr_psc_order {
	EVR_VEC(struct evr_mo) of; /* each location */
	EVR_VEC(uint64_t) bits;
};

/* An event of the graph. */
struct evr_psc_event {
	struct evr_rf_event x; /* with its source's number */
	struct evr_sync_event sync;
	uint32_t location; /* in `locations`, or EVR_NO_EVENT */
	uint32_t member; /* of it */
};

struct evr_psc {
	const struct evr_sync *sync;
	unsigned threads;
	EVR_VEC(struct evr_psc_event) events;
	evr_rf_ids of_thread[EVR_MAX_THREADS];
	EVR_VEC(struct evr_coherence) locations; /* of which `used` are in use */
	size_t used;
	evr_rf_ids location_of; /* of a location of the trace: where it is in `locations`; EVR_NO_EVENT */
	struct evr_psc_order order; /* the solution: a total one */
	/* The rest is private. */
	evr_rf_ids nodes; /* events */
	evr_rf_ids first, last,
		last_write; /* of a fence, a location and a thread: members that count, or EVR_NO_EVENT */
	struct evr_relation fixed, psc; /* between nodes */
	EVR_VEC(uint8_t) colour;
	evr_rf_ids stack;
};

void evr_psc_release(struct evr_psc *p);
/* Forget the graph. */
void evr_psc_begin(struct evr_psc *p, const struct evr_sync *s);
/* Its next event, in an order that respects program order and reads-from: their numbers are 0, 1, ... */
void evr_psc_add(struct evr_psc *p, const struct evr_rf_event *x, const struct evr_sync_event *sync);
/* Is there such an order? `wanted`: these writes come last if they can. NULL: none. It is then in `order`. */
bool evr_psc_solve(struct evr_psc *p, const evr_rf_ids *wanted);
/* Is psc acyclic with the modification order that the events have? The blocks do not overlap in it. */
bool evr_psc_holds(struct evr_psc *p);
/* The writes to the k-th of the locations, without the initial one, in the order that was found. */
void evr_psc_sorted(const struct evr_psc *p, size_t k, evr_rf_ids *sorted);

/* psc.c, for psc_order.c */

/* Is psc acyclic with this order? */
bool evr_psc_acyclic(struct evr_psc *p, const struct evr_psc_order *o);
/* What does not depend on the order. */
void evr_psc_prepare(struct evr_psc *p);

static inline uint64_t *evr_mo_row(const struct evr_psc_order *o, const struct evr_mo *mo, uint32_t block)
{
	return &o->bits.data[mo->begin + (size_t)block * mo->words];
}

static inline bool evr_mo_has(const struct evr_psc_order *o, const struct evr_mo *mo, uint32_t a, uint32_t b)
{
	return evr_mo_row(o, mo, a)[b / 64] >> (b % 64) & 1;
}

#endif
