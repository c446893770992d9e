/* Vector clocks against their definition: happens-before as a matrix of bits, and joins component by component. */
#include "twin.h"

#include "event/clock.h"

enum { EVENTS = 120, WIDEST = 40 };

struct event {
	unsigned thread;
	uint32_t index;
};

static struct event events[EVENTS];
static bool before[EVENTS][EVENTS]; /* [a][b]: a happens before b, or is b */
static uint32_t lengths[WIDEST];    /* of the threads */
static struct evr_clocks clocks;

static void comes_after(unsigned later, unsigned earlier)
{
	for (unsigned i = 0; i < EVENTS; i++)
		before[i][later] |= before[i][earlier];
}

/* Event e comes after the one before it in its thread and after a few others. */
static void add_event(uint64_t *random, unsigned e, unsigned threads)
{
	struct event *x = &events[e];
	int32_t *clock = evr_clocks_at(&clocks, e);
	x->thread = (unsigned)twin_below(random, threads);
	x->index = lengths[x->thread]++;
	evr_clock_clear(clock, clocks.width);
	for (unsigned i = 0; i < e && x->index; i++)
		if (events[i].thread == x->thread && events[i].index == x->index - 1) {
			evr_clock_copy(clock, evr_clocks_at(&clocks, i), clocks.width);
			comes_after(e, i);
		}
	for (size_t n = twin_below(random, 3); e && n > 0; n--) {
		unsigned other = (unsigned)twin_below(random, e);
		evr_clock_join(clock, evr_clocks_at(&clocks, other), clocks.width);
		comes_after(e, other);
	}
	evr_clock_set(clock, x->thread, x->index);
	before[e][e] = true;
}

static void compare(unsigned n)
{
	for (unsigned b = 0; b < n; b++) {
		const int32_t *clock = evr_clocks_at(&clocks, b);
		for (unsigned a = 0; a < n; a++) {
			const int32_t *other = evr_clocks_at(&clocks, a);
			uint32_t missing = 0;
			for (unsigned i = 0; i < n; i++)
				missing += before[i][a] && !before[i][b];
			assert_int_equal(evr_clock_has(clock, events[a].thread, events[a].index), before[a][b]);
			assert_int_equal(evr_clock_missing(clock, other, clocks.width), missing);
			assert_int_equal(evr_clock_includes(clock, other, clocks.width), !missing);
		}
	}
}

/* The table grows now and then, in rows and in width, and no clock may change by that. */
static void tell_happens_before(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 60; seed++) {
		uint64_t random = seed;
		unsigned threads = 1 + (unsigned)twin_below(&random, WIDEST);
		memset(before, 0, sizeof(before));
		memset(lengths, 0, sizeof(lengths));
		for (unsigned e = 0; e < EVENTS; e++) {
			unsigned known = 1 + e * threads / EVENTS;
			if (known > clocks.width)
				evr_clocks_resize(&clocks, evr_clock_width(known), clocks.rows, e);
			evr_clocks_reserve(&clocks, e + 1u, e);
			assert_in_range(clocks.rows, e + 1, 2 * EVENTS);
			add_event(&random, e, known);
		}
		compare(EVENTS);
		evr_clocks_release(&clocks);
		assert_null(clocks.data);
	}
}

static void work_on_each_component(void **state)
{
	(void)state;
	_Alignas(16) int32_t a[WIDEST], b[WIDEST], joined[WIDEST], copied[WIDEST];
	for (uint64_t seed = 1; seed <= 2000; seed++) {
		uint64_t random = seed;
		uint32_t width = EVR_CLOCK_LANES * (1 + (uint32_t)twin_below(&random, WIDEST / EVR_CLOCK_LANES));
		int32_t most = seed % 2 ? 3 : INT32_MAX;
		bool includes = true;
		for (uint32_t i = 0; i < width; i++) {
			a[i] = joined[i] = (int32_t)twin_below(&random, (size_t)most);
			b[i] = twin_below(&random, 4) ? a[i] : (int32_t)twin_below(&random, (size_t)most);
			includes &= b[i] <= a[i];
		}
		evr_clock_join(joined, b, width);
		evr_clock_copy(copied, a, width);
		for (uint32_t i = 0; i < width; i++)
			assert_int_equal(joined[i], a[i] > b[i] ? a[i] : b[i]);
		assert_memory_equal(copied, a, width * sizeof(a[0]));
		assert_int_equal(evr_clock_includes(a, b, width), includes);
		assert_true(evr_clock_includes(joined, a, width) && evr_clock_includes(joined, b, width));
		uint32_t index = (uint32_t)twin_below(&random, (size_t)most), i = (uint32_t)twin_below(&random, width);
		evr_clock_add(copied, i, index);
		assert_int_equal(copied[i], a[i] > (int32_t)index ? a[i] : (int32_t)index + 1);
		evr_clock_set(copied, i, index);
		assert_int_equal(copied[i], index + 1);
	}
}

static void have_whole_lanes(void **state)
{
	(void)state;
	for (unsigned threads = 1; threads <= 256; threads++) {
		uint32_t width = evr_clock_width(threads);
		assert_int_equal(width % EVR_CLOCK_LANES, 0);
		assert_in_range(width, threads, threads + EVR_CLOCK_LANES - 1);
	}
}

/* What a table keeps, and that all else is 0, when it becomes wider, longer or shorter. */
static void keep_their_rows(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 200; seed++) {
		uint64_t random = seed;
		struct evr_clocks c = { 0 };
		evr_clocks_resize(&c, EVR_CLOCK_LANES * (1 + (uint32_t)twin_below(&random, 4)),
				  1 + twin_below(&random, 20), 0);
		for (size_t i = 0; i < c.rows * c.width; i++)
			c.data[i] = (int32_t)i + 1;
		struct evr_clocks old = c;
		size_t kept = twin_below(&random, 25), rows = 1 + twin_below(&random, 25);
		evr_clocks_resize(&c, old.width + EVR_CLOCK_LANES * (uint32_t)twin_below(&random, 3), rows, kept);
		assert_int_equal(c.rows, rows);
		for (size_t i = 0; i < c.rows; i++)
			for (uint32_t k = 0; k < c.width; k++) {
				bool stays = i < kept && i < old.rows && k < old.width;
				assert_int_equal(evr_clocks_at(&c, i)[k], stays ? i * old.width + k + 1 : 0);
			}
		evr_clocks_release(&c);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tell_happens_before),
		cmocka_unit_test(work_on_each_component),
		cmocka_unit_test(have_whole_lanes),
		cmocka_unit_test(keep_their_rows),
	};
	return cmocka_run_group_tests_name("vector clocks", tests, NULL, NULL);
}
