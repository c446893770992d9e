#include "twin.h"

#include "model/saturation.h"

#include <string.h>

/*
 * Random reads-from traces, of which no order need be an execution, grow event by event and are cut. The twin is the rules as
 * the paper states them, applied to a matrix until nothing is new. There the initial writes are events too, before all others.
 */
enum { THREADS = 5, LOCATIONS = 3, SHORT = 11, LONG = 90, STRIDE = 8, AFTERS = 2, NODES = LOCATIONS + LONG };

static uint64_t seed;
static struct evr_saturation s;
/* What was pushed and stays. */
static struct evr_rf_event events[LONG];
static evr_event_id afters[LONG][AFTERS];
static size_t n;
static unsigned threads, locations;
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
	return LOCATIONS + e;
}

static size_t source_of(size_t e)
{
	return events[e].source == EVR_NO_EVENT ? events[e].location : node_of(events[e].source);
}

/* Does the node, which may be an initial write, write to the location? */
static bool writes(size_t node, uint32_t location)
{
	if (node < LOCATIONS)
		return node == location;
	const struct evr_rf_event *x = &events[node - LOCATIONS];
	return x->flags & EVR_RF_WRITES && x->location == location;
}

static void make_transitive(void)
{
	for (size_t k = 0; k < LOCATIONS + n; k++)
		for (size_t a = 0; a < LOCATIONS + n; a++)
			for (size_t b = 0; before[a][k] && b < LOCATIONS + n; b++)
				before[a][b] |= before[k][b];
}

/* R1 and R2 for a read and a write; is there anything new? */
static bool apply_rules(size_t read, size_t write)
{
	size_t r = LOCATIONS + read, source = source_of(read);
	bool new = false;
	if (write == r || write == source || !writes(write, events[read].location))
		return false;
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
		for (size_t i = 0; i < LOCATIONS; i++)
			before[i][LOCATIONS + b] = true;
		for (size_t a = 0; a < b; a++)
			before[LOCATIONS + a][LOCATIONS + b] = events[a].thread == events[b].thread;
		for (uint32_t i = 0; i < events[b].afters; i++)
			before[node_of(afters[b][i])][LOCATIONS + b] = true;
		if (events[b].flags & EVR_RF_READS)
			before[source_of(b)][LOCATIONS + b] = true;
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
			for (size_t w = 0; events[r].flags & EVR_RF_READS && w < LOCATIONS + n; w++)
				new |= apply_rules(r, w);
	}
	for (size_t i = 0; i < LOCATIONS + n; i++)
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
			if (known != (a == b || before[LOCATIONS + a][LOCATIONS + b]))
				fail_msg("of %zu events, %zu and %zu should%s be ordered", n, a, b,
					 known ? " not" : "");
		}
	}
}

static void compare_readers(void)
{
	size_t readers[NODES] = { 0 };
	for (size_t i = 0; i < n; i++)
		if (events[i].flags & EVR_RF_READS)
			readers[source_of(i)]++;
	for (size_t i = 0; i < LOCATIONS && i < s.at.len; i++)
		assert_int_equal(s.at.data[i].initial.count, readers[i]);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(s.readers.data[i].count, readers[LOCATIONS + i]);
}

static void remember_clocks(void)
{
	strides[n] = s.stride;
	if (n)
		memcpy(clocks[n], s.clocks, n * s.stride * sizeof(s.clocks[0]));
}

static void cut(size_t length)
{
	evr_saturation_cut(&s, (evr_event_id)length);
	n = length;
	assert_int_equal(s.events.len, n);
	if (n && strides[n] == s.stride)
		assert_memory_equal(clocks[n], s.clocks, n * s.stride * sizeof(s.clocks[0]));
	compare_readers();
}

/* ---- random traces ---- */

/* Any write to the location, the initial one included; of long traces one of the last, since few others are possible. */
static evr_event_id some_source(uint32_t location, bool recent)
{
	evr_event_id found[LONG + 1] = { EVR_NO_EVENT };
	size_t count = 1;
	for (size_t i = 0; i < n; i++)
		if (writes(LOCATIONS + i, location))
			found[count++] = (evr_event_id)i;
	size_t oldest = recent && count > 3 ? count - 3 : 0;
	return found[oldest + below(count - oldest)];
}

/* Events of other threads that come first, as when these are joined. */
static uint32_t some_afters(evr_thread_id thread)
{
	uint32_t count = 0;
	for (unsigned i = 0; n && i < AFTERS && !below(6); i++) {
		afters[n][count] = (evr_event_id)below(n);
		count += events[afters[n][count]].thread != thread;
	}
	return count;
}

static struct evr_rf_event some_event(bool recent)
{
	static const uint8_t flags[] = { EVR_RF_READS, EVR_RF_WRITES, EVR_RF_READS | EVR_RF_WRITES };
	struct evr_rf_event x = { .thread = (evr_thread_id)below(threads),
				  .location = EVR_NO_LOCATION,
				  .source = EVR_NO_EVENT };
	for (size_t i = 0; i < n; i++)
		x.index += events[i].thread == x.thread;
	x.afters = some_afters(x.thread);
	if (!below(12))
		return x;
	x.flags = flags[below(8) ? below(2) : 2];
	x.location = (uint32_t)below(locations);
	if (x.flags & EVR_RF_READS)
		x.source = some_source(x.location, recent);
	return x;
}

/* Clocks of another width are not kept: then all that was there comes again. */
static void widen(uint32_t stride)
{
	evr_saturation_widen(&s, stride);
	for (size_t i = s.events.len; i < n; i++)
		assert_true(evr_saturation_push(&s, &events[i], afters[i]));
	assert_int_equal(s.events.len, n);
	assert_in_range(s.stride, stride, STRIDE);
	remember_clocks();
}

/* One event more, if it can be. */
static void push(bool recent)
{
	events[n] = some_event(recent);
	bool fine = evr_saturation_push(&s, &events[n], afters[n]);
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

static void some_trace(size_t length, unsigned pushes, bool recent)
{
	threads = 2 + (unsigned)below(THREADS - 1);
	locations = 1 + (unsigned)below(LOCATIONS);
	cut(0);
	widen(threads > 4 ? 8 : 4);
	for (unsigned i = 0; i < pushes && n < length; i++) {
		if (!below(10))
			cut(n - below(n < SHORT ? n + 1 : SHORT));
		if (!below(50))
			widen(8);
		push(recent);
	}
	cut(below(n + 1));
	if (n)
		assert_true(relate());
	compare_orders();
}

static int setup(void **state)
{
	(void)state;
	seed = 5;
	n = 0;
	evr_saturation_init(&s);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	evr_saturation_release(&s);
	return 0;
}

static void short_traces(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 10000; i++) {
		/* Sometimes the narrow clocks are wanted again. */
		if (i % 10 == 0) {
			teardown(NULL);
			evr_saturation_init(&s);
			n = 0;
		}
		some_trace(SHORT, 20, false);
	}
}

static void long_traces(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 12; i++)
		some_trace(LONG, 300, true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(short_traces, setup, teardown),
		cmocka_unit_test_setup_teardown(long_traces, setup, teardown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
