#include "twin.h"

#include "model/saturation.h"

#include <string.h>

/*
 * Random reads-from traces, of which no order need be an execution, grow event by event and are cut. The twin is the rules as
 * the paper states them, applied to a matrix until nothing is new. There the initial writes are events too, before all others.
 *
 * Memory is a row of cells of four bytes. An event accesses one, or some that lie side by side.
 */
enum { THREADS = 5, CELLS = 4, SHORT = 11, LONG = 90, STRIDE = 8, AFTERS = 6, NODES = CELLS + LONG };

static uint64_t seed;
static struct evr_saturation s;
static struct evr_rf trace; /* only its locations and regions are used */
/* What was pushed and stays. */
static struct evr_rf_event events[LONG];
static evr_event_id afters[LONG * AFTERS], sources[LONG * CELLS];
static size_t n;
static unsigned threads, cells;
static bool recent;
/* All clocks as they were when there were so many events, and how wide they were. */
static int32_t clocks[LONG + 1][LONG * STRIDE];
static uint32_t strides[LONG + 1];

static size_t below(size_t limit)
{
	return twin_below(&seed, limit);
}

/* ---- the twin ---- */

static bool before[NODES][NODES];

static size_t node_of(evr_event_id e)
{
	return CELLS + e;
}

/* The event reads the cell: the node that it reads from. */
static size_t source_of(size_t e, uint32_t cell)
{
	const struct evr_rf_event *x = &events[e];
	evr_event_id source = x->cells > 1 ? sources[x->sources + cell - x->cell] : x->source;
	return source == EVR_NO_EVENT ? cell : node_of(source);
}

static bool covers(const struct evr_rf_event *x, uint32_t cell)
{
	return cell >= x->cell && cell < x->cell + x->cells;
}

static bool reads(size_t e, uint32_t cell)
{
	return events[e].flags & EVR_RF_READS && covers(&events[e], cell);
}

/* Does the node, which may be an initial write, write to the cell? */
static bool writes(size_t node, uint32_t cell)
{
	if (node < CELLS)
		return node == cell;
	return events[node - CELLS].flags & EVR_RF_WRITES && covers(&events[node - CELLS], cell);
}

static bool is_after(size_t e, size_t other)
{
	for (uint32_t i = 0; i < events[e].afters; i++)
		if (afters[events[e].after + i] == other)
			return true;
	return false;
}

static void make_transitive(void)
{
	for (size_t k = 0; k < CELLS + n; k++)
		for (size_t a = 0; a < CELLS + n; a++)
			for (size_t b = 0; before[a][k] && b < CELLS + n; b++)
				before[a][b] |= before[k][b];
}

/* R1 and R2 for a read of a cell and a write; is there anything new? */
static bool apply_rules(size_t read, size_t write, uint32_t cell)
{
	size_t r = CELLS + read;
	bool new = false;
	if (write == r || !reads(read, cell) || !writes(write, cell) || write == source_of(read, cell))
		return false;
	size_t source = source_of(read, cell);
	if (before[write][r] && !before[write][source])
		new = before[write][source] = true;
	if (before[source][write] && !before[r][write])
		new = before[r][write] = true;
	return new;
}

static void relate_program_and_sources(void)
{
	memset(before, 0, sizeof(before));
	for (size_t b = 0; b < n; b++) {
		for (size_t i = 0; i < CELLS; i++)
			before[i][CELLS + b] = true;
		for (size_t a = 0; a < b; a++)
			before[CELLS + a][CELLS + b] |= events[a].thread == events[b].thread || is_after(b, a);
		for (uint32_t i = 0; i < CELLS; i++)
			if (reads(b, i))
				before[source_of(b, i)][CELLS + b] = true;
	}
}

/* False: it is cyclic. */
static bool relate(void)
{
	relate_program_and_sources();
	for (bool new = true; new;) {
		new = false;
		make_transitive();
		for (size_t r = 0; r < n; r++)
			for (size_t w = 0; events[r].flags & EVR_RF_READS && w < CELLS + n; w++)
				for (uint32_t i = 0; i < CELLS; i++)
					new |= apply_rules(r, w, i);
	}
	for (size_t i = 0; i < CELLS + n; i++)
		if (before[i][i])
			return false;
	return true;
}

/* ---- comparisons ---- */

static void compare_orders(void)
{
	for (size_t b = 0; b < n; b++) {
		const int32_t *past = evr_saturation_past(&s, (evr_event_id)b);
		for (size_t a = 0; a < n; a++) {
			bool known = past[events[a].thread] > (int32_t)events[a].index;
			if (known != (a == b || before[CELLS + a][CELLS + b]))
				fail_msg("of %zu events, %zu and %zu should%s be ordered", n, a, b,
					 known ? " not" : "");
		}
	}
}

static size_t count_readers(size_t node, uint32_t cell)
{
	size_t count = 0;
	for (size_t i = 0; i < n; i++)
		count += reads(i, cell) && source_of(i, cell) == node;
	return count;
}

static void compare_readers(void)
{
	for (uint32_t i = 0; i < CELLS; i++) {
		if (i < s.at.len)
			assert_int_equal(s.at.data[i].initial.count, count_readers(i, i));
		for (evr_event_id e = 0; e < n; e++)
			if (covers(&events[e], i))
				assert_int_equal(evr_saturation_part(&s, e, i)->readers.count,
						 count_readers(node_of(e), i));
	}
}

static void remember_clocks(void)
{
	strides[n] = s.clocks.width;
	if (n)
		memcpy(clocks[n], s.clocks.data, n * s.clocks.width * sizeof(clocks[0][0]));
}

static void cut(size_t length)
{
	evr_saturation_rewind(&s, (evr_event_id)length);
	n = length;
	assert_int_equal(s.events.len, n);
	if (n && strides[n] == s.clocks.width)
		assert_memory_equal(clocks[n], s.clocks.data, n * s.clocks.width * sizeof(clocks[0][0]));
	compare_readers();
}

/* ---- random traces ---- */

/* Any write to the cell, the initial one included; of long traces one of the last, since few others are possible. */
static evr_event_id some_source(uint32_t cell)
{
	evr_event_id found[LONG + 1] = { EVR_NO_EVENT };
	size_t count = 1;
	for (size_t i = 0; i < n; i++)
		if (writes(CELLS + i, cell))
			found[count++] = (evr_event_id)i;
	size_t oldest = recent && count > 3 ? count - 3 : 0;
	return found[oldest + below(count - oldest)];
}

/* Events of other threads that come first, as when these are joined. */
static void add_some_afters(struct evr_rf_event *x)
{
	x->after = (uint32_t)n * AFTERS;
	for (size_t i = 0; i < n && x->afters < AFTERS; i++)
		if (!below(6 * n) && events[i].thread != x->thread)
			afters[x->after + x->afters++] = (evr_event_id)i;
}

static void add_some_access(struct evr_rf_event *x)
{
	static const uint8_t flags[] = { EVR_RF_READS, EVR_RF_WRITES, EVR_RF_READS | EVR_RF_WRITES };
	x->flags = flags[below(8) ? below(2) : 2];
	x->cell = (uint32_t)below(cells);
	x->cells = below(4) ? 1 : 1 + (uint32_t)below(cells - x->cell);
	x->location = evr_locations_get(&trace.locations, 1000 + 4 * x->cell, 4 * x->cells);
	x->sources = (uint32_t)n * CELLS;
	if (!(x->flags & EVR_RF_READS))
		return;
	for (uint32_t i = 0; i < x->cells; i++)
		sources[x->sources + i] = some_source(x->cell + i);
	x->source = sources[x->sources];
}

static struct evr_rf_event some_event(void)
{
	struct evr_rf_event x = { .thread = (evr_thread_id)below(threads),
				  .kind = EVR_CHOOSE,
				  .location = EVR_NO_LOCATION,
				  .source = EVR_NO_EVENT };
	for (size_t i = 0; i < n; i++)
		x.index += events[i].thread == x.thread;
	add_some_afters(&x);
	if (below(12))
		add_some_access(&x);
	return x;
}

/* Clocks of another width are not kept: then all that was there comes again. */
static void widen(uint32_t stride)
{
	evr_saturation_widen(&s, stride);
	for (size_t i = s.events.len; i < n; i++)
		assert_true(evr_saturation_push(&s, &events[i], afters, sources));
	assert_int_equal(s.events.len, n);
	assert_in_range(s.clocks.width, stride, STRIDE);
	remember_clocks();
}

/* One event more, if it can be. */
static void push(void)
{
	events[n] = some_event();
	bool fine = evr_saturation_push(&s, &events[n], afters, sources);
	n++;
	if (fine != relate())
		fail_msg("%zu events should%s be possible", n, fine ? " not" : "");
	if (!fine) {
		cut(n - 1);
		return;
	}
	compare_orders();
	compare_readers();
	remember_clocks();
}

static void some_trace(size_t length, unsigned pushes)
{
	threads = 2 + (unsigned)below(THREADS - 1);
	cells = 1 + (unsigned)below(CELLS);
	cut(0);
	widen(threads > 4 ? 8 : 4);
	for (unsigned i = 0; i < pushes && n < length; i++) {
		if (!below(10))
			cut(n - below(n < SHORT ? n + 1 : SHORT));
		if (!below(50))
			widen(8);
		push();
	}
	cut(below(n + 1));
	assert_true(relate());
	compare_orders();
}

static int setup(void **state)
{
	(void)state;
	seed = 5;
	n = 0;
	recent = false;
	evr_rf_init(&trace, NULL);
	evr_saturation_init(&s, &trace);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	evr_saturation_release(&s);
	evr_rf_release(&trace);
	return 0;
}

static void some_short_traces(void)
{
	for (unsigned i = 0; i < 6000; i++) {
		/* Sometimes the narrow clocks are wanted again. */
		if (i % 10 == 0) {
			evr_saturation_release(&s);
			evr_saturation_init(&s, &trace);
			n = 0;
		}
		some_trace(SHORT, 20);
	}
}

static void short_traces(void **state)
{
	(void)state;
	some_short_traces();
}

static void long_traces(void **state)
{
	(void)state;
	recent = true;
	for (unsigned i = 0; i < 10; i++)
		some_trace(LONG, 300);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(short_traces, setup, teardown),
		cmocka_unit_test_setup_teardown(long_traces, setup, teardown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
