/*
 * Locations: the places in memory that events access as a whole, numbered as they come up. Two locations may overlap, if
 * accesses of different sizes meet; those that do, directly or through others, have the same `whole`. Where one of these begins or
 * ends, their memory is divided into cells, the largest pieces that no access divides.
 */
#ifndef EVR_LOCATION_H
#define EVR_LOCATION_H

#include "base/map.h"
#include "base/vec.h"

#define EVR_NO_LOCATION ((uint32_t)-1)

struct evr_location {
	uintptr_t address;
	uint32_t size;
	bool mixed;     /* another location overlaps it */
	uint32_t whole; /* the least of those that hang together with it, itself included */
};

struct evr_locations {
	EVR_VEC(struct evr_location) all;
	uint32_t mixes; /* grows whenever locations are found to overlap */
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

/* Where the cells of those that hang together begin, in order, and last where the last one ends. */
void evr_locations_divide(const struct evr_locations *l, uint32_t whole, evr_location_ends *ends);

/* The number of the location. Not for freed memory, which may be of any size. */
static inline uint32_t evr_locations_get(struct evr_locations *l, uintptr_t address, uint32_t size)
{
	const struct evr_recent_location *r = &l->recent[(address >> 2 ^ address >> 8) % EVR_COUNT(l->recent)];
	return EVR_LIKELY(r->key == evr_location_key(address, size)) ? r->location
								     : evr_locations_add(l, address, size);
}

#endif
