/*
 * Phase P-I of paper 003: the orders that every execution of a reads-from trace must respect.
 *
 * Events come one by one, and go in the opposite order. The relation shb holds program order and reads-from, and is closed
 * under
 *   R1  a write that is before a read, and not its source, is before the source;
 *   R2  a write that is after the source of a read, and not that read, is after the read.
 * Where stores are buffered, a buffer is a thread of its own, whose events are the stores as they take effect. A read of such
 * a store by the thread that made it may then come before it.
 *
 * Each event has a clock, which tells what is before it. When one grows, the rules are applied to its event, and all that is
 * known to come after it grows in turn. Every change of a clock that was there before is logged, so that an event can be
 * taken back; thus a prefix that many questions have in common is saturated once.
 */
#ifndef EVR_SATURATION_H
#define EVR_SATURATION_H

#include "event/rf.h"

struct evr_saturation {
	const struct evr_rf *trace; /* what is saturated; the witness asks for its events */
	EVR_VEC(struct evr_rf_event) events;
	struct evr_clocks clocks; /* of each event: what is before it in shb, itself included */
	evr_rf_ids *of_thread; /* as many as a clock is wide */
	EVR_VEC(evr_thread_id)
	owner; /* of each thread that is a buffer, or is not: whose it is. Empty: there are no buffers */
	EVR_VEC(uint32_t) part; /* of each event: the first of its parts; there is one for each of its cells */
	EVR_VEC(struct evr_part) parts;
	EVR_VEC(struct evr_saturated_cell) at;
	/* The rest is private. */
	EVR_VEC(struct evr_edge) edges; /* between threads, besides reads-from */
	EVR_VEC(struct evr_level) levels; /* of each event: how much of the logs was there before it */
	EVR_VEC(uint64_t) logged; /* of each clock: the event since which it has been logged */
	struct evr_clocks old_clocks; /* clocks as they were before they grew; as many as there are owners */
	evr_rf_ids old_owners;
	evr_rf_ids queue;
	uint64_t pushes;
};

/* Those who read from one write to one cell: a list of parts. */
struct evr_readers {
	uint32_t first, count;
};

/* What an event has to do with one cell. */
struct evr_part {
	evr_event_id event;
	evr_event_id source; /* if it reads */
	uint32_t next;       /* the next reader of the same source */
	struct evr_readers readers; /* if it writes */
};

struct evr_saturated_cell {
	struct evr_readers initial; /* readers of the initial write */
	EVR_VEC(struct evr_thread_writes) writes; /* of those threads that have any */
};

struct evr_thread_writes {
	evr_thread_id thread;
	evr_rf_ids ids;
};

void evr_saturation_init(struct evr_saturation *s, const struct evr_rf *trace);
void evr_saturation_release(struct evr_saturation *s);
/* Make clocks at least this wide; it may take back all events. */
void evr_saturation_widen(struct evr_saturation *s, uint32_t width);
/* Add an event, whose numbers are those of the events here. False: there is no execution; then it must be taken back. */
bool evr_saturation_push(struct evr_saturation *s, const struct evr_rf_event *e, const evr_event_id *afters,
			 const evr_event_id *sources);
/* One event must be before another one, besides. False: it cannot. It is forgotten when the last event is taken back. */
bool evr_saturation_order(struct evr_saturation *s, evr_event_id before, evr_event_id after);
/* Take the events from n on back. */
void evr_saturation_rewind(struct evr_saturation *s, evr_event_id n);

/* The first event is before the other one, or is it. */
static inline bool evr_saturation_before(const struct evr_saturation *s, evr_event_id a, evr_event_id b)
{
	const struct evr_rf_event *x = &s->events.data[a];
	return evr_clock_has(evr_clocks_at(&s->clocks, b), x->thread, x->index);
}

/* Is the store buffered, and the other one an event of the same thread, which need not wait until it takes effect? */
static inline bool evr_saturation_forwards(const struct evr_saturation *s, evr_event_id store, evr_event_id read)
{
	if (EVR_LIKELY(!s->owner.len))
		return false;
	const struct evr_rf_event *x = &s->events.data[store], *y = &s->events.data[read];
	return x->flags & EVR_RF_BUFFERED && s->owner.data[x->thread] == s->owner.data[y->thread];
}

/* The part of the event that has to do with the cell. */
static inline struct evr_part *evr_saturation_part(const struct evr_saturation *s, evr_event_id e, uint32_t cell)
{
	return &s->parts.data[s->part.data[e] + cell - s->events.data[e].cell];
}

static inline const int32_t *evr_saturation_past(const struct evr_saturation *s, evr_event_id e)
{
	return evr_clocks_at(&s->clocks, e);
}

#endif
