#include "changes.h"

#include "base/map.h"
#include "model/saturation.h"

/*
 * Executions are made up at random, and the oracle is asked whether they can be changed, in the ways in which engine rf asks.
 * The twin tries all orders of the events.
 */
static int setup(void **state)
{
	(void)state;
	static const struct evr_rf_region all[] = { { 100, 4 }, { 200, 4 }, { 300, 4 }, { 400, 4 }, { 500, 4 } };
	seed = 3;
	begin(&evr_oracle_sc, all, EVR_COUNT(all));
	return 0;
}

/* A word, its halves, a half of the second; and others. */
static int setup_mixed(void **state)
{
	(void)state;
	static const struct evr_rf_region all[] = { { 100, 8 }, { 100, 4 }, { 104, 4 },
						    { 104, 2 }, { 200, 4 }, { 300, 4 } };
	seed = 4;
	begin(&evr_oracle_sc, all, EVR_COUNT(all));
	return 0;
}

/* X and Z of the paper's example, which have two cells each, and Y. */
static int setup_wide(void **state)
{
	(void)state;
	static const struct evr_rf_region all[] = { { 100, 8 }, { 200, 4 }, { 300, 8 }, { 100, 4 }, { 300, 4 } };
	seed = 5;
	begin(&evr_oracle_sc, all, EVR_COUNT(all));
	return 0;
}

/* ---- the twin ---- */

struct run {
	uint32_t done; /* a set of events */
	uint32_t of_thread[THREADS];
	evr_event_id now[SLOTS]; /* the writes whose values are there */
};

static struct evr_map visited;

static struct run begin_run(void)
{
	struct run r = { 0 };
	for (unsigned i = 0; i < SLOTS; i++)
		r.now[i] = NONE;
	return r;
}

static bool may_come(const struct run *r, evr_event_id e)
{
	const struct evr_rf_event *x = numbered(e);
	if (r->of_thread[x->thread] != x->index)
		return false;
	for (uint32_t i = 0; i < x->afters; i++)
		if (!(r->done >> afters_of(e)[x->after + i] & 1))
			return false;
	for (uint32_t i = 0; x->flags & READ && i < x->cells; i++)
		if (r->now[slot_of[x->cell + i]] != (x->cells > 1 ? sources_of(e)[x->sources + i] : x->source))
			return false;
	return true;
}

static struct run with(struct run r, evr_event_id e)
{
	const struct evr_rf_event *x = numbered(e);
	r.done |= UINT32_C(1) << e;
	r.of_thread[x->thread]++;
	for (uint32_t i = 0; x->flags & WRITE && i < x->cells; i++)
		r.now[slot_of[x->cell + i]] = e;
	return r;
}

/* All that decides how a run can go on. */
static uint64_t key_of(const struct run *r)
{
	uint64_t key = r->done;
	_Static_assert(EVENTS < 32 && EVENTS + 5 * SLOTS <= 64, "it is no hash");
	for (unsigned i = 0; i < SLOTS; i++)
		key = key << 5 | ((r->now[i] + 1) & 31);
	return key;
}

static bool can_end(struct run r)
{
	if (r.done == (UINT32_C(1) << total()) - 1)
		return true;
	if (evr_map_get(&visited, key_of(&r)))
		return false;
	evr_map_put(&visited, key_of(&r), 1);
	for (evr_event_id e = 0; e < total(); e++)
		if (may_come(&r, e) && can_end(with(r, e)))
			return true;
	return false;
}

static bool is_consistent(void)
{
	bool answer = can_end(begin_run());
	evr_map_release(&visited);
	return answer;
}

static void check_answer(void)
{
	struct run r = begin_run();
	assert_int_equal(c.order.len, total());
	for (size_t k = 0; k < c.order.len; k++) {
		assert_true(c.order.data[k] < total());
		if (!may_come(&r, c.order.data[k]))
			fail_msg("event %u cannot come as number %zu", c.order.data[k], k);
		r = with(r, c.order.data[k]);
	}
}

static bool ask(void)
{
	assert_in_range(total(), 1, EVENTS);
	bool answer = o->ops->consistent(o, &c);
	if (answer != is_consistent())
		fail_msg("%zu events should%s be consistent", total(), answer ? " not" : "");
	if (answer)
		check_answer();
	return answer;
}

/* ---- executions ---- */

/* The last write to the cell that was executed. */
static evr_event_id last_write(uint32_t cell)
{
	for (size_t k = t.order.len; k-- > 0;) {
		const struct evr_rf_event *y = &t.events.data[t.order.data[k]];
		if (y->flags & WRITE && evr_rf_covers(y, cell))
			return t.order.data[k];
	}
	return NONE;
}

/* One more event at the end of the execution, after another one if that is not NONE. */
static evr_event_id execute_after(evr_event_id first, unsigned thread, unsigned flags, uint32_t location)
{
	evr_event_id sources[SLOTS];
	struct evr_rf_event x = { .thread = (evr_thread_id)thread,
				  .kind = EVR_CHOOSE,
				  .flags = (uint8_t)flags,
				  .index = (uint32_t)t.of_thread[thread].len,
				  .location = EVR_NO_LOCATION,
				  .source = NONE,
				  .afters = first != NONE };
	if (flags) {
		x.kind = EVR_RMW;
		x.location = location;
		x.cell = t.division.of.data[location].cell;
		x.cells = t.division.of.data[location].cells;
	}
	for (uint32_t i = 0; flags & READ && i < x.cells; i++)
		sources[i] = last_write(x.cell + i);
	if (flags & READ)
		x.source = sources[0];
	evr_event_id id = append(&x, &first, sources);
	append_to_order(id);
	return id;
}

static void execute_some(size_t n)
{
	static const uint8_t flags[] = { READ, READ, READ, WRITE, WRITE, RMW };
	for (size_t i = 0; i < n; i++) {
		evr_event_id first = t.events.len && !below(8) ? (evr_event_id)below(t.events.len) : NONE;
		unsigned thread = (unsigned)below(threads);
		if (first != NONE && t.events.data[first].thread == thread)
			first = NONE;
		execute_after(first, thread, below(20) ? flags[below(6)] : 0, (uint32_t)below(locations));
	}
}

static evr_event_id execute(unsigned thread, unsigned flags, uint32_t location)
{
	for (; noise && !below(4); noise--)
		execute_some(1);
	return execute_after(NONE, thread, flags, location);
}

static void change_some(unsigned rounds, unsigned most_locations)
{
	for (unsigned i = 0; i < rounds; i++) {
		size_t length = 4 + below(7);
		begin_trace();
		/* Clocks get wider in between. */
		threads = 2 + (unsigned)below(i < rounds / 2 ? 3 : 5);
		locations = 1 + (unsigned)below(most_locations);
		for (unsigned k = 0; k < 5; k++) {
			if (t.events.len < length)
				execute_some(length - t.events.len);
			bool fine = false;
			for (unsigned asked = 0; asked < 50; asked++)
				fine = some_change() && ask();
			if (fine)
				adopt();
		}
	}
	assert_int_equal(o->asked, o->inserted + o->saturated + o->guided + o->decided);
	assert_true(o->inserted && o->saturated && o->guided);
	/* The execution that was is nearly always guide enough to the one that is to be. */
	assert_true(1000 * o->decided < o->guided);
}

static void random_changes(void **state)
{
	(void)state;
	change_some(4000, 3);
}

static void accesses_of_different_sizes(void **state)
{
	(void)state;
	change_some(4000, 6);
}

/* ---- the paper's example 5.2 ---- */

static bool has_past(const struct evr_saturation *s, evr_event_id e, evr_event_id before)
{
	const struct evr_rf_event *x = numbered(before);
	return evr_saturation_past(s, e)[x->thread] > (int32_t)x->index;
}

/* Saturation finds no cycle, nor in which order the writes come. */
static void saturation_sees_nothing(struct pair x)
{
	struct evr_saturation s;
	evr_saturation_init(&s, &t);
	evr_saturation_widen(&s, t.clocks.width);
	for (evr_event_id e = 0; e < total(); e++)
		assert_true(evr_saturation_push(&s, numbered(e), afters_of(e), sources_of(e)));
	assert_false(has_past(&s, x.three, x.four) || has_past(&s, x.four, x.three));
	evr_saturation_release(&s);
}

static size_t place_in_answer(evr_event_id e)
{
	for (size_t k = 0; k < c.order.len; k++)
		if (c.order.data[k] == e)
			return k;
	return c.order.len;
}

/* No execution has x=3 before x=4, as the last one had: its order does not help. */
static void hidden_order(void **state)
{
	(void)state;
	struct pair x = ask_for_figure_5(false);
	saturation_sees_nothing(x);
	assert_true(ask());
	assert_int_equal(o->decided, 1);
	assert_true(place_in_answer(x.four) < place_in_answer(x.three));
}

/* If program order has x=3 before x=4, the rules suffice. */
static void hidden_order_violated(void **state)
{
	(void)state;
	ask_for_figure_5(true);
	assert_false(ask());
	assert_int_equal(o->saturated, 1);
}

static void hidden_cycle(void **state)
{
	(void)state;
	saturation_sees_nothing(ask_for_both_halves());
	assert_false(ask());
	assert_int_equal(o->decided, 1);
}

static void hidden_small_cycle(void **state)
{
	(void)state;
	saturation_sees_nothing(ask_for_small_cycle());
	assert_false(ask());
	assert_int_equal(o->decided, 1);
}

static void hard_changes(void **state)
{
	(void)state;
	ask_for_some(true);
}

static void hard_changes_of_different_sizes(void **state)
{
	(void)state;
	ask_for_some(false);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(random_changes, setup, teardown),
		cmocka_unit_test_setup_teardown(accesses_of_different_sizes, setup_mixed, teardown),
		cmocka_unit_test_setup_teardown(hidden_order, setup, teardown),
		cmocka_unit_test_setup_teardown(hidden_order_violated, setup, teardown),
		cmocka_unit_test_setup_teardown(hidden_cycle, setup, teardown),
		cmocka_unit_test_setup_teardown(hidden_small_cycle, setup, teardown),
		cmocka_unit_test_setup_teardown(hard_changes, setup, teardown),
		cmocka_unit_test_setup_teardown(hard_changes_of_different_sizes, setup_wide, teardown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
