/* Locations and their cells against their definitions, byte by byte. */
#include "twin.h"

#include "event/location.h"

#include <string.h>

enum { MOST = 40, SPAN = 400, BASE = 1000 };

static struct evr_locations known;
static struct evr_division division;
static uint32_t component[MOST]; /* of each location: the least of those that hang together with it */

static const struct evr_location *location(uint32_t i)
{
	return &known.all.data[i];
}

static bool has_byte(uint32_t i, uintptr_t address)
{
	return address >= location(i)->address && address < location(i)->address + location(i)->size;
}

static bool overlap(uint32_t a, uint32_t b)
{
	for (uintptr_t byte = BASE; byte < BASE + SPAN; byte++)
		if (has_byte(a, byte) && has_byte(b, byte))
			return true;
	return false;
}

static void find_components(void)
{
	uint32_t n = (uint32_t)known.all.len;
	for (uint32_t i = 0; i < n; i++)
		component[i] = i;
	for (bool more = true; more;) {
		more = false;
		for (uint32_t a = 0; a < n; a++)
			for (uint32_t b = 0; b < n; b++)
				if (component[a] < component[b] && overlap(a, b)) {
					component[b] = component[a];
					more = true;
				}
	}
}

static void check_locations(void)
{
	for (uint32_t i = 0; i < known.all.len; i++) {
		bool mixed = false;
		for (uint32_t k = 0; k < known.all.len; k++)
			mixed |= k != i && overlap(i, k);
		assert_int_equal(location(i)->mixed, mixed);
		assert_int_equal(location(i)->component, component[i]);
		assert_int_equal(evr_locations_find(&known, location(i)->address, location(i)->size), i);
		assert_int_equal(evr_locations_get(&known, location(i)->address, location(i)->size), i);
	}
}

/* Does a location of the whole begin or end at this address? */
static bool is_end(uint32_t least, uintptr_t address)
{
	for (uint32_t i = 0; i < known.all.len; i++)
		if (component[i] == least &&
		    (location(i)->address == address || location(i)->address + location(i)->size == address))
			return true;
	return false;
}

/* A location's cells follow each other, from its first byte to its last, and are cut at all ends within it. */
static void check_range(uint32_t i)
{
	const struct evr_cell_range *r = &division.of.data[i];
	uintptr_t at = location(i)->address;
	for (uint32_t cell = r->cell; cell < r->cell + r->cells; cell++) {
		const struct evr_location_cell *c = &division.cells.data[cell];
		assert_int_equal(c->address, at);
		assert_true(c->size > 0 && is_end(component[i], at));
		for (uintptr_t byte = at + 1; byte < at + c->size; byte++)
			assert_false(is_end(component[i], byte));
		at += c->size;
	}
	assert_int_equal(at, location(i)->address + location(i)->size);
	assert_int_equal(r->component, component[i]);
}

/* Two locations have a cell in common if they have a byte in common. */
static void check_division(void)
{
	assert_int_equal(division.of.len, known.all.len);
	for (uint32_t a = 0; a < known.all.len; a++) {
		check_range(a);
		for (uint32_t b = 0; b < known.all.len; b++) {
			const struct evr_cell_range *x = &division.of.data[a], *y = &division.of.data[b];
			bool common = x->cell < y->cell + y->cells && y->cell < x->cell + x->cells;
			assert_int_equal(common, overlap(a, b));
		}
	}
}

/* Wide locations take another path than narrow ones. */
static void add_some(uint64_t *random, unsigned shape)
{
	uint32_t size = shape % 3 == 0 ? 4 : 1 + (uint32_t)twin_below(random, shape % 3 == 1 ? 16 : 120);
	uintptr_t address = BASE + twin_below(random, SPAN - size);
	if (shape % 3 == 0)
		address &= ~(uintptr_t)(twin_below(random, 20) ? 3 : 1);
	uint32_t before = evr_locations_find(&known, address, size), n = (uint32_t)known.all.len;
	uint32_t overlaps = known.overlaps;
	uint32_t id = evr_locations_get(&known, address, size);
	assert_int_equal(id, before == EVR_NO_LOCATION ? n : before);
	assert_int_equal(location(id)->address, address);
	assert_int_equal(location(id)->size, size);
	bool new_mix = before == EVR_NO_LOCATION && location(id)->mixed;
	assert_int_equal(known.overlaps != overlaps, new_mix);
	assert_int_equal(evr_division_admit(&division, &known), new_mix);
	if (new_mix)
		evr_division_divide(&division, &known);
}

static void hang_together(void **state)
{
	(void)state;
	for (unsigned seed = 0; seed < 60; seed++) {
		uint64_t random = seed + 1;
		unsigned wanted = 1 + (unsigned)twin_below(&random, MOST);
		for (int step = 0; step < 200 && known.all.len < wanted; step++)
			add_some(&random, seed);
		find_components();
		check_locations();
		check_division();
		/* All at once, and a copy of that. */
		struct evr_division copy = { 0 };
		evr_division_clear(&division);
		evr_division_admit(&division, &known);
		evr_division_divide(&division, &known);
		check_division();
		evr_division_copy(&copy, &division);
		assert_int_equal(copy.cells.len, division.cells.len);
		assert_memory_equal(copy.of.data, division.of.data, copy.of.len * sizeof(*copy.of.data));
		evr_division_release(&copy);
		evr_division_release(&division);
		evr_locations_release(&known);
		memset(&known, 0, sizeof(known));
	}
}

/* Of a mutex one word counts, also if the event has failed; of anything else all of it. */
static void are_those_of_events(void **state)
{
	(void)state;
	static const struct {
		uint8_t kind, attempted;
		uint32_t size, expected;
	} all[] = {
		{ EVR_LOCK, 0, 40, 4 },       { EVR_UNLOCK, 0, 40, 4 },          { EVR_WRITE, 0, 8, 8 },
		{ EVR_READ, EVR_LOCK, 2, 2 }, { EVR_FAULT, EVR_TRYLOCK, 40, 4 }, { EVR_FAULT, EVR_READ, 16, 16 },
		{ EVR_MUTEX_INIT, 0, 40, 4 }, { EVR_CAS, EVR_UNLOCK, 1, 1 },
	};
	for (size_t i = 0; i < EVR_COUNT(all); i++) {
		struct evr_event e = {
			.kind = all[i].kind, .attempted = all[i].attempted, .address = 64 * i, .size = all[i].size
		};
		uint32_t id = evr_locations_of(&known, &e);
		assert_int_equal(id, i);
		assert_int_equal(location(id)->address, e.address);
		assert_int_equal(location(id)->size, all[i].expected);
	}
	evr_locations_release(&known);
	memset(&known, 0, sizeof(known));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hang_together),
		cmocka_unit_test(are_those_of_events),
	};
	return cmocka_run_group_tests_name("locations", tests, NULL, NULL);
}
