/*
 * Vector clocks.
 *
 * A clock has one component for each thread, or, in explore/hb.h, for each chain of ordered events: how many events of the
 * thread, counted from its first, happen before the owner of the clock. The event with index i in thread t (the first has
 * index 0) therefore happens before that owner if and only if clock[t] > i. The join of two clocks is their pointwise
 * maximum: what happens before one owner or the other.
 *
 * The clocks of a trace are the rows of one table, so that an event allocates nothing. Invariants: the width of a table is a
 * multiple of EVR_CLOCK_LANES, its rows are aligned to 16 bytes, and components that belong to no thread are 0. Whoever
 * keeps a clock outside of a table aligns and pads it in the same way: all operations work on whole lanes.
 *
 * The runtime's clocks (struct evr_thread in runtime/threads/thread.h) are the one exception: their components have 16 bits,
 * because a thread and an epoch must fit into the stamp of a shadow cell.
 */
#ifndef EVR_CLOCK_H
#define EVR_CLOCK_H

#include "base/base.h"

#include <string.h>

#define EVR_CLOCK_LANES 4u

typedef int32_t evr_clock_lanes __attribute__((vector_size(16), may_alias));

/* A table of clocks. Who uses it knows which rows are in use, and sets a row before it reads it. */
struct evr_clocks {
	int32_t *data;  /* clock i begins at i * width */
	uint32_t width; /* components of a clock; a multiple of EVR_CLOCK_LANES */
	size_t rows;    /* how many clocks fit */
};

void evr_clocks_release(struct evr_clocks *c);
/*
 * Give the table this width, which must not be less than before, and room for so many clocks. The first `kept` of them, as
 * far as they exist, stay what they are; all else is 0.
 */
void evr_clocks_resize(struct evr_clocks *c, uint32_t width, size_t rows, size_t kept);

/* The clocks move, and with them whatever evr_clocks_at() has returned. */
static inline void evr_clocks_reserve(struct evr_clocks *c, size_t rows, size_t kept)
{
	if (EVR_UNLIKELY(rows > c->rows))
		evr_clocks_resize(c, c->width, 2 * rows, kept);
}

static inline int32_t *evr_clocks_at(const struct evr_clocks *c, size_t row)
{
	return &c->data[row * c->width];
}

/* The least width that has a component for each of the threads. */
static inline uint32_t evr_clock_width(unsigned threads)
{
	return (threads + EVR_CLOCK_LANES - 1) / EVR_CLOCK_LANES * EVR_CLOCK_LANES;
}

static inline void evr_clock_clear(int32_t *clock, uint32_t width)
{
	memset(clock, 0, width * sizeof(*clock));
}

static inline void evr_clock_copy(int32_t *to, const int32_t *from, uint32_t width)
{
	evr_clock_lanes *a = (evr_clock_lanes *)to;
	const evr_clock_lanes *b = (const evr_clock_lanes *)from;
	for (uint32_t i = 0; i < width / EVR_CLOCK_LANES; i++)
		a[i] = b[i];
}

static inline void evr_clock_join(int32_t *to, const int32_t *from, uint32_t width)
{
	evr_clock_lanes *a = (evr_clock_lanes *)to;
	const evr_clock_lanes *b = (const evr_clock_lanes *)from;
	for (uint32_t i = 0; i < width / EVR_CLOCK_LANES; i++) {
		evr_clock_lanes larger = a[i] > b[i];
		a[i] = (a[i] & larger) | (b[i] & ~larger);
	}
}

/* Does the event of this index in the thread happen before the owner of the clock, or is it the owner itself? */
static inline bool evr_clock_has(const int32_t *clock, unsigned thread, uint32_t index)
{
	return clock[thread] > (int32_t)index;
}

/* The event of this index is in the past of the clock's owner from now on, and no later event of the thread is. */
static inline void evr_clock_set(int32_t *clock, unsigned thread, uint32_t index)
{
	clock[thread] = (int32_t)index + 1;
}

/* The same, unless a later event of the thread is in the past already. */
static inline void evr_clock_add(int32_t *clock, unsigned thread, uint32_t index)
{
	if (clock[thread] <= (int32_t)index)
		clock[thread] = (int32_t)index + 1;
}

/* Is everything in the past of `other` in that of `clock`? */
static inline bool evr_clock_includes(const int32_t *clock, const int32_t *other, uint32_t width)
{
	const evr_clock_lanes *a = (const evr_clock_lanes *)clock, *b = (const evr_clock_lanes *)other;
	evr_clock_lanes missing = { 0 };
	for (uint32_t i = 0; i < width / EVR_CLOCK_LANES; i++)
		missing |= a[i] - b[i]; /* counts are not negative: the sign of a difference is the comparison */
	return (missing[0] | missing[1] | missing[2] | missing[3]) >= 0;
}

/* How many events are in the past of `other`, but not in that of `clock`? */
static inline uint32_t evr_clock_missing(const int32_t *clock, const int32_t *other, uint32_t width)
{
	const evr_clock_lanes *a = (const evr_clock_lanes *)clock, *b = (const evr_clock_lanes *)other;
	evr_clock_lanes missing = { 0 };
	for (uint32_t i = 0; i < width / EVR_CLOCK_LANES; i++)
		missing += (b[i] > a[i]) & (b[i] - a[i]);
	return (uint32_t)(missing[0] + missing[1] + missing[2] + missing[3]);
}

#endif
