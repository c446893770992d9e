#include "changes.h"

#include "base/map.h"

/*
 * Executions with store buffers are made up at random, and the oracles of TSO and PSO are asked whether they can be changed, in
 * the ways in which engine rf asks. The twin tries all runs: threads make their events, and buffered stores take effect.
 */
enum { STORE = WRITE | EVR_RF_BUFFERED, RELEASE = STORE | EVR_RF_RELEASES, STRONG = WRITE | EVR_RF_FLUSHES };
enum { UPDATED = RMW | EVR_RF_FLUSHES, RELEASE_FENCE = EVR_RF_RELEASES, FENCE = EVR_RF_FLUSHES | EVR_RF_RELEASES };

static bool fifo;
static bool freeing; /* the trace's regions may be freed */

static void begin_buffered(bool tso, const struct evr_rf_region *all, size_t n)
{
	fifo = tso;
	freeing = false;
	begin(tso ? &evr_oracle_tso : &evr_oracle_pso, all, n);
	t.buffers_stores = true;
	t.reorders_stores = !tso;
}

static void begin_plain(bool tso)
{
	static const struct evr_rf_region all[] = { { 100, 4 }, { 200, 4 }, { 300, 4 }, { 400, 4 }, { 500, 4 } };
	seed = 3;
	begin_buffered(tso, all, EVR_COUNT(all));
}

/* A word, its halves, a half of the second; and others. */
static void begin_mixed(bool tso)
{
	static const struct evr_rf_region all[] = { { 100, 8 }, { 100, 4 }, { 104, 4 },
						    { 104, 2 }, { 200, 4 }, { 300, 4 } };
	seed = 4;
	begin_buffered(tso, all, EVR_COUNT(all));
}

static int setup_tso(void **state)
{
	(void)state;
	begin_plain(true);
	return 0;
}

static int setup_pso(void **state)
{
	(void)state;
	begin_plain(false);
	return 0;
}

static int setup_tso_mixed(void **state)
{
	(void)state;
	begin_mixed(true);
	return 0;
}

static int setup_pso_mixed(void **state)
{
	(void)state;
	begin_mixed(false);
	return 0;
}

/* Memory that may be freed: the first location, and the second with the third. */
static void add_regions(void)
{
	freeing = true;
	evr_vec_push(&t.regions, (struct evr_rf_region){ 100, 4 });
	evr_vec_push(&t.regions, (struct evr_rf_region){ 200, 104 });
}

static int setup_tso_freed(void **state)
{
	setup_tso(state);
	add_regions();
	return 0;
}

static int setup_pso_freed(void **state)
{
	setup_pso(state);
	add_regions();
	return 0;
}

/* ---- the twin ---- */

struct run {
	uint32_t made, effective;    /* sets of events; of stores, those that have taken effect */
	evr_event_id now[SLOTS];     /* the writes whose values are in memory */
	uint32_t of_thread[THREADS]; /* how many each has made: this `made` tells, too */
};

static evr_event_id mine[THREADS][EVENTS]; /* the events of each thread */
static evr_event_id held = NONE, until; /* this store, if there is one, takes effect after that event is made */

static struct evr_map visited;
static EVR_VEC(struct run) runs;

static bool is_in(uint32_t set, evr_event_id e)
{
	return set >> e & 1;
}

static struct run begin_run(void)
{
	struct run r = { 0 };
	for (unsigned i = 0; i < SLOTS; i++)
		r.now[i] = NONE;
	for (evr_event_id e = 0; e < total(); e++)
		mine[numbered(e)->thread][numbered(e)->index] = e;
	return r;
}

/* Is the store waiting in its thread's buffer? */
static bool waits(const struct run *r, evr_event_id e)
{
	return numbered(e)->flags & EVR_RF_BUFFERED && is_in(r->made, e) && !is_in(r->effective, e);
}

/* Is one of the thread's first n events a store that waits? */
static bool one_waits(const struct run *r, unsigned thread, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (waits(r, mine[thread][i]))
			return true;
	return false;
}

/* What the thread finds in a cell: its newest store that waits, or what is in memory. */
static evr_event_id found_by(const struct run *r, unsigned thread, uint32_t cell)
{
	for (uint32_t i = r->of_thread[thread]; i-- > 0;)
		if (waits(r, mine[thread][i]) && evr_rf_covers(numbered(mine[thread][i]), cell))
			return mine[thread][i];
	return r->now[slot_of[cell]];
}

static bool may_be_made(const struct run *r, evr_event_id e)
{
	const struct evr_rf_event *x = numbered(e);
	if (r->of_thread[x->thread] != x->index)
		return false;
	for (uint32_t i = 0; i < x->afters; i++) {
		evr_event_id first = afters_of(e)[x->after + i];
		if (!is_in(r->made, first) || one_waits(r, numbered(first)->thread, numbered(first)->index + 1))
			return false;
	}
	if (x->flags & EVR_RF_FLUSHES && one_waits(r, x->thread, x->index))
		return false;
	for (uint32_t i = 0; x->flags & READ && i < x->cells; i++)
		if (found_by(r, x->thread, x->cell + i) != (x->cells > 1 ? sources_of(e)[x->sources + i] : x->source))
			return false;
	return true;
}

static void write_cells(struct run *r, evr_event_id e)
{
	const struct evr_rf_event *x = numbered(e);
	for (uint32_t i = 0; i < x->cells; i++)
		r->now[slot_of[x->cell + i]] = e;
}

static struct run with(struct run r, evr_event_id e)
{
	const struct evr_rf_event *x = numbered(e);
	r.made |= UINT32_C(1) << e;
	r.of_thread[x->thread]++;
	if ((x->flags & STORE) == WRITE)
		write_cells(&r, e);
	return r;
}

/* Must the first store, an older one of the same thread, take effect before the other one? */
static bool in_order(const struct evr_rf_event *x, const struct evr_rf_event *y)
{
	bool ordered = fifo || y->flags & EVR_RF_RELEASES || share_a_cell(x, y);
	for (uint32_t i = x->index + 1; i < y->index; i++)
		ordered |=
			(numbered(mine[x->thread][i])->flags & (EVR_RF_RELEASES | EVR_RF_BUFFERED)) == EVR_RF_RELEASES;
	return ordered;
}

static bool may_take_effect(const struct run *r, evr_event_id e)
{
	const struct evr_rf_event *x = numbered(e);
	if (!waits(r, e) || (e == held && !is_in(r->made, until)))
		return false;
	for (uint32_t i = 0; i < x->index; i++)
		if (waits(r, mine[x->thread][i]) && in_order(numbered(mine[x->thread][i]), x))
			return false;
	return true;
}

static struct run with_effect(struct run r, evr_event_id e)
{
	r.effective |= UINT32_C(1) << e;
	write_cells(&r, e);
	return r;
}

/* Has the run been here before? If not, now it has. */
static bool is_known(const struct run *r)
{
	uint64_t key = evr_hash_bytes(r, offsetof(struct run, of_thread));
	for (;; key++) {
		const uint64_t *known = evr_map_get(&visited, key);
		if (!known)
			break;
		if (!memcmp(&runs.data[*known], r, offsetof(struct run, of_thread)))
			return true;
	}
	evr_map_put(&visited, key, runs.len);
	evr_vec_push(&runs, *r);
	return false;
}

static bool is_over(const struct run *r)
{
	for (evr_event_id e = 0; e < total(); e++)
		if (!is_in(r->made, e) || waits(r, e))
			return false;
	return true;
}

static bool can_end(struct run r)
{
	if (is_over(&r))
		return true;
	if (is_known(&r))
		return false;
	for (evr_event_id e = 0; e < total(); e++) {
		if (may_be_made(&r, e) && can_end(with(r, e)))
			return true;
		if (may_take_effect(&r, e) && can_end(with_effect(r, e)))
			return true;
	}
	return false;
}

static bool is_consistent(void)
{
	bool answer = can_end(begin_run());
	evr_map_release(&visited);
	evr_vec_release(&runs);
	return answer;
}

static void show_event(evr_event_id e)
{
	const struct evr_rf_event *x = numbered(e);
	print_message("%2u: thread %u, flags %3u, kind %u, cells %u+%u, source", e, x->thread, x->flags, x->kind,
		      x->cell, x->cells);
	for (uint32_t i = 0; i < x->cells; i++)
		print_message(" %d", (int)(x->flags & READ ? evr_rf_source(x, sources_of(e), i) : x->source));
	for (uint32_t i = 0; i < x->afters; i++)
		print_message(", after %u", afters_of(e)[x->after + i]);
	print_message("\n");
}

static void show(void)
{
	print_message("%s\n", fifo ? "TSO" : "PSO");
	for (evr_event_id e = 0; e < total(); e++)
		show_event(e);
}

static void check_step(struct run *r, evr_event_id step)
{
	evr_event_id e = evr_rf_event_of(step);
	bool update = evr_rf_is_update(step);
	assert_true(e < total());
	if (!(update ? may_take_effect(r, e) : may_be_made(r, e))) {
		show();
		for (size_t k = 0; k < c.order.len; k++)
			print_message(" %u%s", evr_rf_event_of(c.order.data[k]),
				      evr_rf_is_update(c.order.data[k]) ? "'" : "");
		fail_msg("event %u cannot %s now", e, update ? "take effect" : "be made");
	}
	*r = update ? with_effect(*r, e) : with(*r, e);
}

static void check_answer(void)
{
	struct run r = begin_run();
	for (size_t k = 0; k < c.order.len; k++)
		check_step(&r, c.order.data[k]);
	assert_true(is_over(&r));
}

static bool compare(bool answer)
{
	if (answer != is_consistent()) {
		show();
		fail_msg("%zu events should%s be consistent", total(), answer ? " not" : "");
	}
	if (answer)
		check_answer();
	return answer;
}

static bool ask(void)
{
	assert_in_range(total(), 1, EVENTS);
	return compare(o->ops->consistent(o, &c));
}

/* ---- executions ---- */

static evr_rf_ids waiting; /* the stores that have not taken effect, in the order in which they were made */

/* What the thread finds in a cell: its newest store that waits, or what took effect last. */
static evr_event_id found(unsigned thread, uint32_t cell)
{
	for (size_t k = waiting.len; k-- > 0;) {
		const struct evr_rf_event *y = &t.events.data[waiting.data[k]];
		if (y->thread == thread && evr_rf_covers(y, cell))
			return waiting.data[k];
	}
	for (size_t k = t.order.len; k-- > 0;) {
		evr_event_id e = evr_rf_event_of(t.order.data[k]);
		const struct evr_rf_event *y = &t.events.data[e];
		bool effect = evr_rf_is_update(t.order.data[k]) || !(y->flags & EVR_RF_BUFFERED);
		if (y->flags & WRITE && effect && evr_rf_covers(y, cell))
			return e;
	}
	return NONE;
}

/* The first n stores that wait take effect, those of one thread or of all. */
static void drain(unsigned thread, size_t n)
{
	size_t left = 0;
	for (size_t k = 0; k < waiting.len; k++) {
		evr_event_id e = waiting.data[k];
		if (n && (thread == THREADS || t.events.data[e].thread == thread)) {
			append_to_order(e | EVR_RF_UPDATE);
			n--;
		} else {
			waiting.data[left++] = e;
		}
	}
	waiting.len = left;
}

static evr_event_id execute_event(evr_event_id first, struct evr_rf_event x)
{
	evr_event_id sources[SLOTS];
	x.index = (uint32_t)t.of_thread[x.thread].len;
	x.source = NONE;
	x.afters = first != NONE;
	if (x.flags & EVR_RF_FLUSHES)
		drain(x.thread, SIZE_MAX);
	if (first != NONE)
		drain(t.events.data[first].thread, SIZE_MAX);
	for (uint32_t i = 0; x.flags & READ && i < x.cells; i++)
		sources[i] = found(x.thread, x.cell + i);
	if (x.flags & READ)
		x.source = sources[0];
	evr_event_id id = append(&x, &first, sources);
	append_to_order(id);
	if (x.flags & EVR_RF_BUFFERED)
		evr_vec_push(&waiting, id);
	return id;
}

/* One more event at the end of the execution, after another one if that is not NONE. */
static evr_event_id execute_after(evr_event_id first, unsigned thread, unsigned flags, uint32_t location)
{
	struct evr_rf_event x = { .thread = (evr_thread_id)thread,
				  .kind = flags & EVR_RF_RELEASES ? EVR_FENCE : EVR_CHOOSE,
				  .flags = (uint8_t)flags,
				  .location = EVR_NO_LOCATION };
	if (flags & RMW) {
		x.kind = flags & READ ? flags & WRITE ? EVR_RMW : EVR_READ : EVR_WRITE;
		x.location = location;
		x.cell = t.division.of.data[location].cell;
		x.cells = t.division.of.data[location].cells;
	}
	return execute_event(first, x);
}

static void execute_free(unsigned thread, uint32_t region)
{
	drain(THREADS, SIZE_MAX);
	execute_event(NONE, (struct evr_rf_event){ .thread = (evr_thread_id)thread,
						   .kind = EVR_FREE,
						   .flags = EVR_RF_FLUSHES,
						   .location = EVR_NO_LOCATION,
						   .region = region });
}

/* The first ones leave stores to their buffers, the others have to do with when they take effect. */
static const uint8_t kinds[] = { READ,  READ,    READ,    READ,   STORE,         STORE, STORE,
				 STORE, RELEASE, UPDATED, STRONG, RELEASE_FENCE, FENCE, 0 };
static size_t usual = EVR_COUNT(kinds); /* how many of these there are */

static void execute_some(size_t n)
{
	bool calm = usual < EVR_COUNT(kinds);
	unsigned thread = 0;
	for (size_t i = 0; i < n; i++) {
		evr_event_id first = t.events.len && !below(calm ? 40 : 10) ? (evr_event_id)below(t.events.len) : NONE;
		unsigned kind = kinds[below(usual)];
		thread = below(3) ? thread : (unsigned)below(threads);
		if (first != NONE && t.events.data[first].thread == thread)
			first = NONE;
		/* The thread was waiting for its stores before. */
		if (!below(calm ? 60 : 15))
			kind |= EVR_RF_FLUSHES;
		if (freeing && !below(12))
			execute_free(thread, (uint32_t)below(t.regions.len));
		else
			execute_after(first, thread, kind, (uint32_t)below(locations));
		if (below(2))
			drain(THREADS, 1 + below(3));
	}
	drain(THREADS, SIZE_MAX);
}

static evr_event_id execute_exactly(unsigned thread, unsigned flags, uint32_t location)
{
	for (; noise && !below(4); noise--)
		execute_some(1);
	evr_event_id id = execute_after(NONE, thread, flags, location);
	drain(THREADS, SIZE_MAX);
	return id;
}

/* A buffered store takes effect before its thread goes on, if the next event says so. */
static evr_event_id execute(unsigned thread, unsigned flags, uint32_t location)
{
	static bool stored[THREADS];
	if (flags == WRITE && below(2))
		flags = STORE;
	else if (flags & WRITE)
		flags |= EVR_RF_FLUSHES;
	if (t.of_thread[thread].len && stored[thread])
		flags |= EVR_RF_FLUSHES;
	stored[thread] = flags & EVR_RF_BUFFERED;
	return execute_exactly(thread, flags, location);
}

/* ---- memory that is freed ---- */

/* A question about the whole trace. */
static void change_nothing(void)
{
	c.prefix = (evr_event_id)t.events.len;
	c.changed = 0;
	c.items.len = c.from.len = c.afters.len = c.sources.len = c.number.len = 0;
}

/* Each store that happens before its memory is freed: might it take effect later? How many might. */
static unsigned ask_for_late_stores(void)
{
	unsigned answers = 0;
	change_nothing();
	for (size_t i = 0; i < t.frees.len; i++) {
		until = t.frees.data[i];
		for (held = 0; held < t.events.len; held++) {
			const struct evr_rf_event *x = &t.events.data[held];
			if (x->flags & EVR_RF_BUFFERED && evr_rf_before(&t, held, until) &&
			    evr_rf_touches(&t, x, &t.events.data[until]))
				answers += compare(o->ops->update_after_free &&
						   o->ops->update_after_free(o, &c, held, until));
		}
	}
	held = NONE;
	return answers;
}

/* ---- random ones ---- */

static void change_some(unsigned rounds, unsigned most_locations)
{
	unsigned late_ones = 0;
	for (unsigned i = 0; i < rounds; i++) {
		size_t length = 5 + below(9);
		begin_trace();
		/* Clocks get wider in between. */
		threads = 2 + (unsigned)below(i < rounds / 2 ? 2 : 4);
		usual = i % 3 ? 9 : EVR_COUNT(kinds);
		locations = 2 + (unsigned)below(i % 3 == 1 ? 1 : most_locations - 1);
		for (unsigned k = 0; k < 5; k++) {
			if (t.events.len < length)
				execute_some(length - t.events.len);
			bool fine = false;
			late_ones += ask_for_late_stores();
			for (unsigned asked = 0; asked < 25; asked++)
				fine = some_change() && ask();
			late_ones += below(2) ? ask_for_late_stores() : 0;
			for (unsigned asked = 0; asked < 25; asked++)
				fine = some_change() && ask();
			if (fine)
				adopt();
		}
	}
	assert_int_equal(o->asked, o->inserted + o->saturated + o->guided + o->decided);
	assert_true(o->inserted && o->saturated && o->guided);
	if (freeing && !fifo)
		assert_true(late_ones);
	evr_vec_release(&waiting);
}

static void random_changes(void **state)
{
	(void)state;
	change_some(1000, 3);
}

static void accesses_of_different_sizes(void **state)
{
	(void)state;
	change_some(1000, 6);
}

static void freed_memory(void **state)
{
	(void)state;
	change_some(3000, 4);
}

/* A store that is said to have taken effect before an event cannot do so later. */
static void drained_stores(void **state)
{
	(void)state;
	unsigned drained = 0, others = 0;
	for (unsigned i = 0; i < 2000; i++) {
		begin_trace();
		threads = 2 + (unsigned)below(3);
		locations = 1 + (unsigned)below(3);
		execute_some(8);
		change_nothing();
		for (until = 0; until < t.events.len; until++) {
			for (held = 0; held < until; held++) {
				if (!(t.events.data[held].flags & EVR_RF_BUFFERED) || !evr_rf_before(&t, held, until))
					continue;
				if (!evr_rf_drained(&t, held, until)) {
					others += is_consistent();
				} else if (drained++, is_consistent()) {
					show();
					fail_msg("%u can take effect after %u", held, until);
				}
			}
		}
		held = NONE;
	}
	assert_true(drained && others);
	evr_vec_release(&waiting);
}

/* ---- what the models are known for ---- */

/* x=1; y=1 || y(1); x(0), with something between the stores, unless it is READ, and the second store of that kind. */
static bool ask_for_message(unsigned between, unsigned flag)
{
	execute_exactly(0, STORE, X);
	if (between != READ)
		execute_exactly(0, between, Z);
	evr_event_id y = execute_exactly(0, flag, Y);
	evr_event_id seen = execute_exactly(1, READ, Y), r = execute_exactly(1, READ, X);
	/* Something else may have come between these. */
	if (t.events.data[seen].source != y || r + 1 < t.events.len)
		return false;
	change_last(NONE);
	return ask();
}

/* x=1; y(0) || y=1; x(0), with something between the two in each thread. */
static bool ask_for_both_first(unsigned left, unsigned right)
{
	execute_exactly(0, STORE, X);
	if (left != READ)
		execute_exactly(0, left, Z);
	execute_exactly(0, READ, Y);
	execute_exactly(1, STORE, Y);
	if (right != READ)
		execute_exactly(1, right, Z);
	evr_event_id r = execute_exactly(1, READ, X);
	if (r + 1 < t.events.len)
		return false;
	change_last(NONE);
	return ask();
}

static void expect_message(unsigned between, unsigned flag, bool possible)
{
	begin_trace();
	assert_int_equal(ask_for_message(between, flag), possible);
}

static void messages(void **state)
{
	(void)state;
	expect_message(READ, STORE, !fifo);
	expect_message(STORE, STORE, !fifo);
	expect_message(RELEASE, STORE, !fifo);
	expect_message(READ, RELEASE, false);
	expect_message(RELEASE_FENCE, STORE, false);
	expect_message(FENCE, STORE, false);
	expect_message(UPDATED, STORE, false);
	expect_message(STRONG, STORE, false);
	expect_message(EVR_RF_FLUSHES, STORE, false);
	expect_message(READ, STRONG, false);
	expect_message(READ, STORE | EVR_RF_FLUSHES, false);
}

static void expect_both_first(unsigned left, unsigned right, bool possible)
{
	begin_trace();
	assert_int_equal(ask_for_both_first(left, right), possible);
}

static void both_first(void **state)
{
	(void)state;
	expect_both_first(READ, READ, true);
	expect_both_first(READ, FENCE, true);
	expect_both_first(RELEASE_FENCE, RELEASE, true);
	expect_both_first(UPDATED, FENCE, false);
	expect_both_first(FENCE, EVR_RF_FLUSHES, false);
}

/* These, with other events in between. */
static void changes_of_these(void **state)
{
	(void)state;
	static const uint8_t between[] = { READ, READ, STORE, RELEASE, RELEASE_FENCE, UPDATED };
	unsigned answers[2] = { 0 };
	threads = 4;
	locations = SLOTS;
	for (unsigned i = 0; i < 6000; i++) {
		begin_trace();
		noise = below(6);
		unsigned a = between[below(EVR_COUNT(between))], b = between[below(EVR_COUNT(between))];
		bool answer = i % 4 ? ask_for_message(a, below(4) ? STORE : RELEASE) : ask_for_both_first(a, b);
		answers[answer]++;
		noise = 0;
		for (unsigned k = 0; k < 5; k++)
			if (some_change() && ask() && !below(4))
				adopt();
	}
	assert_true(answers[0] > 600 && answers[1] > 600);
	evr_vec_release(&waiting);
}

/* x=1; y=1 || y(1); free(x): x may take effect last, unless something is between the stores. */
static unsigned late_after(unsigned between)
{
	begin_trace();
	execute_exactly(0, STORE, X);
	if (between != READ)
		execute_exactly(0, between, Z);
	execute_exactly(0, STORE, Y);
	execute_exactly(1, READ, Y);
	execute_free(1, 0);
	return ask_for_late_stores();
}

static void late_stores(void **state)
{
	(void)state;
	assert_int_equal(late_after(READ), !fifo);
	assert_int_equal(late_after(RELEASE), !fifo);
	assert_int_equal(late_after(RELEASE_FENCE), 0);
	assert_int_equal(late_after(STRONG), 0);
	evr_vec_release(&waiting);
}

/* ---- what needs the decision procedure ---- */

static void hidden_order(void **state)
{
	(void)state;
	ask_for_figure_5(false);
	assert_true(ask());
	assert_int_equal(o->decided, 1);
}

static void hidden_cycle(void **state)
{
	(void)state;
	ask_for_both_halves();
	assert_false(ask());
	assert_int_equal(o->decided, 1);
}

static void hidden_small_cycle(void **state)
{
	(void)state;
	ask_for_small_cycle();
	assert_false(ask());
	assert_int_equal(o->decided, 1);
}

static void hard_changes(void **state)
{
	(void)state;
	ask_for_some(true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(random_changes, setup_tso, teardown),
		cmocka_unit_test_setup_teardown(random_changes, setup_pso, teardown),
		cmocka_unit_test_setup_teardown(accesses_of_different_sizes, setup_tso_mixed, teardown),
		cmocka_unit_test_setup_teardown(accesses_of_different_sizes, setup_pso_mixed, teardown),
		cmocka_unit_test_setup_teardown(freed_memory, setup_tso_freed, teardown),
		cmocka_unit_test_setup_teardown(freed_memory, setup_pso_freed, teardown),
		cmocka_unit_test_setup_teardown(drained_stores, setup_pso, teardown),
		cmocka_unit_test_setup_teardown(messages, setup_tso, teardown),
		cmocka_unit_test_setup_teardown(messages, setup_pso, teardown),
		cmocka_unit_test_setup_teardown(both_first, setup_tso, teardown),
		cmocka_unit_test_setup_teardown(both_first, setup_pso, teardown),
		cmocka_unit_test_setup_teardown(changes_of_these, setup_tso, teardown),
		cmocka_unit_test_setup_teardown(changes_of_these, setup_pso, teardown),
		cmocka_unit_test_setup_teardown(late_stores, setup_tso_freed, teardown),
		cmocka_unit_test_setup_teardown(late_stores, setup_pso_freed, teardown),
		cmocka_unit_test_setup_teardown(hidden_order, setup_tso, teardown),
		cmocka_unit_test_setup_teardown(hidden_order, setup_pso, teardown),
		cmocka_unit_test_setup_teardown(hidden_cycle, setup_tso, teardown),
		cmocka_unit_test_setup_teardown(hidden_cycle, setup_pso, teardown),
		cmocka_unit_test_setup_teardown(hidden_small_cycle, setup_tso, teardown),
		cmocka_unit_test_setup_teardown(hidden_small_cycle, setup_pso, teardown),
		cmocka_unit_test_setup_teardown(hard_changes, setup_tso, teardown),
		cmocka_unit_test_setup_teardown(hard_changes, setup_pso, teardown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
