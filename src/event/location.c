/*
 * Invariant: any two locations that overlap have been compared when the second of them came up. Narrow ones find each other by the
 * granules that they have bytes in; with a wide one all are compared.
 */
#include "event/location.h"

#include <stdlib.h>

#define NONE EVR_NO_LOCATION
#define GRANULE 16
#define WIDE (4 * GRANULE)

/* Which locations have a byte in some 16; the lists are in no order. */
struct evr_granule {
	uint32_t location, next;
};

void evr_locations_release(struct evr_locations *l)
{
	evr_vecs_release(&l->all, &l->granules, &l->wide);
	evr_map_release(&l->known);
	evr_map_release(&l->granule_of);
}

static void unite(struct evr_locations *l, uint32_t a, uint32_t b)
{
	uint32_t less = a < b ? a : b, more = a < b ? b : a;
	for (size_t i = 0; less != more && i < l->all.len; i++)
		if (l->all.data[i].component == more)
			l->all.data[i].component = less;
}

static void compare(struct evr_locations *l, uint32_t a, uint32_t b)
{
	struct evr_location *x = &l->all.data[a], *y = &l->all.data[b];
	if (a == b || !evr_overlap(x->address, x->size, y->address, y->size))
		return;
	x->mixed = y->mixed = true;
	l->overlaps++;
	unite(l, x->component, y->component);
}

static void enter_granule(struct evr_locations *l, uint32_t location, uint64_t granule)
{
	uint64_t *head = evr_map_get(&l->granule_of, granule);
	uint32_t first = head ? (uint32_t)*head : NONE;
	for (uint32_t i = first; i != NONE; i = l->granules.data[i].next)
		compare(l, location, l->granules.data[i].location);
	evr_map_put(&l->granule_of, granule, l->granules.len);
	evr_vec_push(&l->granules, (struct evr_granule){ location, first });
}

static uint32_t enter(struct evr_locations *l, uintptr_t address, uint32_t size)
{
	uint32_t id = (uint32_t)l->all.len;
	evr_vec_push(&l->all, (struct evr_location){ address, size, false, id });
	for (size_t i = 0; i < l->wide.len; i++)
		compare(l, id, l->wide.data[i]);
	if (size > WIDE) {
		for (uint32_t i = 0; i < id; i++)
			compare(l, id, i);
		evr_vec_push(&l->wide, id);
		return id;
	}
	for (uint64_t g = address / GRANULE; g <= (address + size - 1) / GRANULE; g++)
		enter_granule(l, id, g);
	return id;
}

uint32_t evr_locations_find(const struct evr_locations *l, uintptr_t address, uint32_t size)
{
	uint64_t *known = evr_map_get(&l->known, evr_location_key(address, size));
	return known ? (uint32_t)*known : NONE;
}

uint32_t evr_locations_add(struct evr_locations *l, uintptr_t address, uint32_t size)
{
	uint64_t key = evr_location_key(address, size);
	uint32_t id = evr_locations_find(l, address, size);
	if (id == NONE) {
		id = enter(l, address, size);
		evr_map_put(&l->known, key, id);
	}
	l->recent[(address >> 2 ^ address >> 8) % EVR_COUNT(l->recent)] = (struct evr_recent_location){ key, id };
	return id;
}

static int by_value(const void *a, const void *b)
{
	uintptr_t x = *(const uintptr_t *)a, y = *(const uintptr_t *)b;
	return (x > y) - (x < y);
}

void evr_locations_divide(const struct evr_locations *l, uint32_t component, evr_location_ends *ends)
{
	size_t n = 0;
	evr_vec_clear(ends);
	for (size_t i = 0; i < l->all.len; i++) {
		if (l->all.data[i].component != component)
			continue;
		evr_vec_push(ends, l->all.data[i].address);
		evr_vec_push(ends, l->all.data[i].address + l->all.data[i].size);
	}
	if (ends->len)
		qsort(ends->data, ends->len, sizeof(*ends->data), by_value);
	for (size_t i = 0; i < ends->len; i++)
		if (!n || ends->data[n - 1] != ends->data[i])
			ends->data[n++] = ends->data[i];
	ends->len = n;
}

/* ---- cells ---- */

void evr_division_release(struct evr_division *d)
{
	evr_vec_release(&d->of);
	evr_vec_release(&d->cells);
}

void evr_division_clear(struct evr_division *d)
{
	evr_vec_clear(&d->of);
	evr_vec_clear(&d->cells);
}

void evr_division_copy(struct evr_division *to, const struct evr_division *from)
{
	evr_division_clear(to);
	for (size_t i = 0; i < from->of.len; i++)
		evr_vec_push(&to->of, from->of.data[i]);
	for (size_t i = 0; i < from->cells.len; i++)
		evr_vec_push(&to->cells, from->cells.data[i]);
}

bool evr_division_admit(struct evr_division *d, const struct evr_locations *l)
{
	bool mixed = false;
	while (d->of.len < l->all.len) {
		const struct evr_location *x = &l->all.data[d->of.len];
		evr_vec_push(&d->of, (struct evr_cell_range){ (uint32_t)d->cells.len, 1, x->component });
		evr_vec_push(&d->cells, (struct evr_location_cell){ x->address, x->size });
		mixed |= x->mixed;
	}
	return mixed;
}

/* New cells for those that have this `component`, between two ends each. */
static void divide(struct evr_division *d, const struct evr_locations *l, uint32_t component,
		   const evr_location_ends *ends)
{
	uint32_t first = (uint32_t)d->cells.len;
	for (size_t i = 0; i + 1 < ends->len; i++)
		evr_vec_push(&d->cells, (struct evr_location_cell){ ends->data[i],
								    (uint32_t)(ends->data[i + 1] - ends->data[i]) });
	for (size_t i = component; i < l->all.len; i++) {
		const struct evr_location *x = &l->all.data[i];
		uint32_t from = 0, to;
		if (x->component != component)
			continue;
		while (ends->data[from] < x->address)
			from++;
		for (to = from; ends->data[to] < x->address + x->size;)
			to++;
		d->of.data[i] = (struct evr_cell_range){ first + from, to - from, component };
	}
}

void evr_division_divide(struct evr_division *d, const struct evr_locations *l)
{
	evr_location_ends ends = { 0 };
	EVR_ASSERT(d->of.len == l->all.len);
	for (uint32_t i = 0; i < l->all.len; i++) {
		if (!l->all.data[i].mixed || l->all.data[i].component != i)
			continue;
		evr_locations_divide(l, i, &ends);
		divide(d, l, i, &ends);
	}
	evr_vec_release(&ends);
}
