/*
 * The smallest change of orders: for races that are known, and for random requirements, against all changes that there are.
 */
#include "twin.h"

#include "event/race.h"
#include "event/stronger.h"

#include <string.h>

enum { X = 1000, Y = 1016, PLENTY = 100000 };

static struct evr_site sites[40]; /* by line */

static const struct evr_site *site_at(unsigned line, unsigned order, unsigned failure)
{
	sites[line] =
		(struct evr_site){ "test.c", "f", line, 1, (uint8_t)order, (uint8_t)(failure * EVR_SITE_FAILURE) };
	return &sites[line];
}

static void add(struct evr_trace *t, unsigned thread, unsigned kind, uintptr_t at, unsigned line, unsigned order)
{
	struct evr_event e;
	bool fence = kind == EVR_FENCE;
	evr_event_init(&e, (evr_thread_id)thread, kind, fence ? 0 : at, fence ? 0 : 4,
		       site_at(line, order, EVR_RELAXED));
	evr_trace_append(t, &e);
}

/* "12 store release, ..." */
static void check_text(const struct evr_trace *t, const evr_stronger_set *set, const char *expected)
{
	char text[200] = "";
	for (size_t i = 0, n = 0; i < set->len; i++) {
		const struct evr_stronger *s = &set->data[i];
		const struct evr_event *e = &t->events.data[s->event];
		n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%u%s %s %s%s", i ? ", " : "", e->site->line,
				      s->failure ? " failure" : "", evr_order_name(s->now), evr_order_name(s->needed),
				      s->alone ? "" : " several");
	}
	assert_string_equal(text, expected);
}

/* ---- races ---- */

struct race {
	struct evr_race_finder *finder;
	struct evr_race_pair pair;
};

static bool orders_pair(void *context, const struct evr_trace *changed)
{
	const struct race *r = context;
	return !evr_race_between(r->finder, changed, NULL, r->pair);
}

/* The last event is in a race with the first. */
static void check_race(struct evr_trace *t, unsigned most, const char *expected)
{
	struct race r = { evr_race_finder_new(), { 0, (evr_event_id)t->events.len - 1 } };
	struct evr_graph g = { 0 };
	evr_stronger_set set = { 0 };
	evr_graph_build(&g, t, false);
	evr_graph_link(&g, t);
	assert_true(evr_race_between(r.finder, t, NULL, r.pair));
	bool found = evr_stronger_find(t, orders_pair, &r, most, &set);
	assert_int_equal(found, *expected != 0);
	check_text(t, &set, expected);
	evr_race_finder_free(r.finder);
	evr_graph_release(&g);
	evr_vec_release(&set);
	evr_trace_release(t);
	memset(t, 0, sizeof(*t));
}

/* y is passed by x, of these orders, with fences if they are given; lines are 1 to 6. */
static void pass(struct evr_trace *t, unsigned fence1, unsigned write, unsigned read, unsigned fence2)
{
	evr_trace_begin(t, 0);
	add(t, 1, EVR_WRITE, Y, 1, EVR_PLAIN);
	if (fence1)
		add(t, 1, EVR_FENCE, 0, 2, fence1);
	add(t, 1, EVR_WRITE, X, 3, write);
	add(t, 2, EVR_READ, X, 4, read);
	if (fence2)
		add(t, 2, EVR_FENCE, 0, 5, fence2);
	add(t, 2, EVR_READ, Y, 6, EVR_PLAIN);
}

static void test_message_passing(void **state)
{
	(void)state;
	struct evr_trace t = { 0 };
	pass(&t, 0, EVR_RELEASE, EVR_RELAXED, 0);
	check_race(&t, PLENTY, "4 relaxed acquire");
	pass(&t, 0, EVR_RELAXED, EVR_SEQ_CST, 0);
	check_race(&t, PLENTY, "3 relaxed release");
	pass(&t, 0, EVR_RELAXED, EVR_RELAXED, 0);
	check_race(&t, PLENTY, "3 relaxed release, 4 relaxed acquire");
	/* A fence that acquires has to release as well; a release of the store costs less. */
	pass(&t, EVR_ACQUIRE, EVR_RELAXED, EVR_RELAXED, EVR_ACQUIRE);
	check_race(&t, PLENTY, "3 relaxed release");
	pass(&t, EVR_RELEASE, EVR_RELAXED, EVR_RELAXED, EVR_RELEASE);
	check_race(&t, PLENTY, "4 relaxed acquire");
	/* Nothing that is not atomic becomes so. */
	pass(&t, 0, EVR_RELAXED, EVR_PLAIN, EVR_SEQ_CST);
	check_race(&t, PLENTY, "");
	/* Where there is no time to ask, nothing is said. */
	pass(&t, 0, EVR_RELAXED, EVR_RELAXED, 0);
	check_race(&t, 2, "");
}

/* A place in a loop, and one that is in several files by way of a header, has one order. */
static void test_places(void **state)
{
	(void)state;
	static struct evr_site copy;
	struct evr_trace t = { 0 };
	evr_trace_begin(&t, 0);
	add(&t, 1, EVR_WRITE, Y, 1, EVR_PLAIN);
	add(&t, 1, EVR_WRITE, X, 3, EVR_RELAXED);
	add(&t, 1, EVR_WRITE, X + 4, 3, EVR_RELAXED);
	add(&t, 2, EVR_READ, X + 4, 4, EVR_ACQUIRE);
	add(&t, 2, EVR_READ, Y, 6, EVR_PLAIN);
	copy = sites[3];
	t.events.data[2].site = &copy;
	check_race(&t, PLENTY, "3 relaxed release several");
}

/* Of a compare-exchange, the order of what it did. */
static void test_compare_exchange(void **state)
{
	(void)state;
	struct evr_trace t = { 0 };
	for (unsigned fails = 0; fails < 2; fails++) {
		evr_trace_begin(&t, 0);
		add(&t, 1, EVR_WRITE, Y, 1, EVR_PLAIN);
		add(&t, 1, EVR_WRITE, X, 3, EVR_RELEASE);
		add(&t, 2, EVR_CAS, X, 4, EVR_RELEASE);
		evr_vec_last(&t.events).expected = fails;
		add(&t, 2, EVR_READ, Y, 6, EVR_PLAIN);
		check_race(&t, PLENTY, fails ? "4 failure relaxed acquire" : "4 release acq_rel");
	}
}

/* From thread to thread: of three or four orders none can be left out. */
static void test_chain(void **state)
{
	(void)state;
	struct evr_trace t = { 0 };
	for (unsigned weak = 2; weak <= 4; weak += 2) {
		evr_trace_begin(&t, 0);
		add(&t, 1, EVR_WRITE, Y, 1, EVR_PLAIN);
		add(&t, 1, EVR_WRITE, X, 2, EVR_RELAXED);
		add(&t, 2, EVR_READ, X, 3, EVR_RELAXED);
		add(&t, 2, EVR_WRITE, X + 4, 4, weak > 2 ? EVR_RELAXED : EVR_RELEASE);
		add(&t, 3, EVR_READ, X + 4, 5, weak > 2 ? EVR_RELAXED : EVR_ACQUIRE);
		add(&t, 3, EVR_READ, Y, 6, EVR_PLAIN);
		check_race(&t, PLENTY,
			   weak > 2 ? "2 relaxed release, 3 relaxed acquire, 4 relaxed release, 5 relaxed acquire"
				    : "2 relaxed release, 3 relaxed acquire");
	}
}

/* ---- random requirements ---- */

enum { PLACES = 4, ORDERS = EVR_SEQ_CST + 1, ALL = ORDERS * ORDERS * ORDERS * ORDERS, CLAUSES = 2 };

/* Any clause is enough; each wants something of some places. */
struct wishes {
	uint8_t want[CLAUSES][PLACES]; /* enum evr_order; 0: nothing; ORDERS: what cannot be had */
};

static bool is_enough(unsigned order, unsigned want)
{
	if (want == ORDERS)
		return false;
	return !want || order == want || (order == EVR_SEQ_CST && want != EVR_PLAIN) ||
	       (order == EVR_ACQ_REL && want != EVR_SEQ_CST) || want == EVR_RELAXED;
}

static bool grants(const struct wishes *w, const unsigned *orders)
{
	for (unsigned c = 0; c < CLAUSES; c++) {
		bool all = true;
		for (unsigned p = 0; p < PLACES; p++)
			all &= is_enough(orders[p], w->want[c][p]);
		if (all)
			return true;
	}
	return false;
}

static bool are_granted(void *context, const struct evr_trace *changed)
{
	unsigned orders[PLACES];
	for (unsigned p = 0; p < PLACES; p++)
		orders[p] = evr_event_order_taken(&changed->events.data[p]);
	return grants(context, orders);
}

static bool permits(unsigned kind, unsigned order)
{
	static const uint8_t wrong[] = {
		[EVR_READ] = 1 << EVR_RELEASE | 1 << EVR_ACQ_REL, [EVR_WRITE] = 1 << EVR_ACQUIRE | 1 << EVR_ACQ_REL
	};
	return order && !(kind < EVR_COUNT(wrong) && wrong[kind] >> order & 1);
}

/* Of all orders that are at least as strong: how many places must change? With how many of them at what cost? */
static unsigned fewest(const struct evr_trace *t, const struct wishes *w, const unsigned *now, unsigned *cheapest)
{
	unsigned best = PLACES + 1;
	for (unsigned all = 0; all < ALL; all++) {
		unsigned orders[PLACES], rest = all, changes = 0, cost = 0;
		bool fits = true;
		for (unsigned p = 0; p < PLACES; p++, rest /= ORDERS) {
			orders[p] = rest % ORDERS;
			fits &= orders[p] == now[p] ||
				(permits(t->events.data[p].kind, orders[p]) && is_enough(orders[p], now[p]));
			changes += orders[p] != now[p];
			if (orders[p] != now[p])
				cost += orders[p] == EVR_SEQ_CST ? 3 : orders[p] == EVR_ACQ_REL ? 2 : 1;
		}
		if (!fits || changes > best || !grants(w, orders) || (changes == best && cost >= *cheapest))
			continue;
		best = changes;
		*cheapest = cost;
	}
	return best;
}

/* Returns how many orders must change. */
static unsigned check_wishes(const struct evr_trace *t, struct wishes *w, const unsigned *now)
{
	evr_stronger_set set = { 0 };
	unsigned orders[PLACES], cost = 0, cheapest = 0, best = fewest(t, w, now, &cheapest);
	bool found = evr_stronger_find(t, are_granted, w, PLENTY, &set);
	memcpy(orders, now, sizeof(orders));
	assert_int_equal(found, best <= PLACES);
	if (!found)
		return best;
	for (size_t i = 0; i < set.len; i++) {
		orders[set.data[i].event] = set.data[i].needed;
		cost += set.data[i].needed == EVR_SEQ_CST ? 3 : set.data[i].needed == EVR_ACQ_REL ? 2 : 1;
		assert_int_equal(set.data[i].now, now[set.data[i].event]);
	}
	assert_true(grants(w, orders));
	if (best <= 2) {
		assert_int_equal(set.len, best);
		assert_int_equal(cost, cheapest);
	}
	/* None can be left out. */
	for (size_t i = 0; i < set.len; i++) {
		orders[set.data[i].event] = now[set.data[i].event];
		assert_false(grants(w, orders));
		orders[set.data[i].event] = set.data[i].needed;
	}
	evr_vec_release(&set);
	return best;
}

static void test_random(void **state)
{
	(void)state;
	static const uint8_t kinds[] = { EVR_READ, EVR_WRITE, EVR_RMW, EVR_FENCE };
	struct evr_trace t = { 0 };
	uint64_t seed = 1;
	unsigned some[PLACES + 2] = { 0 };
	for (unsigned i = 0; i < 10000; i++) {
		struct wishes w = { 0 };
		unsigned now[PLACES];
		evr_trace_begin(&t, 0);
		for (unsigned p = 0; p < PLACES; p++) {
			unsigned kind = kinds[twin_below(&seed, EVR_COUNT(kinds))];
			do
				now[p] = twin_below(&seed, 2) ? EVR_RELAXED : (unsigned)twin_below(&seed, ORDERS);
			while (!permits(kind, now[p]));
			add(&t, 1, kind, X, p, now[p]);
		}
		for (unsigned c = 0; c < CLAUSES; c++)
			for (unsigned p = 0; p < PLACES; p++)
				w.want[c][p] = (uint8_t)(twin_below(&seed, 4) ? twin_below(&seed, ORDERS) : 0);
		if (!twin_below(&seed, 10))
			w.want[0][0] = w.want[1][1] = ORDERS;
		/* Else there is nothing to change. */
		if (!grants(&w, now))
			some[check_wishes(&t, &w, now)]++;
	}
	for (unsigned n = 1; n <= PLACES + 1; n++)
		assert_true(some[n] > 5);
	evr_trace_release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_message_passing),  cmocka_unit_test(test_places),
		cmocka_unit_test(test_compare_exchange), cmocka_unit_test(test_chain),
		cmocka_unit_test(test_random),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
