/*
 * Locations: the places in memory that events access as a whole, numbered as they come up. Two locations overlap if accesses of
 * different sizes meet; those that do, directly or through others, have the same `component`.
 *
 * A division splits the memory of locations into cells, the largest pieces that are accessed as a whole or not at all: a cell begins
 * and ends where a location of its component does. Nearly always a location is one cell. Locations live as long as a search knows more than its executions;
 * a division is made anew when a search starts anew.
 */
#ifndef EVR_LOCATION_H
#define EVR_LOCATION_H

#include "base/map.h"
#include "base/vec.h"
#include "event/event.h"

#define EVR_NO_LOCATION ((uint32_t)-1)

struct evr_location {
	uintptr_t address;
	uint32_t size;
	bool mixed;     /* another location overlaps it */
	uint32_t component; /* of locations that overlap, directly or through others: the least of them stands for it */
};

struct evr_locations {
	EVR_VEC(struct evr_location) all;
	uint32_t overlaps; /* grows whenever locations are found to overlap */
	/* The rest is private. */
	EVR_VEC(struct evr_granule) granules;
	EVR_VEC(uint32_t) wide; /* locations that have no granules */
	struct evr_map known, granule_of;
	struct evr_recent_location {
		uint64_t key;
		uint32_t location;
	} recent[64]; /* some of `known` */
};

static inline bool evr_overlap(uintptr_t a, uint32_t n, uintptr_t b, uint32_t m)
{
	return a < b + m && b < a + n;
}

static inline uint64_t evr_location_key(uintptr_t address, uint32_t size)
{
	return (uint64_t)address << 16 | size;
}

void evr_locations_release(struct evr_locations *l);
typedef EVR_VEC(uintptr_t) evr_location_ends;

/* EVR_NO_LOCATION: nobody has asked for it before. */
uint32_t evr_locations_find(const struct evr_locations *l, uintptr_t address, uint32_t size);
uint32_t evr_locations_add(struct evr_locations *l, uintptr_t address, uint32_t size); /* if it is not there */

/* Where the cells of a component begin, in order, and last where the last one ends. */
void evr_locations_divide(const struct evr_locations *l, uint32_t component, evr_location_ends *ends);

/* What a location is divided into. */
struct evr_cell_range {
	uint32_t cell, cells; /* the first, and how many: they are numbered in the order of their addresses */
	uint32_t component; /* that of the location when its cells were made */
};

/* The cells of a range lie side by side. */
struct evr_location_cell {
	uintptr_t address;
	uint32_t size;
};

/*
 * Invariant: `of` has a range for each location that has been admitted. Cells that no range has any more are left over from before
 * their locations were found to overlap.
 */
struct evr_division {
	EVR_VEC(struct evr_cell_range) of;
	EVR_VEC(struct evr_location_cell) cells;
};

void evr_division_release(struct evr_division *d);
void evr_division_clear(struct evr_division *d);
void evr_division_copy(struct evr_division *to, const struct evr_division *from);
/* Admit the locations that have come up since, with one cell each. Returns whether one of them overlaps another one. */
bool evr_division_admit(struct evr_division *d, const struct evr_locations *l);
/* Divide the locations that overlap, all of which have been admitted: they get new cells. */
void evr_division_divide(struct evr_division *d, const struct evr_locations *l);

/* The number of the location. Not for freed memory, which may be of any size. */
static inline uint32_t evr_locations_get(struct evr_locations *l, uintptr_t address, uint32_t size)
{
	const struct evr_recent_location *r = &l->recent[(address >> 2 ^ address >> 8) % EVR_COUNT(l->recent)];
	return EVR_LIKELY(r->key == evr_location_key(address, size)) ? r->location
								     : evr_locations_add(l, address, size);
}

#define EVR_MUTEX_EXTENT 4u /* of a mutex only the word that tells whether it is held counts */

/* The number of the location that an event accesses, or, if it is pending or has failed, would access. */
static inline uint32_t evr_locations_of(struct evr_locations *l, const struct evr_event *e)
{
	unsigned kind = e->kind == EVR_FAULT ? e->attempted : e->kind;
	return evr_locations_get(l, e->address, evr_kind_is_mutex(kind) ? EVR_MUTEX_EXTENT : e->size);
}

#endif
