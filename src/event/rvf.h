/*
 * What the reads-value-from search knows at a point (paper 001): a proper set of events X, and for each read in it the writes
 * that it may read from, its good writes.
 *
 * Events are numbered as they join X, which respects program order. X grows while the search goes down and is rewound when it comes
 * back, so that all is kept in stacks. Of a mutex, values are its states.
 *
 * Where accesses of different sizes overlap, memory is divided into cells (event/location.h), and an event may access several. What
 * it reads of each is a part, which has good writes of its own. Nearly always a read has one part.
 */
#ifndef EVR_RVF_H
#define EVR_RVF_H

#include "event/clock.h"
#include "event/location.h"
#include "event/trace.h"

enum evr_rvf_flag {
	EVR_RVF_READS = 1,
	EVR_RVF_WRITES = 2,
	EVR_RVF_FIRST = 4, /* it comes after events in other threads that the one before it did not come after */
	EVR_RVF_NEW = 8, /* one of its parts, at least, must be read from a good write that is `new` */
};

/* Beside its state, a lock has what whoever released it last left behind, and if it is held, whether somebody owns it. */
enum evr_rvf_mutex { EVR_RVF_FREE, EVR_RVF_HELD, EVR_RVF_DESTROYED, EVR_RVF_STATE };

static inline bool evr_rvf_is_free(evr_value state)
{
	return (state & EVR_RVF_STATE) == EVR_RVF_FREE;
}

static inline evr_value evr_rvf_held(unsigned lock)
{
	return EVR_RVF_HELD | (evr_value)evr_lock_kinds[lock].handed << 2;
}

static inline evr_value evr_rvf_free(const struct evr_event *e)
{
	return e->lock == EVR_LOCK_MUTEX ? EVR_RVF_FREE : EVR_RVF_FREE | e->state << 2;
}

/* `older`, `part` and `wanted` are set when it joins. */
struct evr_rvf_event {
	evr_thread_id thread;
	uint8_t kind; /* enum evr_event_kind */
	uint8_t flags; /* enum evr_rvf_flag */
	uint32_t index; /* in its thread */
	uint32_t past; /* what of other threads comes before it */
	uint32_t location; /* the `component` of it, or EVR_NO_LOCATION */
	uint32_t cell, cells; /* the first, and how many; without a location, none */
	uint32_t size;
	evr_event_id older; /* the one before it of its location */
	uintptr_t address; /* what it accesses */
	uint32_t part; /* of a read: the first of as many parts as there are cells */
	uint32_t wanted; /* of a write: the newest of `goods` that name it, or EVR_NO_EVENT */
	evr_value read, written; /* of a choice, what was chosen: `read` */
};

struct evr_rvf_part {
	evr_event_id read;
	uint32_t cell;
	uint32_t good, goods; /* its good writes */
};

struct evr_rvf_good {
	evr_event_id write; /* EVR_NO_EVENT: the initial one */
	uint32_t part;
	uint32_t next; /* that names the same write */
	bool new;
};

struct evr_rvf_cell {
	bool unset; /* nobody had initialised it: that is not the same as having its value */
	bool mutex; /* of a component: it tells whether a mutex is held */
	bool bytes; /* and: it is accessed in other ways than to clear it */
	evr_value initial; /* known if there are events */
};

typedef EVR_VEC(evr_event_id) evr_rvf_ids;

struct evr_rvf {
	EVR_VEC(struct evr_rvf_event) events;
	EVR_VEC(struct evr_rvf_part) parts;
	EVR_VEC(struct evr_rvf_good) goods;
	/* What program order puts before an event in other threads, by creates and joins; the first is that of the main thread. */
	struct evr_clocks pasts;
	uint32_t past_count;
	unsigned threads; /* those with events are below this */
	evr_rvf_ids of_thread[EVR_MAX_THREADS];
	struct evr_locations locations;
	/* One that is found to overlap others has a cell of its own until X is cleared. */
	struct evr_division division;
	evr_rvf_ids newest; /* event of a component, kept at the location that stands for it */
	EVR_VEC(struct evr_rvf_cell) cells; /* each of the division */
	uint32_t
		overlaps; /* of `locations`, when these were divided into cells; if there are more, it is time to start anew */
};

void evr_rvf_init(struct evr_rvf *x);
void evr_rvf_release(struct evr_rvf *x);
/* Start anew, knowing which locations there are. */
void evr_rvf_clear(struct evr_rvf *x);
/* The location that the event, executed or pending, accesses. */
uint32_t evr_rvf_location(struct evr_rvf *x, const struct evr_event *e);
/* Put an event behind the others; if it reads, its good writes are added then, part after part. */
void evr_rvf_append(struct evr_rvf *x, const struct evr_rvf_event *e);
void evr_rvf_add_good(struct evr_rvf *x, uint32_t part, evr_event_id write, bool new);
/* Forget the events from n on. */
void evr_rvf_rewind(struct evr_rvf *x, evr_event_id n);
/* Is the write, or the initial one, good for this part of a read? If so, as what; otherwise NULL. */
static inline const struct evr_rvf_good *evr_rvf_good(const struct evr_rvf *x, uint32_t part, evr_event_id write)
{
	const struct evr_rvf_part *p = &x->parts.data[part];
	const struct evr_rvf_good *g = &x->goods.data[p->good];
	for (const struct evr_rvf_good *end = g + p->goods; g != end; g++)
		if (g->write == write)
			return g;
	return NULL;
}

static inline bool evr_rvf_covers(const struct evr_rvf_event *y, uint32_t cell)
{
	return cell - y->cell < y->cells;
}

/* Has none of the events accessed the cell, which is of this location? */
static inline bool evr_rvf_untouched(const struct evr_rvf *x, uint32_t location, uint32_t cell)
{
	evr_event_id i = x->newest.data[location];
	while (i != EVR_NO_EVENT && EVR_UNLIKELY(!evr_rvf_covers(&x->events.data[i], cell)))
		i = x->events.data[i].older;
	return i == EVR_NO_EVENT;
}

/* What an access has of a cell, if all of it is `value`. */
static inline evr_value evr_rvf_piece(const struct evr_location_cell *c, uintptr_t address, uint32_t cells,
				      evr_value value)
{
	if (EVR_LIKELY(cells < 2))
		return value;
	return value >> 8 * (c->address - address) & (((evr_value)1 << 8 * c->size) - 1);
}

static inline evr_value evr_rvf_written(const struct evr_rvf *x, const struct evr_rvf_event *y, uint32_t cell)
{
	return evr_rvf_piece(&x->division.cells.data[cell], y->address, y->cells, y->written);
}

/* Does program order put a before b? */
static inline bool evr_rvf_po(const struct evr_rvf *x, const struct evr_rvf_event *a, const struct evr_rvf_event *b)
{
	return a->thread == b->thread ? a->index < b->index
				      : evr_clock_has(evr_clocks_at(&x->pasts, b->past), a->thread, a->index);
}

/*
 * The same events, each read with all writes that have the value it reads: whatever order of them these allow, the threads do in
 * it what they do in this one.
 */
void evr_rvf_relax(struct evr_rvf *to, const struct evr_rvf *x);

#endif
