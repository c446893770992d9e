#include "twin.h"

#include "explore/verify_sc.h"

#include <stdlib.h>
#include <string.h>

/*
 * Events with good writes are made up at random, and VerifySC is asked for a witness, in all the ways in which it can look for
 * one. The twin tries all orders of the events; for the closure, it applies the paper's rules to a matrix.
 *
 * In half of the questions events access one location each; in the others, locations are the cells of one stretch of memory, and an
 * event accesses one or several of them, side by side.
 */
#define NONE EVR_NO_EVENT
#define INITIAL EVENTS /* as a write: the initial one of the location */
enum { READ = EVR_RVF_READS, WRITE = EVR_RVF_WRITES, RMW = READ | WRITE };
enum { THREADS = 4, LOCATIONS = 3, EVENTS = 12, USUAL = 10, PAIRS = 2 };

/* Sets of events, and of writes, are words. */
struct event {
	unsigned thread, flags, location, cells; /* the first location, and how many */
	uint32_t past; /* what program order puts before it */
	uint32_t good[LOCATIONS];
	uint32_t new[LOCATIONS]; /* if it has to, it must read from one of these somewhere */
	bool must;
};

static uint64_t seed;
static struct event events[EVENTS];
static unsigned n, threads, locations;
static bool divided;
static struct evr_rvf x, relaxed;
static struct evr_verify v;

static size_t below(size_t limit)
{
	return twin_below(&seed, limit);
}

enum { APART = 100, TOGETHER = 200 }; /* addresses */

static struct evr_event access_to(unsigned location, unsigned cells)
{
	return (struct evr_event){ .kind = EVR_READ,
				   .address = divided ? TOGETHER + location : APART + 8 * location,
				   .size = divided ? cells : 4 };
}

static const struct evr_cell_range *location_of(unsigned location, unsigned cells)
{
	struct evr_event e = access_to(location, cells);
	uint32_t number = evr_rvf_location(&x, &e); /* may move what is there */
	return &x.division.of.data[number];
}

/* All ranges of cells are known from the start. */
static void add_locations(void)
{
	for (unsigned i = 0; i < 2 * LOCATIONS * LOCATIONS; i++) {
		unsigned first = i / 2 % LOCATIONS, cells = 1 + i / 2 / LOCATIONS;
		divided = i % 2;
		if (first + cells <= (divided ? LOCATIONS : first + 1))
			location_of(first, cells);
	}
	evr_rvf_clear(&x);
}

static int setup(void **state)
{
	(void)state;
	seed = 7;
	n = 0;
	threads = THREADS;
	locations = LOCATIONS;
	evr_rvf_init(&x);
	evr_rvf_init(&relaxed);
	add_locations();
	divided = false;
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	evr_rvf_release(&x);
	evr_rvf_release(&relaxed);
	evr_verify_release(&v);
	memset(&v, 0, sizeof(v));
	return 0;
}

/* ---- the twin: all orders ---- */

struct run {
	uint32_t done;
	uint32_t before[EVENTS];
	unsigned now[LOCATIONS]; /* the writes whose values are there */
};

static size_t witnesses;
static uint32_t before_in_some[EVENTS]; /* what comes before an event in one witness or other */

static struct run begin_run(void)
{
	struct run r = { 0 };
	for (unsigned i = 0; i < LOCATIONS; i++)
		r.now[i] = INITIAL;
	return r;
}

static bool may_come(const struct run *r, unsigned e)
{
	const struct event *y = &events[e];
	if (r->done >> e & 1 || y->past & ~r->done)
		return false;
	for (size_t i = 0; i < v.pairs.len; i++)
		if (v.pairs.data[i].second == e && !(r->done >> v.pairs.data[i].first & 1))
			return false;
	bool good = true, new = !y->must;
	for (unsigned i = 0; y->flags & READ && i < y->cells; i++) {
		good &= y->good[i] >> r->now[y->location + i] & 1;
		new |= y->new[i] >> r->now[y->location + i] & 1;
	}
	return good && (new || !(y->flags & READ));
}

static struct run with(struct run r, unsigned e)
{
	r.before[e] = r.done;
	r.done |= UINT32_C(1) << e;
	for (unsigned i = 0; events[e].flags & WRITE && i < events[e].cells; i++)
		r.now[events[e].location + i] = e;
	return r;
}

static void try_all_orders(struct run r)
{
	if (r.done == (UINT32_C(1) << n) - 1) {
		witnesses++;
		for (unsigned e = 0; e < n; e++)
			before_in_some[e] |= r.before[e];
		return;
	}
	for (unsigned e = 0; e < n; e++)
		if (may_come(&r, e))
			try_all_orders(with(r, e));
}

static bool has_witness(void)
{
	witnesses = 0;
	memset(before_in_some, 0, sizeof(before_in_some));
	try_all_orders(begin_run());
	return witnesses;
}

static void check_witness(void)
{
	struct run r = begin_run();
	assert_int_equal(v.order.len, n);
	for (size_t k = 0; k < n; k++) {
		assert_true(v.order.data[k] < n);
		if (!may_come(&r, v.order.data[k]))
			fail_msg("event %u cannot come as number %zu", v.order.data[k], k);
		r = with(r, v.order.data[k]);
	}
}

/* ---- the twin: closure ---- */

static bool less[EVENTS + 1][EVENTS + 1]; /* one row and column is for the initial write */

static bool is_write(unsigned w, unsigned location)
{
	return w == INITIAL || (w < n && events[w].flags & WRITE && location - events[w].location < events[w].cells);
}

static bool add(unsigned a, unsigned b)
{
	if (less[a][b])
		return false;
	return less[a][b] = true;
}

static void make_transitive(void)
{
	for (unsigned k = 0; k <= EVENTS; k++)
		for (unsigned a = 0; a <= EVENTS; a++)
			for (unsigned b = 0; less[a][k] && b <= EVENTS; b++)
				less[a][b] |= less[k][b];
}

/* Of its i-th location. */
static uint32_t visible_good(unsigned r, unsigned i)
{
	uint32_t set = 0;
	for (unsigned w = 0; w <= INITIAL; w++) {
		bool seen = events[r].good[i] >> w & 1 && !less[r][w];
		for (unsigned other = 0; other < n; other++)
			if (other != w && other != r && is_write(other, events[r].location + i))
				seen &= !(less[w][other] && less[other][r]);
		set |= (uint32_t)seen << w;
	}
	return set;
}

/* Is w of the set, and before or after all others of it? */
static bool is_extreme(unsigned w, uint32_t set, bool least)
{
	for (unsigned other = 0; other <= INITIAL; other++)
		if (set >> other & 1 && other != w && !(least ? less[w][other] : less[other][w]))
			return false;
	return set >> w & 1;
}

/* The second, third and fourth rule for a read of its i-th location; is there anything new? */
static bool apply_rules(unsigned r, unsigned i, uint32_t visible)
{
	bool new = false;
	for (unsigned w = 0; w <= INITIAL; w++)
		if (is_extreme(w, visible, true))
			new |= add(w, r);
	for (unsigned bad = 0; bad < n; bad++) {
		if (bad == r || !is_write(bad, events[r].location + i) || events[r].good[i] >> bad & 1)
			continue;
		bool after_all = true;
		for (unsigned w = 0; w <= INITIAL; w++) {
			after_all &= !(visible >> w & 1) || less[w][bad];
			if (is_extreme(w, visible, false) && less[bad][r])
				new |= add(bad, w);
		}
		if (after_all)
			new |= add(r, bad);
	}
	return new;
}

static bool has_cycle(void)
{
	for (unsigned e = 0; e <= EVENTS; e++)
		if (less[e][e])
			return true;
	return false;
}

static bool close_by_rules(void)
{
	memset(less, 0, sizeof(less));
	for (unsigned b = 0; b < n; b++) {
		less[INITIAL][b] = true;
		for (unsigned a = 0; a < n; a++)
			less[a][b] = events[b].past >> a & 1;
	}
	for (size_t i = 0; i < v.pairs.len; i++)
		less[v.pairs.data[i].first][v.pairs.data[i].second] = true;
	for (bool new = true; new;) {
		new = false;
		make_transitive();
		if (has_cycle())
			return false;
		for (unsigned k = 0; k < n * LOCATIONS && !new; k++) {
			unsigned r = k / LOCATIONS, i = k % LOCATIONS;
			if (!(events[r].flags & READ) || i >= events[r].cells)
				continue;
			uint32_t visible = visible_good(r, i);
			if (!visible)
				return false;
			new = apply_rules(r, i, visible);
		}
	}
	return true;
}

/* ---- random events ---- */

static unsigned count_of(uint32_t set, unsigned thread)
{
	unsigned count = 0;
	for (unsigned i = 0; i < n; i++)
		count += set >> i & 1 && events[i].thread == thread;
	return count;
}

/* The more of them there are, the more often each must be good for an answer to be yes. */
static void some_good_writes(struct event *y)
{
	for (unsigned i = 0; i < y->cells; i++) {
		for (unsigned w = 0; w <= INITIAL; w++)
			if (is_write(w, y->location + i) && !below(y->cells > 1 ? 2 : 3))
				y->good[i] |= UINT32_C(1) << w;
		if (!y->good[i])
			y->good[i] = UINT32_C(1) << INITIAL;
		y->new[i] = y->good[i] & (uint32_t)below(UINT32_C(1) << (INITIAL + 1));
	}
	y->must = y->cells > 1 && !below(3);
}

static struct event some_event(void)
{
	static const uint8_t flags[] = { READ, READ, READ, WRITE, WRITE, WRITE, RMW, 0 };
	struct event y = { .thread = (unsigned)below(threads),
			   .flags = flags[below(EVR_COUNT(flags))],
			   .location = (unsigned)below(locations),
			   .cells = 1 };
	if (divided)
		y.cells = 1 + (unsigned)below(locations - y.location);
	for (unsigned i = 0; i < n; i++)
		if (events[i].thread == y.thread || !below(8 * n))
			y.past |= events[i].past | UINT32_C(1) << i;
	if (y.flags & READ)
		some_good_writes(&y);
	return y;
}

/* Where in the pasts what comes before the event is; has it come up just now? */
static uint32_t add_past(const struct event *y, unsigned index, bool *new)
{
	uint32_t width = evr_clock_width(threads);
	if (x.pasts.width < width)
		evr_clocks_resize(&x.pasts, width, x.pasts.rows, x.past_count);
	evr_clocks_reserve(&x.pasts, x.past_count + 1, x.past_count);
	int32_t *p = evr_clocks_at(&x.pasts, x.past_count);
	evr_clock_clear(p, x.pasts.width);
	uint32_t last = index ? x.events.data[x.of_thread[y->thread].data[index - 1]].past : 0;
	*new = false;
	for (unsigned i = 0; i < threads; i++) {
		if (i == y->thread)
			continue;
		p[i] = (int32_t)count_of(y->past, i);
		*new |= p[i] > evr_clocks_at(&x.pasts, last)[i];
	}
	if (!*new)
		return last;
	return x.past_count++;
}

static void append(struct event y)
{
	unsigned index = count_of(UINT32_MAX, y.thread);
	bool new;
	struct evr_rvf_event e = { .thread = (evr_thread_id)y.thread,
				   .kind = y.flags & READ ? EVR_RMW : EVR_WRITE,
				   .index = index,
				   .past = add_past(&y, index, &new),
				   .location = EVR_NO_LOCATION };
	if (y.flags) {
		const struct evr_cell_range *l = location_of(y.location, y.cells);
		struct evr_event a = access_to(y.location, y.cells);
		assert_int_equal(l->cells, y.cells);
		e.location = l->component;
		e.cell = l->cell;
		e.cells = l->cells;
		e.address = a.address;
		e.size = a.size;
	}
	e.flags = (uint8_t)(y.flags | (new ? EVR_RVF_FIRST : 0) | (y.must ? EVR_RVF_NEW : 0));
	evr_rvf_append(&x, &e);
	/* In any order. */
	unsigned first = (unsigned)below(EVENTS + 1);
	for (unsigned k = 0; y.flags & READ && k < y.cells * (EVENTS + 1); k++) {
		unsigned i = k / (EVENTS + 1), w = (first + k) % (EVENTS + 1);
		if (y.good[i] >> w & 1)
			evr_rvf_add_good(&x, evr_vec_last(&x.events).part + i, w == INITIAL ? NONE : (evr_event_id)w,
					 y.new[i] >> w & 1);
	}
	events[n++] = y;
}

static void forget_all(void)
{
	evr_rvf_clear(&x);
	n = 0;
}

static void some_events(void)
{
	forget_all();
	threads = 2 + (unsigned)below(THREADS - 1);
	divided = below(2);
	locations = divided ? 2 + (unsigned)below(LOCATIONS - 1) : 1 + (unsigned)below(LOCATIONS);
	for (size_t left = 3 + below(USUAL - 2); left > 0; left--)
		append(some_event());
}

static void some_pairs(void)
{
	evr_vec_clear(&v.pairs);
	for (size_t left = below(4) ? 0 : 1 + below(PAIRS); left > 0; left--) {
		struct evr_rvf_pair p = { (evr_event_id)below(n), (evr_event_id)below(n) };
		if (p.first != p.second)
			evr_vec_push(&v.pairs, p);
	}
}

/* Any order of all events, or of all but the last. */
static size_t some_guide(evr_event_id *guide)
{
	size_t length = n - below(2);
	for (size_t i = 0; i < length; i++) {
		size_t j = below(i + 1);
		guide[i] = guide[j];
		guide[j] = (evr_event_id)i;
	}
	return length;
}

/* ---- VerifySC ---- */

static void ask_in_all_ways(const struct evr_rvf *set, bool expected)
{
	static const size_t patiences[] = { 0, 3, SIZE_MAX };
	evr_event_id guide[EVENTS];
	for (unsigned i = 0; i < 8 * EVR_COUNT(patiences); i++) {
		size_t length = some_guide(guide);
		v.off = i % 8;
		v.patience = patiences[i / 8];
		if (evr_verify_sc(&v, set, guide, length) != expected)
			fail_msg("%u events should %s a witness, without heuristics %u and with patience %zu", n,
				 expected ? "have" : "not have", v.off, v.patience);
		if (expected)
			check_witness();
		else
			assert_int_equal(v.order.len, 0);
	}
}

/* If the guide is a witness and nothing else is asked, it is followed without a detour. */
static void follow_witness(const struct evr_rvf *set)
{
	evr_event_id guide[EVENTS];
	memcpy(guide, v.order.data, n * sizeof(guide[0]));
	uint64_t states = v.states;
	v.off = EVR_RVF_GREEDY;
	assert_true(evr_verify_sc(&v, set, guide, n));
	assert_memory_equal(guide, v.order.data, n * sizeof(guide[0]));
	assert_int_equal(v.states - states, n);
}

static void random_good_writes(void **state)
{
	(void)state;
	enum { ROUNDS = 4000 };
	unsigned found = 0;
	for (unsigned i = 0; i < ROUNDS; i++) {
		some_events();
		some_pairs();
		bool expected = has_witness();
		ask_in_all_ways(&x, expected);
		if (expected)
			follow_witness(&x);
		found += expected;
	}
	/* Both answers are frequent, and all parts take part. */
	assert_in_range(found, ROUNDS / 4, 3 * ROUNDS / 4);
	assert_true(v.filtered > ROUNDS / 10);
	assert_true(v.filtered < v.refuted / 2);
	assert_true(v.states > ROUNDS * 24 * 3);
}

/* ---- closure ---- */

static void compare_closure(const struct evr_closure *c, bool rules)
{
	for (unsigned b = 0; b < n; b++) {
		for (unsigned a = 0; a < n; a++) {
			bool ordered =
				evr_clock_has(evr_clocks_at(&c->before, b), events[a].thread, x.events.data[a].index);
			if (ordered != less[a][b])
				fail_msg("of %u events, %u and %u should%s be ordered", n, a, b, ordered ? " not" : "");
			if (rules && ordered && before_in_some[a] >> b & 1)
				fail_msg("of %u events, a witness has %u before %u", n, b, a);
		}
	}
}

static void random_closures(void **state)
{
	(void)state;
	enum { ROUNDS = 6000 };
	struct evr_closure c = { 0 };
	unsigned cyclic = 0;
	for (unsigned i = 0; i < ROUNDS; i++) {
		some_events();
		some_pairs();
		bool possible = has_witness(), closed = evr_closure_find(&c, &x, &v.pairs);
		if (closed != close_by_rules())
			fail_msg("%u events should%s have a closure", n, closed ? " not" : "");
		if (possible && !closed)
			fail_msg("%u events have a witness, but no closure", n);
		if (closed)
			compare_closure(&c, possible);
		cyclic += !closed;
	}
	assert_in_range(cyclic, ROUNDS / 10, ROUNDS);
	evr_closure_release(&c);
}

/* ---- X itself ---- */

static void compare_events(const struct evr_rvf *a, const struct evr_rvf *b)
{
	assert_int_equal(a->events.len, b->events.len);
	for (size_t i = 0; i < a->events.len; i++) {
		const struct evr_rvf_event *y = &a->events.data[i], *z = &b->events.data[i];
		assert_int_equal(y->thread, z->thread);
		assert_int_equal(y->kind, z->kind);
		assert_int_equal(y->flags, z->flags);
		assert_int_equal(y->index, z->index);
		assert_int_equal(y->past, z->past);
		assert_int_equal(y->location, z->location);
		assert_int_equal(y->older, z->older);
		assert_int_equal(y->part, z->part);
		assert_int_equal(y->wanted, z->wanted);
	}
}

static void compare_sets(const struct evr_rvf *a, const struct evr_rvf *b)
{
	compare_events(a, b);
	assert_int_equal(a->parts.len, b->parts.len);
	for (size_t i = 0; i < a->parts.len; i++)
		assert_memory_equal(&a->parts.data[i], &b->parts.data[i], sizeof(a->parts.data[i]));
	assert_int_equal(a->goods.len, b->goods.len);
	for (size_t i = 0; i < a->goods.len; i++) {
		assert_int_equal(a->goods.data[i].write, b->goods.data[i].write);
		assert_int_equal(a->goods.data[i].part, b->goods.data[i].part);
		assert_int_equal(a->goods.data[i].next, b->goods.data[i].next);
		assert_int_equal(a->goods.data[i].new, b->goods.data[i].new);
	}
	for (unsigned t = 0; t < THREADS; t++) {
		assert_int_equal(a->of_thread[t].len, b->of_thread[t].len);
		if (a->of_thread[t].len)
			assert_memory_equal(a->of_thread[t].data, b->of_thread[t].data,
					    a->of_thread[t].len * sizeof(evr_event_id));
	}
	for (unsigned i = 0; i < a->newest.len; i++)
		assert_int_equal(a->newest.data[i], b->newest.data[i]);
}

/* The events and good writes of x once more, in one go. */
static void build_anew(struct evr_rvf *to)
{
	evr_rvf_init(to);
	for (size_t i = 0; i < x.newest.len; i++)
		evr_vec_push(&to->newest, NONE);
	for (size_t i = 0; i < x.events.len; i++) {
		const struct evr_rvf_event *y = &x.events.data[i];
		evr_rvf_append(to, y);
		for (uint32_t part = y->part; y->flags & READ && part < y->part + y->cells; part++) {
			const struct evr_rvf_part *old = &x.parts.data[part];
			for (uint32_t k = old->good; k < old->good + old->goods; k++)
				evr_rvf_add_good(to, part, x.goods.data[k].write, x.goods.data[k].new);
		}
	}
}

/* Is the write good for the i-th location, and, if it matters, new? */
static void check_part(const struct evr_rvf *set, unsigned r, unsigned i, unsigned w)
{
	const struct evr_rvf_good *g =
		evr_rvf_good(set, set->events.data[r].part + i, w == INITIAL ? NONE : (evr_event_id)w);
	assert_int_equal(g != NULL, events[r].good[i] >> w & 1);
	if (g && events[r].must)
		assert_int_equal(g->new, events[r].new[i] >> w & 1);
}

static void check_parts(const struct evr_rvf *set, unsigned r)
{
	for (unsigned i = 0; events[r].flags & READ && i < events[r].cells; i++)
		for (unsigned w = 0; w <= INITIAL; w++)
			if (w < n || w == INITIAL)
				check_part(set, r, i, w);
}

static void check_good(void)
{
	for (unsigned r = 0; r < n; r++) {
		check_parts(&x, r);
		for (unsigned e = 0; e < n; e++)
			assert_int_equal(evr_rvf_po(&x, &x.events.data[e], &x.events.data[r]), events[r].past >> e & 1);
	}
}

static void cut_restores(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 3000; i++) {
		if (i == 1500) {
			forget_all();
			divided = true;
		}
		if (n == EVENTS || (n && !below(4))) {
			n = (unsigned)below(n);
			evr_rvf_rewind(&x, n);
		}
		append(some_event());
		struct evr_rvf other;
		build_anew(&other);
		compare_sets(&x, &other);
		evr_rvf_release(&other);
		check_good();
	}
}

/* As many values as there are cells, a byte each. */
static evr_value some_value(unsigned cells, unsigned values)
{
	evr_value value = 0;
	for (unsigned i = 0; i < cells; i++)
		value = value << 8 | below(values);
	return value;
}

static unsigned byte_of(evr_value value, unsigned i)
{
	return value >> 8 * i & 0xff;
}

static bool is_unset(const struct event *y)
{
	bool unset = true;
	for (unsigned i = 0; i < y->cells; i++)
		unset &= x.cells.data[location_of(y->location + i, 1)->cell].unset;
	return unset;
}

/* The good writes of the read's i-th location. If all of it is unset, it has failed if and only if it has read nothing else. */
static void find_good(unsigned r, unsigned i)
{
	struct event *y = &events[r];
	unsigned value = byte_of(x.events.data[r].read, i), location = y->location + i;
	bool unset = is_unset(y), failed = unset && x.events.data[r].kind == EVR_FAULT;
	bool initial = x.cells.data[location_of(location, 1)->cell].initial == value && (!unset || y->cells > 1);
	y->good[i] = y->new[i] = 0;
	for (unsigned w = 0; w < n; w++)
		if (!failed && w != r && is_write(w, location) &&
		    byte_of(x.events.data[w].written, location - events[w].location) == value)
			y->good[i] |= UINT32_C(1) << w;
	y->new[i] = y->good[i];
	if (failed || initial)
		y->good[i] |= UINT32_C(1) << INITIAL;
	y->must = unset && !failed && y->cells > 1;
}

/* Each event gets values, and in the twin the good writes that these allow. */
static void set_some_values(void)
{
	unsigned values = 1 + (unsigned)below(divided ? 2 : 3);
	for (unsigned i = 0; i < LOCATIONS; i++) {
		struct evr_rvf_cell *c = &x.cells.data[location_of(i, 1)->cell];
		c->initial = below(values);
		c->unset = !below(divided ? 2 : 4);
	}
	for (unsigned i = 0; i < n; i++) {
		struct evr_rvf_event *y = &x.events.data[i];
		y->read = some_value(events[i].cells, values);
		y->written = some_value(events[i].cells, values);
		if (y->flags & READ && !(y->flags & WRITE) && is_unset(&events[i]) && !below(2))
			y->kind = EVR_FAULT;
	}
	for (unsigned r = 0; r < n; r++)
		for (unsigned i = 0; events[r].flags & READ && i < events[r].cells; i++)
			find_good(r, i);
}

static void check_relaxed(void)
{
	size_t total = 0;
	assert_int_equal(relaxed.events.len, n);
	for (unsigned r = 0; r < n; r++) {
		assert_int_equal(relaxed.events.data[r].index, x.events.data[r].index);
		assert_int_equal(!!(relaxed.events.data[r].flags & EVR_RVF_NEW), events[r].must);
		check_parts(&relaxed, r);
		for (unsigned k = 0; k < LOCATIONS * (INITIAL + 1); k++)
			total += events[r].good[k % LOCATIONS] >> k / LOCATIONS & 1;
	}
	/* None twice, and none that belongs to another event. */
	assert_int_equal(relaxed.goods.len, total);
}

/* Good writes by value: they may be later events than their read, and there may be none. */
static void random_values(void **state)
{
	(void)state;
	enum { ROUNDS = 1500 };
	unsigned found = 0;
	for (unsigned i = 0; i < ROUNDS; i++) {
		some_events();
		some_pairs();
		set_some_values();
		evr_rvf_relax(&relaxed, &x);
		check_relaxed();
		bool expected = has_witness();
		ask_in_all_ways(&relaxed, expected);
		found += expected;
	}
	assert_in_range(found, ROUNDS / 5, 4 * ROUNDS / 5);
}

/* ---- the notions of the paper's figure 5, and the greedy rules ---- */

static void put(unsigned thread, unsigned flags, unsigned location, uint32_t good)
{
	struct event y = { .thread = thread, .flags = flags, .location = location, .cells = 1, .good = { good } };
	for (unsigned i = 0; i < n; i++)
		if (events[i].thread == thread)
			y.past |= UINT32_C(1) << i;
	append(y);
}

/* One that writes the first two cells. */
static void put_wide(unsigned thread)
{
	struct event y = { .thread = thread, .flags = WRITE, .cells = 2 };
	for (unsigned i = 0; i < n; i++)
		if (events[i].thread == thread)
			y.past |= UINT32_C(1) << i;
	append(y);
}

static void expect_order(unsigned off, const evr_event_id *order, unsigned states)
{
	uint64_t before = v.states;
	v.off = off;
	v.patience = SIZE_MAX;
	assert_true(evr_verify_sc(&v, &x, NULL, 0));
	assert_memory_equal(v.order.data, order, n * sizeof(*order));
	assert_int_equal(v.states - before, states);
}

/* x is held by a read that has all its good writes behind it: who would overwrite them waits, and is not tried in vain. */
static void held_locations(void **state)
{
	(void)state;
	const unsigned none = EVR_RVF_CLOSURE | EVR_RVF_GUIDE | EVR_RVF_GREEDY;
	forget_all();
	put(0, WRITE, 0, 0);
	put(1, WRITE, 0, 0);
	put(2, READ, 0, 1);
	expect_order(none, (evr_event_id[]){ 0, 2, 1 }, 3);
	/* Not if one of them is still to come, even if it is too late already. */
	forget_all();
	put(0, WRITE, 0, 0);
	put(1, WRITE, 0, 0);
	put(2, WRITE, 0, 0);
	put(3, READ, 0, 1 | 4);
	expect_order(none, (evr_event_id[]){ 0, 1, 2, 3 }, 4);
	/* The initial write is there from the start. */
	forget_all();
	put(0, WRITE, 0, 0);
	put(1, READ, 0, UINT32_C(1) << INITIAL);
	expect_order(none, (evr_event_id[]){ 1, 0 }, 2);
	/* A location is not held by another one's read, nor by the one that would overwrite it. */
	forget_all();
	put(0, WRITE, 0, 0);
	put(1, WRITE, 1, 0);
	put(1, READ, 0, 1);
	put(2, RMW, 0, 1);
	expect_order(none, (evr_event_id[]){ 0, 1, 2, 3 }, 4);
	/* One of several cells is enough. */
	forget_all();
	divided = true;
	put(0, WRITE, 1, 0);
	put_wide(1);
	put(2, READ, 1, 1);
	expect_order(none, (evr_event_id[]){ 0, 2, 1 }, 3);
}

static void greedy_rules(void **state)
{
	(void)state;
	const unsigned none = EVR_RVF_CLOSURE | EVR_RVF_GUIDE | EVR_RVF_GREEDY;
	/* A read at once, whatever comes first otherwise. */
	forget_all();
	put(0, WRITE, 0, 0);
	put(1, WRITE, 1, 0);
	put(2, READ, 0, 1);
	put(3, READ, 1, 2);
	expect_order(none, (evr_event_id[]){ 0, 1, 2, 3 }, 4);
	expect_order(none ^ EVR_RVF_GREEDY, (evr_event_id[]){ 0, 2, 1, 3 }, 4);
	/* A write at once if nobody wants it, nor what it overwrites: the last one. */
	forget_all();
	put(0, WRITE, 0, 0);
	put(1, READ, 0, 1);
	put(2, WRITE, 1, 0);
	expect_order(none, (evr_event_id[]){ 0, 1, 2 }, 3);
	expect_order(none ^ EVR_RVF_GREEDY, (evr_event_id[]){ 2, 0, 1 }, 3);
	/* Who has been executed does not want anything any more. */
	forget_all();
	put(0, READ, 0, UINT32_C(1) << INITIAL);
	put(1, WRITE, 1, 0);
	put(1, READ, 1, 2);
	put(2, WRITE, 0, 0);
	expect_order(none ^ EVR_RVF_GREEDY, (evr_event_id[]){ 0, 3, 1, 2 }, 4);
	/* One that writes too is neither. */
	forget_all();
	put(0, WRITE, 0, 0);
	put(1, RMW, 1, UINT32_C(1) << INITIAL);
	put(2, READ, 0, 1);
	expect_order(none ^ EVR_RVF_GREEDY, (evr_event_id[]){ 0, 2, 1 }, 3);
	/* One of the cells that would be overwritten is wanted, until it has been read. */
	forget_all();
	divided = true;
	put(0, WRITE, 1, 0);
	put(2, RMW, 2, UINT32_C(1) << INITIAL);
	put(1, WRITE, 1, 0);
	put_wide(0);
	put(2, READ, 1, 1 | 4);
	expect_order(none ^ EVR_RVF_GREEDY, (evr_event_id[]){ 0, 1, 4, 3, 2 }, 5);
}

/*
 * The example of tests/programs/rf_decision_rmw.c, which has a closure and yet no witness: this must be found out by trying. If the
 * last read may read the other write too, there is one.
 */
static void beyond_the_closure(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		forget_all();
		put(0, WRITE, 1, 0);
		put(0, WRITE, 2, 0);
		put(1, WRITE, 0, 0);
		put(1, WRITE, 1, 0);
		put(1, RMW, 2, 1 << 1);
		put(2, WRITE, 2, 0);
		put(2, WRITE, 0, 0);
		put(2, RMW, 1, 1 << 3);
		put(0, READ, 0, 1 << 6);
		put(0, READ, 1, 1 << 0);
		put(1, READ, 0, 1 << 2);
		put(2, READ, 2, 1 << 5 | i << 4);
		assert_true(evr_closure_find(&v.closure, &x, &v.pairs));
		assert_int_equal(has_witness(), i);
		ask_in_all_ways(&x, i);
	}
	assert_int_equal(v.filtered, 0);
	assert_int_equal(v.refuted, 24);
}

/* The write that the guide wants first leads nowhere; the closure, once it is asked for, knows that. */
static void closure_restricts(void **state)
{
	(void)state;
	const evr_event_id guide[] = { 1, 0, 2, 3 }, order[] = { 0, 2, 1, 3 };
	forget_all();
	put(0, WRITE, 0, 0);
	put(1, WRITE, 0, 0);
	put(2, READ, 0, 1);
	put(2, READ, 0, 2);
	v.off = EVR_RVF_GREEDY;
	assert_true(evr_verify_sc(&v, &x, guide, n));
	assert_memory_equal(v.order.data, order, sizeof(order));
	assert_int_equal(v.states, 1 + n);
}

/*
 * Four threads of six events, in more orders than can be tried, and a read that none of them allows. There are 7 * 7 * 7 * 7 states
 * before it; each is left once in each of the directions in which a thread goes on.
 */
static void no_state_twice(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 24; i++)
		evr_rvf_append(&x, &(struct evr_rvf_event){ .thread = (evr_thread_id)(1 + i % 4),
							    .index = i / 4,
							    .location = EVR_NO_LOCATION });
	evr_rvf_append(&x, &(struct evr_rvf_event){ .flags = WRITE, .cells = 1 });
	evr_rvf_append(&x, &(struct evr_rvf_event){ .flags = READ, .index = 1, .cells = 1 });
	evr_rvf_add_good(&x, 0, NONE, false);
	v.off = EVR_RVF_GREEDY | EVR_RVF_CLOSURE;
	assert_false(evr_verify_sc(&v, &x, NULL, 0));
	assert_int_equal(v.states, 4 * 6 * 7 * 7 * 7);
}

/* ---- names ---- */

static void heuristics_by_name(void **state)
{
	(void)state;
	static const struct {
		const char *names;
		unsigned set;
		const char *unknown;
	} all[] = {
		{ "closure", EVR_RVF_CLOSURE, NULL },
		{ "guide", EVR_RVF_GUIDE, NULL },
		{ "greedy", EVR_RVF_GREEDY, NULL },
		{ "signals", EVR_RVF_SIGNALS, NULL },
		{ "signals,closure", EVR_RVF_SIGNALS | EVR_RVF_CLOSURE, NULL },
		{ "guide,greedy,guide", EVR_RVF_GUIDE | EVR_RVF_GREEDY, NULL },
		{ "gui", 0, "gui" },
		{ "guides", 0, "guides" },
		{ "closure,magic,guide", 0, "magic" },
		{ "", 0, "" },
		{ "closure,", 0, "" },
		{ ",closure", 0, "" },
		{ "Closure", 0, "Closure" },
	};
	for (size_t i = 0; i < EVR_COUNT(all); i++) {
		unsigned set = 99;
		char *unknown = evr_rvf_heuristics(all[i].names, &set);
		if (all[i].unknown) {
			assert_non_null(unknown);
			assert_string_equal(unknown, all[i].unknown);
		} else {
			assert_null(unknown);
			assert_int_equal(set, all[i].set);
		}
		free(unknown);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(random_good_writes, setup, teardown),
		cmocka_unit_test_setup_teardown(random_values, setup, teardown),
		cmocka_unit_test_setup_teardown(random_closures, setup, teardown),
		cmocka_unit_test_setup_teardown(cut_restores, setup, teardown),
		cmocka_unit_test_setup_teardown(held_locations, setup, teardown),
		cmocka_unit_test_setup_teardown(greedy_rules, setup, teardown),
		cmocka_unit_test_setup_teardown(beyond_the_closure, setup, teardown),
		cmocka_unit_test_setup_teardown(closure_restricts, setup, teardown),
		cmocka_unit_test_setup_teardown(no_state_twice, setup, teardown),
		cmocka_unit_test(heuristics_by_name),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
