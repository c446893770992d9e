/*
 * The happens-before relation of a chronological trace (paper 004, section 3), event by event as it is executed, and the
 * races in it. Under SC, where no store is buffered, it is the usual one: program order and conflicts.
 *
 * An event is ordered after
 *   - the event before it in its thread; a thread's first event after its creation, a join after the thread's end;
 *   - if it changes memory (a store to memory, an update, a read-modify-write): the last change of these bytes, and every
 *     read of what it overwrites, those that a buffer forwarded included;
 *   - if it reads memory: the last change, unless that was an update of its own thread;
 *   - if it is an update: its store, and the updates that must come first (evr_event.barrier);
 *   - if it waits for its thread's buffer: all updates of the thread.
 *
 * Besides, where memory is gone (FREE) and a store takes effect in it: one of the two comes first.
 *
 * Vector clocks have a component for each chain: a thread is one, and so is each set of updates of a thread that are in order
 * (under TSO all of them). Races are looked for among the last accesses to a location; only where accesses of different
 * size overlap, and where memory is gone, is the trace walked.
 */
#ifndef EVR_HB_H
#define EVR_HB_H

#include "event/clock.h"
#include "event/location.h"
#include "explore/forward.h"

struct evr_hb_event {
	struct evr_access access;
	uint32_t chain; /* or -1: it orders nothing, and has none of the rest */
	uint32_t position; /* in its chain, from 0 */
	evr_event_id before; /* in its chain */
	uint32_t location;
	/* What the location's fields were before. */
	evr_event_id older_access, older_write, older_acquire;
	evr_event_id forwarded; /* of a buffered store: the last load that it was forwarded to */
	evr_event_id store; /* of an update; of a forwarded load, whose `older_access` is the load before it */
	bool acquires; /* it took a mutex: `older_acquire` means something */
	bool simple; /* an access with no store buffered anywhere */
};

/* `second` could have happened before `first`; if they are the same, something else could have been chosen. */
struct evr_race {
	evr_event_id first, second;
};

struct evr_hb {
	const struct evr_trace *trace;
	EVR_VEC(struct evr_hb_event) events;
	EVR_VEC(struct evr_race) races; /* by their second event */
	/* The rest is private. */
	struct evr_clocks clocks; /* of each event that has a chain: its past, itself included */
	struct evr_clocks now; /* one clock: how long each chain is */
	evr_event_ids last; /* of each chain */
	EVR_VEC(uint32_t) next; /* of a chain of updates: another of the same thread */
	uint32_t thread_chain[EVR_MAX_THREADS], update_chain[EVR_MAX_THREADS];
	evr_event_id created[EVR_MAX_THREADS];
	struct evr_locations locations;
	EVR_VEC(struct evr_hb_location) at; /* each of them */
	struct evr_forwards forwards;
	bool buffers; /* some store was buffered, in any execution */
	uint32_t frees; /* how many FREEs there are that updates may come after */
	uint32_t faults; /* and FAULTs, which have no location of their own */
};

void evr_hb_init(struct evr_hb *o, const struct evr_trace *t);
void evr_hb_release(struct evr_hb *o);
/* Take in the next event of the trace. */
void evr_hb_add(struct evr_hb *o);
/* Forget the events from n on. */
void evr_hb_rewind(struct evr_hb *o, evr_event_id n);

/* a -> b or a == b. */
static inline bool evr_hb_before(const struct evr_hb *o, evr_event_id a, evr_event_id b)
{
	const struct evr_hb_event *x = &o->events.data[a];
	return evr_clock_has(evr_clocks_at(&o->clocks, b), x->chain, x->position);
}

/* The length of each chain: the clock of whatever comes after all events. */
static inline const int32_t *evr_hb_lengths(const struct evr_hb *o)
{
	return evr_clocks_at(&o->now, 0);
}

/* Is all of b's past over when the chains have these lengths, except for a, which is the next event of its chain? */
bool evr_hb_only(const struct evr_hb *o, const int32_t *lengths, evr_event_id a, evr_event_id b);
/* Would e be before the thread's next event, were that one to change nothing and wait for the thread's buffer? */
bool evr_hb_known_to(const struct evr_hb *o, evr_event_id e, evr_thread_id t);
/* The lock that holds this mutex, or held it last. */
evr_event_id evr_hb_holder(const struct evr_hb *o, uintptr_t mutex, uint32_t size);

#endif
