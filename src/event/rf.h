/*
 * A reads-from trace: the events of the threads in program order, and for each read the write that it reads from (paper 003,
 * section 3). How the writes are ordered it does not say.
 *
 * Events are numbered in one linearisation that respects program order and reads-from, the paper's tau. A search keeps a
 * prefix of it and puts other events behind; what is said of an event stays true as long as it stays. The execution that was
 * run, which witnesses the trace, is another linearisation: `order` and `rank`. Where stores are buffered, it also says when each of
 * them takes effect.
 *
 * Where accesses of different sizes overlap, memory is divided into cells (event/location.h), and an event may access several and
 * have as many sources.
 */
#ifndef EVR_RF_H
#define EVR_RF_H

#include "event/clock.h"
#include "event/location.h"
#include "event/trace.h"

enum evr_rf_flag {
	EVR_RF_READS = 1,
	EVR_RF_WRITES = 2,
	EVR_RF_CHANGED = 4, /* it was asked for with another source than it had */
	EVR_RF_MARKED = 8,  /* it was asked for because another event needs it: its source is not to be changed */
	/* Where stores are buffered; the event's nature, whatever becomes of it. */
	EVR_RF_BUFFERED = 16, /* a store that takes effect later */
	EVR_RF_FLUSHES = 32,  /* its thread's stores have taken effect before it */
	EVR_RF_RELEASES = 64, /* they do so before this store does; of a fence, before later stores do */
	/* A read-modify-write that has read, but cannot write yet: it was not executed, and its thread stands still. */
	EVR_RF_UNEXECUTED = 128,
	EVR_RF_NATURE = EVR_RF_BUFFERED | EVR_RF_FLUSHES | EVR_RF_RELEASES,
};

/*
 * In the order of an execution: the store takes effect. The number alone stands for the event itself, which, if it is such a
 * store, came before.
 */
#define EVR_RF_UPDATE ((evr_event_id)1 << 31)

struct evr_rf_event {
	evr_thread_id thread;
	uint8_t kind; /* enum evr_event_kind */
	uint8_t flags; /* enum evr_rf_flag */
	uint32_t index; /* in its thread, among the events that are here */
	uint32_t variant; /* of its step */
	uint32_t location; /* or EVR_NO_LOCATION */
	uint32_t cell, cells; /* the first, and how many */
	evr_event_id source; /* or EVR_NO_EVENT: the initial write, or it does not read */
	/* Of a write, if the search records a modification order: of two writes to a location, the later one has the larger number; the initial one has 0. */
	uint32_t mo;
	uint32_t sources; /* where those of all cells are, if it reads several */
	uint32_t region; /* of a FREE */
	uint32_t after, afters; /* the events in other threads that program order puts before it: create, join */
	uint8_t order; /* enum evr_order that it has as it is: see evr_event_order_if() */
	bool apart; /* between it and the event before it in its thread, threads are created or joined, or it is the first */
	/* The rest is found out when it is appended. */
	evr_event_id older; /* the event before it of its component of locations */
	/* Of an access: the one before it of its thread to the location, an earlier one (evr_rf_access_before()), how many there are. */
	evr_event_id previous, jump;
	uint32_t accesses;
	evr_event_id previous_write; /* and the last write among them */
	evr_event_id next_write; /* of a write: the one behind it of its thread to the location */
	/* Of a write: the newest event but plain reads whose first source it is. Of such an event: the next one of the same source. */
	evr_event_id reader, next_reader;
	/* Of a write to a mutex: the lock that began the time for which the mutex is held, and how often it then is. */
	evr_event_id section;
	uint32_t depth;
};

/* Where stores are buffered, memory may be gone before they take effect: a FREE has no location, but a region. */
struct evr_rf_region {
	uintptr_t address;
	uint32_t size;
};

struct evr_rf_location {
	/* Of the whole component, kept at the location that stands for it. */
	evr_event_id last; /* the newest event */
	uint32_t divided; /* how many events there are that read several cells */
	uint32_t others; /* how many that are neither locks nor unlocks */
	bool handed; /* a lock that one thread takes and another releases */
};

typedef EVR_VEC(evr_event_id) evr_rf_ids;

struct evr_rf {
	const struct evr_trace *trace; /* of the execution */
	bool names_sources; /* the events of the trace name their sources; otherwise the last write is the source */
	bool buffers_stores; /* stores may take effect later */
	bool reorders_stores; /* and those of a thread in another order */
	EVR_VEC(struct evr_rf_event) events;
	evr_rf_ids afters, sources; /* what the events' `after` and `sources` mean */
	evr_rf_ids order; /* the events as they were executed */
	evr_rf_ids position; /* of each of them, in the trace of the execution */
	evr_rf_ids rank; /* of an event: its index in `order` */
	evr_rf_ids effect; /* of a buffered store: the index of its update there */
	unsigned threads; /* those with events are below this */
	evr_rf_ids of_thread[EVR_MAX_THREADS];
	struct evr_locations locations;
	struct evr_division division;
	EVR_VEC(struct evr_rf_location) at; /* each of the locations */
	evr_rf_ids
		cells; /* of each of the division: the write to it that was executed last, as far as the execution is recorded */
	EVR_VEC(struct evr_rf_region) regions;
	evr_rf_ids frees; /* the FREEs */
	const char *failure; /* not NULL: the execution was not what it should have been; why */
	/* A pending event's predecessors in other threads, for events that are yet to come. */
	evr_rf_ids waiting[EVR_MAX_THREADS];
	bool drained[EVR_MAX_THREADS]; /* and whether its thread's stores have to take effect first */
	bool apart
		[EVR_MAX_THREADS]; /* and whether its thread was created, or has created or joined others, just before */
	/* The rest is private. */
	struct evr_clocks clocks; /* of each event: its past by program order and reads-from, itself included */
	/* If `reorders_stores`, of each event: how many of each thread's events have no store that may take effect after it. */
	struct evr_clocks drains;
	evr_rf_ids last_access; /* of each location, by thread: as many as a clock is wide */
	evr_rf_ids found; /* the sources of the event that is being recorded */
	uint64_t executions;
	/* What is recorded is a stack of steps: rf_record.c. */
	size_t recorded; /* how many steps have been recorded */
	evr_event_id next_position; /* where the next one's event is, if nothing came between */
	evr_event_id last[EVR_MAX_THREADS]; /* of each thread, the last event that was recorded */
	EVR_VEC(struct evr_rf_changed_record) changes; /* what the records were before */
	EVR_VEC(struct evr_rf_record_level) levels; /* of each step that was recorded: what was there before it */
	size_t settled; /* so many changes belong to steps; those behind them to what came after the last step */
};

void evr_rf_init(struct evr_rf *t, const struct evr_trace *trace);
void evr_rf_release(struct evr_rf *t);
/* Start anew, knowing which locations there are. */
void evr_rf_clear(struct evr_rf *t);
/* Forget the events from n on. */
void evr_rf_rewind(struct evr_rf *t, evr_event_id n);
/* Make room for an event of this thread: clocks have a place for it from now on. */
void evr_rf_admit_slowly(struct evr_rf *t, evr_thread_id thread);
static inline void evr_rf_admit(struct evr_rf *t, evr_thread_id thread)
{
	if (EVR_UNLIKELY(thread >= t->threads || t->events.len >= t->clocks.rows))
		evr_rf_admit_slowly(t, thread);
}
/* Put an event behind the others; its `after` and `sources` are places in these arrays. */
void evr_rf_append(struct evr_rf *t, const struct evr_rf_event *e, const evr_event_id *afters,
		   const evr_event_id *sources);
/*
 * An execution makes the events of `order`, and then further ones, which are appended. `position` is where the events of its steps
 * are in the execution's trace, those of the further ones included. The steps that it has in common with the last one stay recorded.
 */
void evr_rf_unrecord(struct evr_rf *t, size_t steps); /* all but so many */
void evr_rf_begin(struct evr_rf *t); /* it begins, or has begun */
void evr_rf_record(struct evr_rf *t); /* append the events at `position` */
void evr_rf_finish(struct evr_rf *t); /* and what came after: it is over */
/* Append an event that is pending after the steps recorded so far, and that was not executed, with n sources. */
void evr_rf_record_unexecuted(struct evr_rf *t, const struct evr_event *pending, const evr_event_id *sources,
			      uint32_t n);

static inline const int32_t *evr_rf_past(const struct evr_rf *t, evr_event_id e)
{
	return evr_clocks_at(&t->clocks, e);
}

/* a happens before b, or is b. */
static inline bool evr_rf_before(const struct evr_rf *t, evr_event_id a, evr_event_id b)
{
	const struct evr_rf_event *x = &t->events.data[a];
	return evr_clock_has(evr_rf_past(t, b), x->thread, x->index);
}

/* Is a step in the order of an execution a store that takes effect? */
static inline bool evr_rf_is_update(evr_event_id step)
{
	return step != EVR_NO_EVENT && step & EVR_RF_UPDATE;
}

/* The event that a step in the order of an execution is about. */
static inline evr_event_id evr_rf_event_of(evr_event_id step)
{
	return step & ~EVR_RF_UPDATE;
}

/* The event's execution. */
static inline const struct evr_event *evr_rf_executed(const struct evr_rf *t, evr_event_id e)
{
	return &t->trace->events.data[t->position.data[t->rank.data[e]]];
}

/* The source of the i-th cell that the event reads. */
static inline evr_event_id evr_rf_source(const struct evr_rf_event *x, const evr_event_id *sources, uint32_t i)
{
	return EVR_LIKELY(x->cells < 2) ? x->source : sources[x->sources + i];
}

/* The write to a cell that was executed last. */
static inline evr_event_id evr_rf_now(const struct evr_rf *t, uint32_t cell)
{
	return t->cells.data[cell];
}

static inline bool evr_rf_covers(const struct evr_rf_event *x, uint32_t cell)
{
	return cell - x->cell < x->cells;
}

/* The number of the location that an event, executed or pending, accesses. */
uint32_t evr_rf_location(struct evr_rf *t, const struct evr_event *e);
static inline const struct evr_rf_location *evr_rf_component(const struct evr_rf *t, uint32_t location)
{
	return &t->at.data[t->division.of.data[location].component];
}

/* The newest event of the location's component. */
static inline evr_event_id evr_rf_last(const struct evr_rf *t, uint32_t location)
{
	return evr_rf_component(t, location)->last;
}

/* Of an access and those before it of its thread to its location: the last write. Or EVR_NO_EVENT. */
static inline evr_event_id evr_rf_write_upto(const struct evr_rf *t, evr_event_id access)
{
	if (access == EVR_NO_EVENT || t->events.data[access].flags & EVR_RF_WRITES)
		return access;
	return t->events.data[access].previous_write;
}

/* The thread's last access to the location; the ones before it are its `previous`, and so on. Or EVR_NO_EVENT. */
static inline evr_event_id evr_rf_last_access(const struct evr_rf *t, uint32_t location, unsigned thread)
{
	return t->last_access.data[(size_t)location * t->clocks.width + thread];
}

/* The thread's last access to the location among the thread's first n events, in logarithmic time. Or EVR_NO_EVENT. */
evr_event_id evr_rf_access_before(const struct evr_rf *t, uint32_t location, unsigned thread, uint32_t n);
/* How many of the thread's events have a number below e. */
uint32_t evr_rf_count_below(const struct evr_rf *t, unsigned thread, evr_event_id e);
/* How many of the thread's events does e not happen before? e itself is one of the others. */
uint32_t evr_rf_count_not_after(const struct evr_rf *t, unsigned thread, evr_event_id e);

/* Flags of the event's nature; of one that failed, of what it would have been. */
uint8_t evr_rf_nature(const struct evr_rf *t, const struct evr_event *e);

/* Does the event access memory that the other one, a FREE, is about? */
bool evr_rf_touches(const struct evr_rf *t, const struct evr_rf_event *x, const struct evr_rf_event *free);

/* What happens before the event through program order: into `past`. */
void evr_rf_program_past(const struct evr_rf *t, const struct evr_rf_event *x, const evr_event_id *afters,
			 int32_t *past);
/* If `reorders_stores`: the events of which it is known that their stores have taken effect before it; into `drains`. */
void evr_rf_program_drains(const struct evr_rf *t, const struct evr_rf_event *x, const evr_event_id *afters,
			   int32_t *drains);

/* If `reorders_stores`: has the store a, which happens before b, taken effect before b is made? */
static inline bool evr_rf_drained(const struct evr_rf *t, evr_event_id a, evr_event_id b)
{
	const struct evr_rf_event *x = &t->events.data[a];
	return evr_clock_has(evr_clocks_at(&t->drains, b), x->thread, x->index);
}

#endif
