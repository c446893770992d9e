/*
 * The trace of one execution: its events in the order in which they took place.
 *
 * Events live in one array that is reused from execution to execution. The first `prefix` events of an execution repeat
 * those of the one before (a replayed prefix); each is compared with its predecessor in the same slot, and a difference
 * means that the program is not deterministic: `diverged` then holds its position.
 */
#ifndef EVR_TRACE_H
#define EVR_TRACE_H

#include "base/pieces.h"
#include "event/event.h"

struct evr_trace {
	EVR_VEC(struct evr_event) events;
	size_t prefix;
	evr_event_id diverged;              /* EVR_NO_EVENT: no difference so far */
	struct evr_event before;            /* what stood at `diverged` in the execution before */
	uint32_t counts[EVR_MAX_THREADS];   /* events of each thread */
	unsigned most_threads;              /* threads from this one on never had any; 0: nobody knows */
	uintptr_t hidden, hidden_end; /* what lies there is none of the program's: its values are no outcome */
	bool c11_release_sequences; /* as in C11: later atomic stores of the head's thread belong to them */
	bool erases; /* some are left out: */
	uint32_t erased
		[EVR_MAX_THREADS];   /* from this one on they belong to an iteration of a loop that changed nothing */
};

void evr_trace_release(struct evr_trace *t);
/* Begin an execution whose first `prefix` events are a replay. */
void evr_trace_begin(struct evr_trace *t, size_t prefix);
/* What events there are, but not what they are: they stay where they are. Of so many threads. */
void evr_trace_pieces(struct evr_trace *t, unsigned threads, struct evr_pieces *p);
/* Record an executed event; returns its position. */
evr_event_id evr_trace_append(struct evr_trace *t, const struct evr_event *e);

/* The same for an event that touches no memory; `other` is that of CREATE and JOIN, 0 for all else. */
void evr_trace_record(struct evr_trace *t, evr_thread_id thread, unsigned kind, const struct evr_site *site,
		      evr_value other);

/* The thread's events from that one on are left out. */
void evr_trace_erase(struct evr_trace *t, evr_thread_id thread, uint32_t from);

/* Die if an event of the trace has accessed some of e's memory, but not the same bytes; `who` cannot deal with that. */
void evr_trace_refuse_mixed_sizes(const struct evr_trace *t, const struct evr_event *e, const char *who);

/* past[i] = event i is in the causal past of event `last` (itself included): program order, conflicts, create, join. */
void evr_trace_past(const struct evr_trace *t, evr_event_id last, bool *past);

#endif
