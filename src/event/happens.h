/*
 * Happens-before, by the orders that the program declares, whatever a memory model makes of them: program order, create and join,
 * unlock to lock, and release to acquire.
 *
 * A release sequence is its head and the read-modify-writes that follow, as in C++20 and C23. With the release sequences of C11 it also has
 * all later atomic stores of the head's thread to the location, and the read-modify-writes that follow those. That is RC11's reading:
 * the standard's breaks the sequence where another thread's store comes in between in coherence.
 *
 * The events of a trace are taken in one by one, in its order, while the execution goes on or when it is over. Their reads are linked to
 * their sources.
 */
#ifndef EVR_HAPPENS_H
#define EVR_HAPPENS_H

#include "event/clock.h"
#include "event/graph.h"

struct evr_happens {
	const struct evr_trace *trace;
	evr_event_id done; /* so many of its events are taken in */
	/* The rest is private. */
	const struct evr_graph *graph;
	size_t reads; /* of the graph: those of the next event */
	unsigned threads;
	struct evr_clocks of_thread; /* three for each: see happens.c */
	struct evr_clocks released;
	uint32_t rows; /* of `released`, in use */
	EVR_VEC(uint32_t) row_of; /* of an event: the row of what whoever acquires from it gets, plus 1; or 0 */
	EVR_VEC(uint32_t) head_of; /* the same for what it releases itself, with the release sequences of C11 */
};

void evr_happens_release(struct evr_happens *h);
/* Begin with the first event of a trace. Its graph tells where the bytes of a read come from different writes; NULL: they never do. */
void evr_happens_begin(struct evr_happens *h, const struct evr_trace *t, const struct evr_graph *g);
/* Take in the next event. */
void evr_happens_next(struct evr_happens *h);
/* The clock of the thread's present: what happens before its next event, as far as is known. Valid until the next event is taken in. */
int32_t *evr_happens_present(struct evr_happens *h, evr_thread_id thread);
/* The order by which an executed event synchronises: the one that it declares, or, in an atomic section, seq_cst. */
unsigned evr_happens_order(const struct evr_event *e);
/* Is the lock none of the program's, so that it orders nothing? */
bool evr_happens_ignores_lock(const struct evr_event *e);

#endif
