#include "twin.h"

#include "event/graph.h"
#include "event/trace.h"

#include <string.h>

enum { BYTES = 24, THREADS = 5, LENGTH = 40 };

/* An executed event, of any kind, on a few bytes. */
static struct evr_event some_event(uint64_t *random)
{
	static const uint8_t kinds[] = { EVR_READ, EVR_READ,    EVR_WRITE,  EVR_WRITE,  EVR_RMW,
					 EVR_CAS,  EVR_FENCE,   EVR_LOCK,   EVR_UNLOCK, EVR_CREATE,
					 EVR_JOIN, EVR_TRYLOCK, EVR_CHOOSE, EVR_FREE };
	struct evr_event e = { .kind = kinds[twin_below(random, EVR_COUNT(kinds))], .source = EVR_NO_EVENT };
	e.thread = (evr_thread_id)twin_below(random, THREADS);
	e.size = 1u << twin_below(random, 4);
	e.address = 1000 + twin_below(random, BYTES - e.size + 1);
	e.read = twin_below(random, 2);
	e.written = twin_below(random, 3);
	if (e.kind == EVR_CREATE || e.kind == EVR_JOIN)
		e.other = twin_below(random, THREADS);
	else
		e.expected = twin_below(random, 2);
	return e;
}

static void some_trace(struct evr_trace *t, uint64_t *random)
{
	evr_trace_begin(t, 0);
	for (size_t n = twin_below(random, LENGTH); n > 0; n--) {
		struct evr_event e = some_event(random);
		size_t position = t->events.len;
		assert_int_equal(evr_trace_append(t, &e), position);
	}
}

/* The twin goes forward through the trace with the last writer of every byte at hand. */
static void links_reads_to_writes(void **state)
{
	(void)state;
	struct evr_trace t = { 0 };
	struct evr_graph g = { 0 };
	uint64_t random = 1;
	for (int round = 0; round < 2000; round++) {
		evr_event_id writer[BYTES];
		some_trace(&t, &random);
		evr_graph_build(&g, &t, false);
		evr_graph_link(&g, &t);
		memset(writer, 0xff, sizeof(writer));
		for (size_t i = 0; i < t.events.len; i++) {
			const struct evr_event *e = &t.events.data[i];
			size_t at = e->address - 1000;
			assert_int_equal(e->source, evr_event_reads(e) ? writer[at] : EVR_NO_EVENT);
			for (size_t k = at; evr_event_writes(e) && k < at + e->size; k++)
				writer[k] = (evr_event_id)i;
		}
	}
	evr_graph_release(&g);
	evr_trace_release(&t);
}

/* The twin is the transitive closure of a matrix. */
static void past_is_a_transitive_closure(void **state)
{
	(void)state;
	struct evr_trace t = { 0 };
	uint64_t random = 2;
	static bool before[LENGTH][LENGTH], past[LENGTH];
	for (int round = 0; round < 500; round++) {
		some_trace(&t, &random);
		size_t n = t.events.len;
		memset(before, 0, sizeof(before));
		for (size_t b = 0; b < n; b++)
			for (size_t a = 0; a <= b; a++) {
				const struct evr_event *x = &t.events.data[a], *y = &t.events.data[b];
				before[a][b] = a == b || x->thread == y->thread || evr_events_conflict(x, y) ||
					       (x->kind == EVR_CREATE && x->other == y->thread) ||
					       (y->kind == EVR_JOIN && y->other == x->thread);
			}
		for (size_t k = 0; k < n; k++)
			for (size_t a = 0; a < n; a++)
				for (size_t b = 0; b < n; b++)
					before[a][b] |= before[a][k] && before[k][b];
		for (size_t last = 0; last < n; last++) {
			evr_trace_past(&t, (evr_event_id)last, past);
			for (size_t i = 0; i < n; i++)
				assert_int_equal(past[i], before[i][last]);
		}
		evr_trace_past(&t, EVR_NO_EVENT, past);
		for (size_t i = 0; i < n; i++)
			assert_false(past[i]);
	}
	evr_trace_release(&t);
}

/* Counts each thread's events, from 0 in each execution. */
static void numbers_events_in_their_threads(void **state)
{
	(void)state;
	struct evr_trace t = { 0 };
	uint64_t random = 3;
	for (int round = 0; round < 200; round++) {
		uint32_t counts[THREADS] = { 0 };
		some_trace(&t, &random);
		for (size_t i = 0; i < t.events.len; i++)
			assert_int_equal(t.events.data[i].index, counts[t.events.data[i].thread]++);
	}
	evr_trace_release(&t);
}

/* Change one field of the event; false if that field does not count. */
static bool change(struct evr_event *e, size_t field, const struct evr_site *site)
{
	switch (field) {
	case 0:
		e->thread++;
		return true;
	case 1:
		e->kind = e->kind == EVR_READ ? EVR_WRITE : EVR_READ;
		return true;
	case 2:
		e->address++;
		return true;
	case 3:
		e->size++;
		return true;
	case 4:
		e->site = site;
		return true;
	case 5:
		e->read += (evr_value)1 << 100;
		return true;
	case 6:
		e->written++;
		return true;
	case 7:
		e->expected++;
		return true;
	case 8:
		e->source = 3;
		return false;
	default:
		e->index = 77;
		return false;
	}
}

static void replay_is_compared(void **state)
{
	(void)state;
	static const struct evr_site site = { .file = "f" };
	struct evr_trace t = { 0 };
	uint64_t random = 4;
	size_t differed = 0;
	for (int round = 0; round < 3000; round++) {
		struct evr_event events[LENGTH];
		some_trace(&t, &random);
		size_t n = t.events.len, expected = twin_below(&random, n + 1), at = twin_below(&random, LENGTH),
		       other = at + 1;
		bool counts = false;
		memcpy(events, t.events.data, n * sizeof(*events));
		struct evr_event old = { 0 };
		evr_trace_begin(&t, expected);
		assert_int_equal(t.events.len, 0);
		for (size_t i = 0; i < n; i++) {
			struct evr_event e = events[i];
			if (i == at) {
				old = e;
				counts = change(&e, twin_below(&random, 10), &site) && i < expected;
			}
			/* Only the first difference is of interest. */
			if (i == other && counts)
				e.size += 5;
			evr_trace_append(&t, &e);
		}
		assert_int_equal(t.diverged, counts ? at : EVR_NO_EVENT);
		if (counts)
			assert_true(t.before.kind == old.kind && t.before.address == old.address &&
				    t.before.size == old.size);
		differed += counts;
	}
	assert_true(differed > 200);
	evr_trace_release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(links_reads_to_writes),
		cmocka_unit_test(past_is_a_transitive_closure),
		cmocka_unit_test(numbers_events_in_their_threads),
		cmocka_unit_test(replay_is_compared),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
