/*
 * What the reads-value-from search knows at a point (paper 001): a proper set of events X, and for each read in it the writes
 * that it may read from, its good writes.
 *
 * Events are numbered as they join X, which respects program order. X grows while the search goes down and is cut when it comes
 * back, so that all is kept in stacks. Of a mutex, values are its states.
 */
#ifndef EVR_RVF_H
#define EVR_RVF_H

#include "event/location.h"
#include "event/trace.h"

enum evr_rvf_flag {
	EVR_RVF_READS = 1,
	EVR_RVF_WRITES = 2,
	EVR_RVF_FIRST = 4, /* it comes after events in other threads that the one before it did not come after */
};

/* A lock that is free has, beside that, what whoever released it last left behind. */
enum evr_rvf_mutex { EVR_RVF_FREE, EVR_RVF_HELD, EVR_RVF_DESTROYED, EVR_RVF_STATE };

static inline bool evr_rvf_is_free(evr_value state)
{
	return (state & EVR_RVF_STATE) == EVR_RVF_FREE;
}

static inline evr_value evr_rvf_free(const struct evr_event *e)
{
	return e->op == EVR_LOCK_MUTEX ? EVR_RVF_FREE : EVR_RVF_FREE | e->written << 2;
}


/* How many events of each thread program order puts before others: creates and joins. */
struct evr_rvf_past {
	uint32_t count[EVR_MAX_THREADS];
};

struct evr_rvf_event {
	evr_thread_id thread;
	uint8_t kind;      /* enum evr_event_kind */
	uint8_t flags;     /* enum evr_rvf_flag */
	uint32_t index;    /* in its thread */
	uint32_t past;     /* what of other threads comes before it */
	uint32_t location; /* or EVR_NO_LOCATION */
	uintptr_t address; /* what a FREE frees */
	uint32_t size;
	evr_value read, written; /* of a choice, what was chosen: `read` */
	/* The rest is set when it joins. */
	evr_event_id older; /* the one before it of its location */
	uint32_t good, goods; /* of a read: its good writes */
	uint32_t wanted; /* of a write: the newest of `goods` that name it, or EVR_NO_EVENT */
};

struct evr_rvf_good {
	evr_event_id write; /* EVR_NO_EVENT: the initial one */
	evr_event_id read;
	uint32_t next; /* that names the same write */
};

struct evr_rvf_location {
	evr_event_id last; /* its newest event */
	evr_value initial; /* known if there are events */
	bool unset;        /* nobody had initialised it: that is not the same as having its value */
};

typedef EVR_VEC(evr_event_id) evr_rvf_ids;

struct evr_rvf {
	EVR_VEC(struct evr_rvf_event) events;
	EVR_VEC(struct evr_rvf_good) goods;
	EVR_VEC(struct evr_rvf_past) pasts; /* the first is that of the main thread */
	unsigned threads; /* those with events are below this */
	evr_rvf_ids of_thread[EVR_MAX_THREADS];
	struct evr_locations locations;
	EVR_VEC(struct evr_rvf_location) at; /* each of them */
	evr_rvf_ids frees;
};

void evr_rvf_init(struct evr_rvf *x);
void evr_rvf_release(struct evr_rvf *x);
/* Start anew. */
void evr_rvf_clear(struct evr_rvf *x);
/* The location that the event, executed or pending, accesses. */
uint32_t evr_rvf_location(struct evr_rvf *x, const struct evr_event *e);
/* Put an event behind the others; if it reads, its good writes are added then. */
void evr_rvf_append(struct evr_rvf *x, const struct evr_rvf_event *e);
void evr_rvf_add_good(struct evr_rvf *x, evr_event_id write);
/* Forget the events from n on. */
void evr_rvf_cut(struct evr_rvf *x, evr_event_id n);
/* Is the write, or the initial one, good for the read? */
bool evr_rvf_is_good(const struct evr_rvf *x, evr_event_id read, evr_event_id write);

/* Does program order put a before b? */
static inline bool evr_rvf_po(const struct evr_rvf *x, const struct evr_rvf_event *a, const struct evr_rvf_event *b)
{
	return a->thread == b->thread ? a->index < b->index : x->pasts.data[b->past].count[a->thread] > a->index;
}

/*
 * The same events, each read with all writes that have the value it reads: whatever order of them these allow, the threads do in
 * it what they do in this one.
 */
void evr_rvf_relax(struct evr_rvf *to, const struct evr_rvf *x);
/* Does the event access memory that the other one frees? */
bool evr_rvf_touches(const struct evr_rvf *x, const struct evr_rvf_event *e, const struct evr_rvf_event *free);

#endif
