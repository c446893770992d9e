#include "twin.h"

#include "event/confirm.h"

#include <string.h>

/*
 * Random executions, and the definitions of paper 002 once more: chains are sequences of events, grown one by one, and a cycle is
 * looked for among all tuples of events. Nothing here reads memory: addresses are numbers.
 *
 * Accesses of one location only are coherent, and no cycle is predicted of them. The implementation does not know which locations
 * made a cycle if a label has accessed several; then it may predict it. Neither does it know, of a chain that is no cycle, whether it
 * has the labels of one; then it does not go on with it, where Algorithm 1 would.
 */
enum { THREADS = 4, SITES = 6, ADDRESSES = 3, LENGTH = 40, CODES = 46656 /* SITES to the power of 6 */ };

static const uint32_t NEVER = UINT32_MAX;

static uint64_t seed;
static struct evr_trace trace;
static struct evr_site sites[SITES];
static uint8_t kinds[SITES];
static unsigned threads, addresses;

static size_t below(size_t n)
{
	return twin_below(&seed, n);
}

static const struct evr_event *event(evr_event_id e)
{
	return &trace.events.data[e];
}

static size_t site_of(evr_event_id e)
{
	return (size_t)(event(e)->site - sites);
}

/* Every label is a kind of access. Sometimes two are at the same place, as both accesses of x++ are. */
static void some_sites(void)
{
	static const uint8_t all[] = {
		EVR_READ, EVR_READ, EVR_READ, EVR_WRITE, EVR_WRITE, EVR_WRITE, EVR_RMW, EVR_CAS
	};
	bool pairs = !below(4);
	for (size_t i = 0; i < SITES; i++) {
		sites[i] = (struct evr_site){ .file = "f.c", .line = (uint32_t)(pairs ? i / 2 : i), .column = 7 };
		kinds[i] = all[below(EVR_COUNT(all))];
	}
	threads = 2 + (unsigned)below(THREADS - 1);
	addresses = 1 + (unsigned)below(ADDRESSES);
}

static struct evr_event some_access(void)
{
	size_t site = below(SITES);
	return (struct evr_event){
		.thread = (evr_thread_id)below(threads),
		.kind = kinds[site],
		.size = 4,
		.address = 1000 + 4 * below(addresses),
		.site = &sites[site],
		.source = EVR_NO_EVENT,
		.read = below(2), /* a CAS expects 0 */
	};
}

/* ---- predicted cycles ---- */

/* Of four and of six labels, by their numbers: those of Definition 3, those of Algorithm 1, and those that are predicted. */
struct cycles {
	bool defined[CODES], wanted[CODES], found[CODES];
};

static struct cycles fours, sixes;
static bool visits[SITES][ADDRESSES]; /* which label has accessed which location */

static bool in_race(evr_event_id a, evr_event_id b)
{
	return event(a)->thread != event(b)->thread && event(a)->address == event(b)->address &&
	       (event(a)->kind != EVR_READ || event(b)->kind != EVR_READ);
}

/* Definition 2, for the last event of a sequence. */
static bool is_chain(const evr_event_id *c, unsigned n)
{
	evr_event_id last = c[n - 1], before = c[n - 2];
	if (n % 2 == 0)
		return event(before)->thread == event(last)->thread && before <= last;
	for (unsigned i = 0; i < n - 1; i += 2)
		if (event(c[i])->thread == event(last)->thread)
			return false;
	return in_race(before, last);
}

/* Of all rotations the least number. */
static size_t code_of(const size_t *labels, unsigned n)
{
	size_t least = SIZE_MAX;
	for (unsigned r = 0; r < n; r += 2) {
		size_t code = 0;
		for (unsigned i = 0; i < n; i++)
			code = code * SITES + labels[(r + i) % n];
		if (code < least)
			least = code;
	}
	return least;
}

static void note(const evr_event_id *c, unsigned n, bool decomposes)
{
	size_t labels[6];
	bool one_location = true;
	for (unsigned i = 0; i < n; i++) {
		labels[i] = site_of(c[i]);
		one_location &= event(c[i])->address == event(c[0])->address;
	}
	struct cycles *to = n == 4 ? &fours : &sixes;
	size_t code = code_of(labels, n);
	to->defined[code] = true;
	to->wanted[code] |= !decomposes && !one_location;
}

static bool visits_several(evr_event_id e)
{
	unsigned count = 0;
	for (unsigned a = 0; a < ADDRESSES; a++)
		count += visits[site_of(e)][a];
	return count > 1;
}

static bool is_like(evr_event_id a, evr_event_id b)
{
	return event(a)->site == event(b)->site && event(a)->thread == event(b)->thread;
}

/* The last three events and another one that are a cycle, and not of one location for all that is known. */
static bool closes(const evr_event_id *c, evr_event_id first)
{
	bool several = visits_several(first);
	for (unsigned i = 1; i < 4; i++)
		several |= event(c[i])->address != event(first)->address || visits_several(c[i]);
	return several && event(first)->thread == event(c[1])->thread && first <= c[1] && in_race(c[1], c[2]) &&
	       c[2] <= c[3] && in_race(c[3], first);
}

/* Is there a cycle of four with labels like these, wherever it begins? */
static bool is_like_cycle(const evr_event_id *like)
{
	size_t n = trace.events.len;
	evr_event_id c[4];
	for (c[1] = 0; c[1] < n; c[1]++)
		for (c[2] = 0; is_like(c[1], like[1]) && c[2] < n; c[2]++)
			for (c[3] = 0; is_like(c[2], like[2]) && c[3] < n; c[3]++)
				for (c[0] = 0; is_like(c[3], like[3]) && c[0] < n; c[0]++)
					if (closes(c, c[0]))
						return true;
	return false;
}

/* Algorithm 1. It goes on with what it should not, too, and remembers that. */
static void grow(evr_event_id *c, unsigned n, bool decomposes, unsigned length)
{
	for (c[n] = 0; c[n] < trace.events.len; c[n]++) {
		if (n && !is_chain(c, n + 1))
			continue;
		bool cycle = n > 2 && n % 2 == 1 && in_race(c[n], c[0]);
		if (cycle)
			note(c, n + 1, decomposes);
		if (n + 1 < length)
			grow(c, n + 1, decomposes || cycle || (n == 3 && is_like_cycle(c)), length);
	}
}

static void some_execution(size_t length)
{
	evr_trace_begin(&trace, 0);
	for (size_t i = 0; i < length; i++) {
		struct evr_event e = some_access();
		evr_trace_append(&trace, &e);
		visits[e.site - sites][(e.address - 1000) / 4] = true;
	}
}

/* Is this a cycle of one location that could have been known as one? */
static bool is_needless(const struct evr_predicted *c)
{
	unsigned all[ADDRESSES] = { 0 }, count = 0, used = 0;
	for (unsigned i = 0; i < c->length; i++)
		for (unsigned a = 0; a < ADDRESSES; a++) {
			all[a] |= visits[c->label[i] - sites][a];
			count += visits[c->label[i] - sites][a];
		}
	for (unsigned a = 0; a < ADDRESSES; a++)
		used += all[a];
	return count == c->length && used == 1;
}

static void take(const struct evr_predicted *c)
{
	size_t labels[6];
	assert_true(c->length == 4 || c->length == 6);
	for (unsigned i = 0; i < c->length; i++) {
		labels[i] = (size_t)(c->label[i] - sites);
		assert_int_equal(c->stores[i], kinds[labels[i]] != EVR_READ);
	}
	struct cycles *in = c->length == 4 ? &fours : &sixes;
	size_t code = code_of(labels, c->length);
	if (in->found[code])
		fail_msg("cycle %zu of %u is predicted twice", code, c->length);
	if (!in->defined[code])
		fail_msg("cycle %zu of %u is none", code, c->length);
	if (is_needless(c))
		fail_msg("cycle %zu is of one location", code);
	in->found[code] = true;
}

static void compare(const evr_predictions *all, unsigned length)
{
	for (size_t i = 0; i < all->len; i++)
		take(&all->data[i]);
	for (size_t i = 0; i < CODES; i++) {
		if (fours.wanted[i] && !fours.found[i])
			fail_msg("cycle %zu of 4 is not predicted", i);
		if (length == 6 && sixes.wanted[i] && !sixes.found[i])
			fail_msg("cycle %zu of 6 is not predicted", i);
	}
}

static void check_sorted(const evr_predictions *all)
{
	for (size_t i = 1; i < all->len; i++) {
		const struct evr_predicted *a = &all->data[i - 1], *b = &all->data[i];
		assert_true(a->length <= b->length);
		unsigned k = 0;
		while (a->length == b->length && k + 1 < a->length && a->label[k]->line == b->label[k]->line)
			k++;
		assert_true(a->length < b->length || a->label[k]->line <= b->label[k]->line);
	}
}

/* Several executions, predicted from together. */
static void some_prediction(unsigned length, size_t events)
{
	evr_event_id c[6];
	struct evr_prediction *p = evr_prediction_new(length);
	memset(&fours, 0, sizeof(fours));
	memset(&sixes, 0, sizeof(sixes));
	memset(visits, 0, sizeof(visits));
	some_sites();
	for (size_t i = 0, n = 1 + below(3); i < n; i++) {
		some_execution(2 + below(events));
		evr_prediction_add(p, &trace);
		grow(c, 0, false, length);
	}
	const evr_predictions *all = evr_prediction_cycles(p);
	compare(all, length);
	check_sorted(all);
	evr_prediction_free(p);
}

static void cycles_of_four(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 3000; i++)
		some_prediction(4, i % 2 ? 8 : 24);
}

static void cycles_of_six(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 1500; i++)
		some_prediction(6, i % 2 ? 8 : 14);
}

/* ---- is it there? ---- */

/* What the machine knows: which store an access has read (EVR_NO_EVENT: none), and of a store when it took effect, in two ways. */
static evr_event_id read_from[LENGTH * 2], effect[LENGTH * 2];
static uint32_t commits[LENGTH * 2];
static uint32_t counts[ADDRESSES];
static evr_event_id newest[ADDRESSES]; /* in memory */
static evr_event_id history[ADDRESSES][LENGTH]; /* where what was written took effect */

static size_t place_of(evr_event_id e)
{
	return (event(e)->address - 1000) / 4;
}

static void commit(evr_event_id store, evr_event_id at)
{
	size_t a = place_of(store);
	history[a][counts[a]] = at;
	newest[a] = store;
	effect[store] = at;
	commits[store] = ++counts[a];
}

static bool is_waiting(evr_event_id e)
{
	return evr_event_is_buffered(event(e)) && commits[e] == NEVER;
}

static void update(evr_event_id store)
{
	struct evr_event e = *event(store);
	e.kind = EVR_UPDATE;
	e.flags = 0;
	commit(store, evr_trace_append(&trace, &e));
}

/* The thread's oldest, or its newest, waiting store to the location; EVR_NO_EVENT: none. */
static evr_event_id waiting(evr_thread_id t, uintptr_t address, bool last)
{
	evr_event_id found = EVR_NO_EVENT;
	for (evr_event_id i = 0; i < trace.events.len; i++)
		if (is_waiting(i) && event(i)->thread == t && event(i)->address == address &&
		    (last || found == EVR_NO_EVENT))
			found = i;
	return found;
}

/* One that is not served by the buffer may read what was overwritten. */
static void read_old(struct evr_event *e, evr_event_id id)
{
	size_t a = (e->address - 1000) / 4;
	uint32_t which = (uint32_t)below(counts[a]);
	e->flags = EVR_STALE;
	e->source = which ? history[a][which - 1] : EVR_NO_EVENT;
	read_from[id] = EVR_NO_EVENT;
	effect[id] = which ? e->source : 0;
	for (evr_event_id i = 0; which && i < id; i++)
		if (effect[i] == e->source && (event(i)->kind != EVR_READ && event(i)->kind != EVR_UPDATE))
			read_from[id] = i;
}

static void step(struct evr_event e)
{
	size_t a = (e.address - 1000) / 4;
	evr_event_id own;
	bool exchanges = e.kind == EVR_RMW || e.kind == EVR_CAS;
	while (exchanges && (own = waiting(e.thread, e.address, false)) != EVR_NO_EVENT)
		update(own);
	own = waiting(e.thread, e.address, true);
	evr_event_id id = (evr_event_id)trace.events.len;
	if (e.kind == EVR_WRITE && (own != EVR_NO_EVENT || below(4)))
		e.flags = EVR_BUFFERED;
	read_from[id] = own != EVR_NO_EVENT ? own : newest[a];
	effect[id] = id;
	commits[id] = NEVER;
	if (e.kind == EVR_READ && own == EVR_NO_EVENT && counts[a] && !below(4))
		read_old(&e, id);
	evr_trace_append(&trace, &e);
	if (evr_event_writes(&e) && !evr_event_is_buffered(&e))
		commit(id, id);
	else if (evr_event_writes(&e))
		effect[id] = EVR_NO_EVENT;
}

static void some_update(void)
{
	evr_event_id store = waiting((evr_thread_id)below(threads), 1000 + 4 * below(addresses), false);
	if (store != EVR_NO_EVENT)
		update(store);
}

/* Not all stores reach memory: an execution may end before, with a finding. */
static void some_relaxed_execution(size_t length)
{
	evr_trace_begin(&trace, 0);
	memset(counts, 0, sizeof(counts));
	for (size_t a = 0; a < ADDRESSES; a++)
		newest[a] = EVR_NO_EVENT;
	for (size_t i = 0; i < length; i++) {
		step(some_access());
		if (!below(2))
			some_update();
	}
}

static bool is_access(evr_event_id e)
{
	return event(e)->kind != EVR_UPDATE;
}

/* The commit index of section 2. A store that never took effect comes after all that did; of two that did not, nobody knows. */
static uint32_t index_of(evr_event_id e)
{
	if (evr_event_writes(event(e)))
		return commits[e];
	return read_from[e] == EVR_NO_EVENT ? 0 : commits[read_from[e]];
}

static bool conflict(evr_event_id a, evr_event_id b)
{
	if (event(a)->address != event(b)->address || event(a)->thread == event(b)->thread || index_of(a) == NEVER)
		return false;
	if (evr_event_writes(event(b)))
		return index_of(a) < index_of(b);
	return evr_event_writes(event(a)) && index_of(a) <= index_of(b);
}

static bool is_cycle(const struct evr_predicted *c, const evr_event_id *e)
{
	for (unsigned i = 0; i < c->length; i++) {
		evr_event_id next = e[(i + 1) % c->length];
		if (event(e[i])->site != c->label[i])
			return false;
		if (i % 2 ? !conflict(e[i], next) : event(e[i])->thread != event(next)->thread || e[i] > next)
			return false;
		for (unsigned k = i % 2; k < i; k += 2)
			if (event(e[k])->thread == event(e[i])->thread)
				return false;
	}
	return true;
}

static bool is_there(const struct evr_predicted *c, evr_event_id *e, unsigned n)
{
	if (n == c->length)
		return is_cycle(c, e);
	for (e[n] = 0; e[n] < trace.events.len; e[n]++)
		if (is_access(e[n]) && event(e[n])->site == c->label[n] && is_there(c, e, n + 1))
			return true;
	return false;
}

static unsigned confirmed, refuted;

/* Mostly of events that could be in a cycle: of one thread and of one location, in turns. */
static void some_labels(struct evr_predicted *c)
{
	evr_event_id e = EVR_NO_EVENT;
	for (unsigned i = 0; i < c->length; i++) {
		for (unsigned tries = 0; tries < 20; tries++) {
			evr_event_id next = (evr_event_id)below(trace.events.len);
			bool fits = !i || (i % 2 ? event(next)->thread == event(e)->thread && next >= e
						 : event(next)->thread != event(e)->thread &&
							   event(next)->address == event(e)->address);
			if (fits) {
				e = next;
				break;
			}
		}
		c->label[i] = event(e)->site;
		c->stores[i] = kinds[site_of(e)] != EVR_READ;
	}
}

static void some_confirmation(unsigned length)
{
	struct evr_confirmed how;
	struct evr_predicted c = { .length = length };
	evr_event_id e[6];
	some_labels(&c);
	bool known = evr_predicted_confirm(&c, &trace, &how);
	if (known != is_there(&c, e, 0))
		fail_msg("a cycle is%s there", known ? " not" : "");
	confirmed += known;
	refuted += !known;
	if (!known)
		return;
	for (unsigned i = 0; i < length; i++)
		assert_true(how.event[i] < trace.events.len && is_access(how.event[i]));
	assert_true(is_cycle(&c, how.event));
	for (unsigned i = 0; i < length; i += 2)
		assert_int_equal(how.overtook[i / 2],
				 how.event[i] != how.event[i + 1] && effect[how.event[i + 1]] < effect[how.event[i]]);
}

static void confirmations(void **state)
{
	(void)state;
	confirmed = refuted = 0;
	for (unsigned i = 0; i < 4000; i++) {
		some_sites();
		some_relaxed_execution(4 + below(16));
		for (unsigned k = 0; k < 20; k++)
			some_confirmation(4);
		for (unsigned k = 0; threads > 2 && k < 10; k++)
			some_confirmation(6);
	}
	/* The test is one of both. */
	assert_true(confirmed > 500 && refuted > 500);
}

static int setup(void **state)
{
	(void)state;
	seed = 2;
	memset(&trace, 0, sizeof(trace));
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	evr_trace_release(&trace);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(cycles_of_four, setup, teardown),
		cmocka_unit_test_setup_teardown(cycles_of_six, setup, teardown),
		cmocka_unit_test_setup_teardown(confirmations, setup, teardown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
