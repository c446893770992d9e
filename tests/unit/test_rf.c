#include "twin.h"

#include "event/rf.h"

#define NONE EVR_NO_EVENT
enum { THREADS = 5, LOCATIONS = 3, LONG = 160, ROUNDS = 4000 };

/*
 * Random reads-from traces grow and are cut. What is asked of the accesses of a thread to a location, of the events that another one does not come after,
 * and of the readers of a write, is found by looking at all events.
 */
static uint64_t seed = 1;
static struct evr_rf t;

static size_t below(size_t limit)
{
	return twin_below(&seed, limit);
}

static void append(unsigned threads)
{
	static const unsigned kinds[] = { EVR_READ, EVR_WRITE, EVR_RMW, EVR_CAS };
	unsigned kind = kinds[below(4)];
	bool writes = kind == EVR_WRITE || kind == EVR_RMW || (kind == EVR_CAS && below(2));
	struct evr_rf_event x = {
		.thread = (evr_thread_id)below(threads),
		.kind = (uint8_t)kind,
		.flags = (uint8_t)((kind == EVR_WRITE ? 0 : EVR_RF_READS) | (writes ? EVR_RF_WRITES : 0)),
		.location = (uint32_t)below(LOCATIONS),
		.source = NONE,
	};
	x.index = (uint32_t)t.of_thread[x.thread].len;
	x.cell = t.division.of.data[x.location].cell;
	x.cells = 1;
	for (size_t tries = 0; x.flags & EVR_RF_READS && t.events.len && tries < 4; tries++) {
		evr_event_id w = (evr_event_id)below(t.events.len);
		if (t.events.data[w].flags & EVR_RF_WRITES && t.events.data[w].location == x.location)
			x.source = w;
	}
	evr_rf_append(&t, &x, NULL, NULL);
}

/* The last of the thread's accesses to the location that has an index below n and one of these flags. */
static evr_event_id last_of(uint32_t location, unsigned thread, uint32_t n, unsigned flags)
{
	for (evr_event_id i = (evr_event_id)t.events.len; i-- > 0;) {
		const struct evr_rf_event *x = &t.events.data[i];
		if (x->thread == thread && x->location == location && x->index < n && x->flags & flags)
			return i;
	}
	return NONE;
}

static void compare_threads(evr_event_id e)
{
	for (unsigned thread = 0; thread < t.threads; thread++) {
		uint32_t smaller = 0, not_after = 0;
		for (evr_event_id i = 0; i < t.events.len; i++) {
			bool its = t.events.data[i].thread == thread;
			smaller += its && i < e;
			not_after += its && !evr_rf_before(&t, e, i);
		}
		assert_int_equal(evr_rf_count_below(&t, thread, e), smaller);
		assert_int_equal(evr_rf_count_not_after(&t, thread, e), not_after);
	}
}

static void compare_readers(evr_event_id e)
{
	evr_event_id next = t.events.data[e].reader;
	for (evr_event_id i = (evr_event_id)t.events.len; i-- > 0;) {
		if (t.events.data[i].kind == EVR_READ || t.events.data[i].source != e)
			continue;
		assert_int_equal(next, i);
		next = t.events.data[i].next_reader;
	}
	assert_int_equal(next, NONE);
}

static void compare_accesses(void)
{
	unsigned all = EVR_RF_READS | EVR_RF_WRITES;
	for (unsigned thread = 0; thread < t.threads; thread++)
		for (uint32_t location = 0; location < LOCATIONS; location++) {
			uint32_t n = (uint32_t)below(t.of_thread[thread].len + 2);
			evr_event_id access = evr_rf_access_before(&t, location, thread, n);
			assert_int_equal(access, last_of(location, thread, n, all));
			assert_int_equal(evr_rf_write_upto(&t, access), last_of(location, thread, n, EVR_RF_WRITES));
		}
}

static void test_against_twin(void **state)
{
	(void)state;
	evr_rf_init(&t, NULL);
	for (size_t i = 0; i < LOCATIONS; i++)
		evr_rf_location(&t, &(struct evr_event){ .kind = EVR_READ, .address = 64 + 8 * i, .size = 4 });
	for (size_t round = 0; round < ROUNDS; round++) {
		if (t.events.len && (t.events.len > LONG || !below(5)))
			evr_rf_rewind(&t, (evr_event_id)below(t.events.len));
		unsigned threads = 1 + (unsigned)below(THREADS);
		for (size_t n = 1 + below(20); n > 0; n--)
			append(threads);
		evr_event_id e = (evr_event_id)below(t.events.len);
		compare_threads(e);
		compare_readers(e);
		compare_accesses();
	}
	evr_rf_release(&t);
}

/* A search among the accesses of a thread visits a number of them that grows with the logarithm of their number. */
static void test_jumps(void **state)
{
	(void)state;
	enum { MANY = 1 << 14 };
	evr_rf_init(&t, NULL);
	evr_rf_location(&t, &(struct evr_event){ .kind = EVR_READ, .address = 64, .size = 4 });
	for (uint32_t i = 0; i < MANY; i++) {
		struct evr_rf_event x = {
			.kind = EVR_WRITE, .flags = EVR_RF_WRITES, .index = i, .cells = 1, .source = NONE
		};
		evr_rf_append(&t, &x, NULL, NULL);
	}
	for (uint32_t n = 1; n <= MANY; n += 97) {
		unsigned visited = 0;
		evr_event_id i = MANY - 1;
		while (t.events.data[i].index >= n) {
			evr_event_id jump = t.events.data[i].jump;
			i = jump != NONE && t.events.data[jump].index >= n ? jump : t.events.data[i].previous;
			visited++;
		}
		assert_int_equal(i, n - 1);
		assert_in_range(visited, 0, 3 * 15);
	}
	evr_rf_release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_against_twin), cmocka_unit_test(test_jumps) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
