#include "twin.h"

#include "base/map.h"
#include "model/oracle.h"
#include "model/saturation.h"

#include <string.h>

/*
 * Executions are made up at random, and the oracle is asked whether they can be changed, in the ways in which engine rf asks.
 * The twin tries all orders of the events.
 */
#define NONE EVR_NO_EVENT
enum { READ = EVR_RF_READS, WRITE = EVR_RF_WRITES, RMW = READ | WRITE };
enum { THREADS = 10, LOCATIONS = 5, EVENTS = 30, STRIDE = 16 };

static uint64_t seed;
static struct evr_rf t;
static struct evr_oracle *o;
static struct evr_rf_change c;
static unsigned threads, locations;

static size_t below(size_t limit)
{
	return twin_below(&seed, limit);
}

static int setup(void **state)
{
	(void)state;
	seed = 3;
	evr_rf_init(&t, NULL);
	o = evr_oracle_sc.create(&t);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	evr_oracle_sc.destroy(o);
	evr_rf_release(&t);
	evr_vec_release(&c.items);
	evr_vec_release(&c.from);
	evr_vec_release(&c.afters);
	evr_vec_release(&c.number);
	evr_vec_release(&c.order);
	return 0;
}

/* ---- the twin ---- */

struct run {
	uint32_t done; /* a set of events */
	uint32_t of_thread[THREADS];
	evr_event_id now[LOCATIONS]; /* the writes whose values are there */
};

static struct evr_map visited;

static size_t total(void)
{
	return c.prefix + c.items.len;
}

static const struct evr_rf_event *numbered(evr_event_id e)
{
	return e < c.prefix ? &t.events.data[e] : &c.items.data[e - c.prefix];
}

static const evr_event_id *afters_of(evr_event_id e)
{
	return &(e < c.prefix ? &t.afters : &c.afters)->data[numbered(e)->after];
}

static struct run begin_run(void)
{
	struct run r = { 0 };
	for (unsigned i = 0; i < LOCATIONS; i++)
		r.now[i] = NONE;
	return r;
}

static bool may_come(const struct run *r, evr_event_id e)
{
	const struct evr_rf_event *x = numbered(e);
	if (r->of_thread[x->thread] != x->index)
		return false;
	for (uint32_t i = 0; i < x->afters; i++)
		if (!(r->done >> afters_of(e)[i] & 1))
			return false;
	return !(x->flags & READ) || r->now[x->location] == x->source;
}

static struct run with(struct run r, evr_event_id e)
{
	const struct evr_rf_event *x = numbered(e);
	r.done |= UINT32_C(1) << e;
	r.of_thread[x->thread]++;
	if (x->flags & WRITE)
		r.now[x->location] = e;
	return r;
}

/* All that decides how a run can go on. */
static uint64_t key_of(const struct run *r)
{
	uint64_t key = r->done;
	_Static_assert(EVENTS < 32 && EVENTS + 5 * LOCATIONS <= 64, "it is no hash");
	for (unsigned i = 0; i < LOCATIONS; i++)
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
	bool answer = o->ops->consistent(o, &c);
	if (answer != is_consistent())
		fail_msg("%zu events should%s be consistent", total(), answer ? " not" : "");
	if (answer)
		check_answer();
	return answer;
}

/* ---- executions ---- */

static void append(struct evr_rf_event x, const evr_event_id *afters)
{
	evr_rf_append(&t, &x, afters);
	evr_vec_push(&t.rank, 0);
}

/* The order in which the events of the trace were executed. */
static void set_order(const evr_event_id *order, size_t n)
{
	t.order.len = 0;
	for (size_t k = 0; k < n; k++) {
		evr_vec_push(&t.order, order[k]);
		t.rank.data[order[k]] = (evr_event_id)k;
	}
}

/* One more event at the end of the execution, after another one if that is not NONE. */
static evr_event_id execute_after(evr_event_id first, unsigned thread, unsigned flags, uint32_t location)
{
	struct evr_rf_event x = { .thread = (evr_thread_id)thread,
				  .flags = (uint8_t)flags,
				  .index = (uint32_t)t.of_thread[thread].len,
				  .location = flags ? location : EVR_NO_LOCATION,
				  .source = NONE,
				  .afters = first != NONE };
	for (size_t k = 0; flags & READ && k < t.order.len; k++) {
		const struct evr_rf_event *y = &t.events.data[t.order.data[k]];
		if (y->flags & WRITE && y->location == location)
			x.source = t.order.data[k];
	}
	evr_event_id id = (evr_event_id)t.events.len;
	append(x, &first);
	evr_vec_push(&t.order, id);
	t.rank.data[id] = (evr_event_id)t.order.len - 1;
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

/* So many events that do not belong there may come in between. */
static size_t noise;

static evr_event_id execute(unsigned thread, unsigned flags, uint32_t location)
{
	for (; noise && !below(4); noise--)
		execute_some(1);
	return execute_after(NONE, thread, flags, location);
}

/* ---- changes ---- */

/* An event that is to be changed; `id` is NONE if it is yet to come. */
struct changed {
	evr_event_id id;
	struct evr_rf_event event;
	const evr_event_id *afters;
};

static _Alignas(16) int32_t past[STRIDE];

static evr_event_id number_of(evr_event_id e)
{
	return e == NONE || e < c.prefix ? e : c.number.data[e - c.prefix];
}

static void add_item(evr_event_id id, const struct evr_rf_event *x, const evr_event_id *afters)
{
	evr_event_id number = (evr_event_id)total();
	evr_vec_push(&c.items, *x);
	evr_vec_push(&c.from, id);
	struct evr_rf_event *y = &evr_vec_last(&c.items);
	y->source = number_of(x->source);
	y->after = (uint32_t)c.afters.len;
	for (uint32_t i = 0; i < x->afters; i++)
		evr_vec_push(&c.afters, number_of(afters[i]));
	if (id != NONE)
		c.number.data[id - c.prefix] = number;
}

/* Keep the events before the prefix and those in `past`, and put the changed ones behind. */
static void change(evr_event_id prefix, const struct changed *changed, unsigned n)
{
	c.prefix = prefix;
	c.changed = n;
	c.items.len = c.from.len = c.afters.len = c.number.len = 0;
	for (size_t i = prefix; i < t.events.len; i++)
		evr_vec_push(&c.number, NONE);
	for (evr_event_id i = prefix; i < t.events.len; i++) {
		const struct evr_rf_event *x = &t.events.data[i];
		if ((int32_t)x->index < past[x->thread])
			add_item(i, x, &t.afters.data[x->after]);
	}
	for (unsigned i = 0; i < n; i++)
		add_item(changed[i].id, &changed[i].event, changed[i].afters);
	/* There need be no place for what is behind all of them. */
	while (c.number.len && evr_vec_last(&c.number) == NONE && below(4))
		c.number.len--;
}

static struct changed change_of(evr_event_id id, evr_event_id source)
{
	const struct evr_rf_event *x = &t.events.data[id];
	struct changed k = { id, *x, &t.afters.data[x->after] };
	k.event.source = source;
	return k;
}

static void find_program_past(const struct changed *k)
{
	evr_rf_program_past(&t, k->event.thread, k->event.index, k->afters, k->event.afters, past);
}

/* Any prefix without the event that has all that program order puts before it. */
static evr_event_id some_prefix(evr_event_id e)
{
	const struct evr_rf_event *x = &t.events.data[e];
	evr_event_id least = x->index ? t.of_thread[x->thread].data[x->index - 1] + 1 : 0;
	for (uint32_t i = 0; i < x->afters; i++)
		if (t.afters.data[x->after + i] >= least)
			least = t.afters.data[x->after + i] + 1;
	return below(2) ? e : (evr_event_id)(least + below(e - least + 1));
}

/* r reads from w, or the initial write, which does not come after it. */
static bool read_other(evr_event_id r, evr_event_id w)
{
	const struct evr_rf_event *x = &t.events.data[r], *y = w == NONE ? NULL : &t.events.data[w];
	if (w == x->source || (y && (!(y->flags & WRITE) || y->location != x->location || evr_rf_before(&t, r, w))))
		return false;
	struct changed k = change_of(r, w);
	memset(past, 0, sizeof(past));
	if (y)
		memcpy(past, evr_rf_past(&t, w), t.stride * sizeof(past[0]));
	/* A compare-and-swap may succeed now, or fail now. */
	if (!below(4))
		k.event.flags ^= WRITE;
	change(some_prefix(r), &k, 1);
	return true;
}

/* k takes r's source; if r stays, it reads from k. */
static bool take_source(evr_event_id r, struct changed k, bool stays)
{
	const struct evr_rf_event *x = &t.events.data[r];
	evr_event_id prefix = some_prefix(r);
	find_program_past(&k);
	if (past[x->thread] > (int32_t)x->index)
		return false;
	if (x->source != NONE)
		evr_rf_join(past, evr_rf_past(&t, x->source), t.stride);
	k.event.source = x->source;
	k.event.flags = RMW;
	struct changed both[2] = { k, change_of(r, NONE) };
	if (!below(4))
		both[1].event.flags ^= WRITE;
	change(prefix, both, stays ? 2 : 1);
	if (stays)
		evr_vec_last(&c.items).source = (evr_event_id)total() - 2;
	return true;
}

static bool reverse(evr_event_id r, evr_event_id w)
{
	if (w == NONE || r == w || t.events.data[w].flags != RMW || !evr_rf_before(&t, r, w) ||
	    t.events.data[w].location != t.events.data[r].location)
		return false;
	return take_source(r, change_of(w, NONE), below(3));
}

static bool take_source_by_pending(evr_event_id r)
{
	unsigned thread = (unsigned)below(threads);
	evr_event_id first = (evr_event_id)below(t.events.len);
	evr_rf_admit(&t, (evr_thread_id)thread);
	struct changed k = {
		NONE,
		{ .thread = (evr_thread_id)thread,
		  .index = (uint32_t)t.of_thread[thread].len,
		  .location = t.events.data[r].location,
		  .afters = t.events.data[first].thread != thread && !below(3) },
		&first,
	};
	return take_source(r, k, below(2));
}

static bool choose_other(evr_event_id e)
{
	struct changed k = change_of(e, NONE);
	k.event.variant++;
	memset(past, 0, sizeof(past));
	change(e, &k, 1);
	return true;
}

static bool some_change(void)
{
	evr_event_id r = (evr_event_id)below(t.events.len);
	evr_event_id other = below(6) ? (evr_event_id)below(t.events.len) : NONE;
	const struct evr_rf_event *x = &t.events.data[r];
	if (!x->flags)
		return choose_other(r);
	if (!(x->flags & READ))
		return false;
	if (!below(8))
		return take_source_by_pending(r);
	return below(2) ? read_other(r, other) : reverse(r, other);
}

/* The changed trace is executed as the answer says. */
static void adopt(void)
{
	evr_rf_cut(&t, c.prefix);
	o->ops->cut(o, c.prefix);
	t.rank.len = c.prefix;
	for (size_t i = 0; i < c.items.len; i++)
		append(c.items.data[i], &c.afters.data[c.items.data[i].after]);
	set_order(c.order.data, c.order.len);
}

static void begin_trace(void)
{
	evr_rf_cut(&t, 0);
	o->ops->cut(o, 0);
	t.rank.len = t.order.len = 0;
}

static void random_changes(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 8000; i++) {
		size_t length = 4 + below(7);
		begin_trace();
		/* Clocks get wider in between. */
		threads = 2 + (unsigned)below(i < 4000 ? 3 : 5);
		locations = 1 + (unsigned)below(3);
		for (unsigned k = 0; k < 5; k++) {
			if (t.events.len < length)
				execute_some(length - t.events.len);
			bool fine = false;
			for (unsigned asked = 0; asked < 80; asked++)
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

/* ---- the paper's example 5.2 ---- */

enum { X, Y, Z, U, V, ROUNDS = 900 };

/* The two writes x=3 and x=4. */
struct pair {
	evr_event_id three, four;
};

static bool has_past(const struct evr_saturation *s, evr_event_id e, evr_event_id before)
{
	const struct evr_rf_event *x = numbered(before);
	return evr_saturation_past(s, e)[x->thread] > (int32_t)x->index;
}

/* Saturation finds no cycle, nor in which order the writes come. */
static void saturation_sees_nothing(struct pair x)
{
	struct evr_saturation s;
	evr_saturation_init(&s);
	evr_saturation_widen(&s, t.stride);
	for (evr_event_id e = 0; e < total(); e++)
		assert_true(evr_saturation_push(&s, numbered(e), afters_of(e)));
	assert_false(has_past(&s, x.three, x.four) || has_past(&s, x.four, x.three));
	evr_saturation_release(&s);
}

/* The last event, a read, reads from w. */
static void change_last(evr_event_id w)
{
	evr_event_id last = (evr_event_id)t.events.len - 1;
	struct changed k = change_of(last, w);
	memset(past, 0, sizeof(past));
	change(last, &k, 1);
}

static size_t place_in_answer(evr_event_id e)
{
	for (size_t k = 0; k < c.order.len; k++)
		if (c.order.data[k] == e)
			return k;
	return c.order.len;
}

/*
 *	a=z(1)    x=4    c=x(4)    e=x(4)    z=1    y=2
 *	b=y(2)           y=5       z=6
 *	x=3              d=z(1)    f=y(2)
 *
 * This is the question; in the execution x=3 comes first, and f reads from y=5.
 */
static struct pair ask_for_figure_5(bool in_this_order)
{
	struct pair x;
	execute(4, WRITE, Z);
	evr_event_id y2 = execute(5, WRITE, Y);
	execute(0, READ, Z);
	execute(0, READ, Y);
	x.three = execute(0, WRITE, X);
	x.four = in_this_order ? execute_after(x.three, 1, WRITE, X) : execute(1, WRITE, X);
	execute(2, READ, X);
	execute(3, READ, X);
	execute(2, WRITE, Y);
	execute(2, READ, Z);
	execute(3, WRITE, Z);
	execute(3, READ, Y);
	change_last(y2);
	return x;
}

/*
 * The same again with the writes to x, and those who read them, changing places: two hidden orders that make a cycle.
 *
 *	a=z(1)    A=v(1)    c=x(4)    e=x(4)    C=x(3)    E=x(3)    z=1    y=2    v=1    u=2
 *	b=y(2)    B=u(2)    y=5       z=6       u=5       v=6
 *	x=3       x=4       d=z(1)    f=y(2)    D=v(1)    F=u(2)
 *
 * In the execution F reads from u=5.
 */
static struct pair ask_for_both_halves(void)
{
	struct pair x;
	execute(8, WRITE, V);
	evr_event_id u2 = execute(9, WRITE, U);
	execute(1, READ, V);
	execute(1, READ, U);
	x.four = execute(1, WRITE, X);
	execute(2, READ, X);
	execute(3, READ, X);
	execute(2, WRITE, Y);
	execute(3, WRITE, Z);
	execute(4, WRITE, Z);
	execute(2, READ, Z);
	execute(5, WRITE, Y);
	execute(3, READ, Y);
	execute(0, READ, Z);
	execute(0, READ, Y);
	x.three = execute(0, WRITE, X);
	execute(6, READ, X);
	execute(7, READ, X);
	execute(6, WRITE, U);
	execute(6, READ, V);
	execute(7, WRITE, V);
	execute(7, READ, U);
	change_last(u2);
	return x;
}

/*
 * With read-modify-writes a hidden cycle needs fewer events; tests/programs/rf_decision_rmw.c tells why it is one.
 *
 *	y=1       x=3          z=7
 *	z=2       y=5          x=4
 *	a=x(4)    z=6, z(2)    y=8, y(5)
 *	b=y(1)    c=x(3)       d=z(7)
 *
 * In the execution d reads from z=6.
 */
static struct pair ask_for_small_cycle(void)
{
	struct pair x;
	evr_event_id z7 = execute(2, WRITE, Z);
	execute(0, WRITE, Y);
	execute(0, WRITE, Z);
	x.four = execute(2, WRITE, X);
	execute(0, READ, X);
	execute(0, READ, Y);
	x.three = execute(1, WRITE, X);
	execute(1, WRITE, Y);
	execute(1, RMW, Z);
	execute(1, READ, X);
	execute(2, RMW, Y);
	execute(2, READ, Z);
	change_last(z7);
	return x;
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

/* These, with other events in between: random executions hardly ever need the decision procedure. */
static void hard_changes(void **state)
{
	(void)state;
	unsigned possible = 0, impossible = 0;
	threads = THREADS;
	locations = LOCATIONS;
	for (unsigned i = 0; i < ROUNDS; i++) {
		begin_trace();
		noise = below(i % 3 == 1 ? 4 : 8);
		if (i % 3 == 0)
			ask_for_figure_5(false);
		else if (i % 3 == 1)
			ask_for_both_halves();
		else
			ask_for_small_cycle();
		uint64_t decided = o->decided;
		bool answer = ask();
		*(answer ? &possible : &impossible) += o->decided > decided;
		for (unsigned k = 0; k < 5; k++)
			if (some_change())
				ask();
	}
	noise = 0;
	assert_in_range(possible, ROUNDS / 10, ROUNDS);
	assert_in_range(impossible, ROUNDS / 10, ROUNDS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(random_changes, setup, teardown),
		cmocka_unit_test_setup_teardown(hidden_order, setup, teardown),
		cmocka_unit_test_setup_teardown(hidden_order_violated, setup, teardown),
		cmocka_unit_test_setup_teardown(hidden_cycle, setup, teardown),
		cmocka_unit_test_setup_teardown(hidden_small_cycle, setup, teardown),
		cmocka_unit_test_setup_teardown(hard_changes, setup, teardown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
