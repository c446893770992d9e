/*
 * Happens-before as the declared orders make it, of the events of a reads-from trace: for RC11's oracle.
 *
 * Each event has a clock, a row of the table: what happens before it, itself included. It depends on what comes before the event in program
 * order and reads-from, and so stays as long as the event does. Create, join, and the start and end of a thread are no events of such a trace,
 * but are between them: a clock counts places, of which event i of a thread has 2i + 1, and what stands between it and the event before
 * has 2i. Whoever knows a place has a larger number for the thread.
 *
 * Invariant: events are pushed in an order that respects program order and reads-from, and rows are used in the order of the events.
 */
#ifndef EVR_SYNC_H
#define EVR_SYNC_H

#include "event/rf.h"

/* Rows of the table. Row 0 is the empty clock, and stands for nothing at all. */
struct evr_sync_event {
	uint32_t clock;
	uint32_t before; /* what comes before it by program order alone, and what that knows */
	uint32_t released; /* of a write: what whoever acquires from it learns */
	uint32_t own; /* of a write: the part of it that its own thread has released */
	uint32_t seen; /* what its thread's relaxed reads have come across: an acquire fence would learn it */
	uint32_t fenced; /* what its thread knew at the last release fence */
	uint32_t rows; /* in use, with this event */
	uint32_t sequential; /* so many are seq_cst, with this event */
};

struct evr_sync {
	const struct evr_rf *trace;
	bool c11_release_sequences;
	struct evr_clocks table;
	uint32_t rows; /* in use */
	EVR_VEC(struct evr_sync_event) events; /* those of the trace, and then perhaps some that are tried */
	evr_rf_ids sc_fences; /* of the trace: events, in its order */
};

void evr_sync_init(struct evr_sync *s, const struct evr_rf *trace);
void evr_sync_release(struct evr_sync *s);
/* Forget all but the first n events. */
void evr_sync_rewind(struct evr_sync *s, evr_event_id n);
/* Take in the trace's events. */
void evr_sync_follow(struct evr_sync *s);
/*
 * One more event. What comes before it in its thread is in the trace; its source, or EVR_NO_EVENT, and those that program order puts before it in
 * other threads, which are events of the trace (x's `after` and `afters` say which of the array), are given as positions in `events`.
 */
void evr_sync_push(struct evr_sync *s, const struct evr_rf_event *x, evr_event_id source, const evr_event_id *afters);

/* How many seq_cst events are there? */
static inline uint32_t evr_sync_sequential(const struct evr_sync *s)
{
	return s->events.len ? evr_vec_last(&s->events).sequential : 0;
}

static inline int32_t evr_sync_place(const struct evr_rf_event *x)
{
	return (int32_t)(2 * x->index + 1);
}

static inline const int32_t *evr_sync_row(const struct evr_sync *s, uint32_t row)
{
	return evr_clocks_at(&s->table, row);
}

#endif
