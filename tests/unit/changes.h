/*
 * What tests of oracles share: the reads-from trace of an execution, and changes of it, in the ways in which engine rf asks for
 * them. How events are executed, and whether a changed trace can happen, is for the test to say.
 */
#ifndef CHANGES_H
#define CHANGES_H

#include "twin.h"

#include "model/oracle.h"

#include <string.h>

#define NONE EVR_NO_EVENT
enum { READ = EVR_RF_READS, WRITE = EVR_RF_WRITES, RMW = READ | WRITE };
enum { THREADS = 10, SLOTS = 5, EVENTS = 30, STRIDE = 16 };

static uint64_t seed;
static struct evr_rf t;
static struct evr_oracle *o;
static struct evr_rf_change c;
static unsigned threads, locations;
static uint32_t slot_of[64]; /* the used cells have numbers below SLOTS */

static size_t below(size_t limit)
{
	return twin_below(&seed, limit);
}

/* All locations are known before there are events. */
static void begin(const struct evr_oracle_ops *ops, const struct evr_rf_region *all, size_t n)
{
	uint32_t slots = 0;
	evr_rf_init(&t, NULL);
	for (size_t i = 0; i < n; i++)
		evr_rf_location(
			&t, &(struct evr_event){ .kind = EVR_READ, .address = all[i].address, .size = all[i].size });
	memset(slot_of, -1, sizeof(slot_of));
	assert_in_range(t.division.cells.len, 0, EVR_COUNT(slot_of));
	for (size_t i = 0; i < n; i++)
		for (uint32_t cell = t.division.of.data[i].cell;
		     cell < t.division.of.data[i].cell + t.division.of.data[i].cells; cell++)
			if (slot_of[cell] == (uint32_t)-1)
				slot_of[cell] = slots++;
	assert_int_equal(slots, SLOTS);
	o = ops->create(&t);
}

static int teardown(void **state)
{
	(void)state;
	o->ops->destroy(o);
	evr_rf_release(&t);
	evr_vec_release(&c.items);
	evr_vec_release(&c.from);
	evr_vec_release(&c.afters);
	evr_vec_release(&c.sources);
	evr_vec_release(&c.number);
	evr_vec_release(&c.order);
	return 0;
}

/* ---- events ---- */

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
	return e < c.prefix ? t.afters.data : c.afters.data;
}

static const evr_event_id *sources_of(evr_event_id e)
{
	return e < c.prefix ? t.sources.data : c.sources.data;
}

static evr_event_id append(const struct evr_rf_event *x, const evr_event_id *afters, const evr_event_id *sources)
{
	evr_event_id id = (evr_event_id)t.events.len;
	evr_rf_append(&t, x, afters, sources);
	evr_vec_push(&t.rank, 0);
	evr_vec_push(&t.effect, NONE);
	return id;
}

/* An event, or the update of a store. */
static void append_to_order(evr_event_id step)
{
	(evr_rf_is_update(step) ? &t.effect : &t.rank)->data[evr_rf_event_of(step)] = (evr_event_id)t.order.len;
	evr_vec_push(&t.order, step);
}

/* ---- changes ---- */

#define OTHER (NONE - 1) /* as a source: the changed event before it */

/* An event that is to be changed; `id` is NONE if it is yet to come. */
struct changed {
	evr_event_id id;
	struct evr_rf_event event;
	const evr_event_id *afters;
	evr_event_id sources[SLOTS];
};

static _Alignas(16) int32_t past[STRIDE];

static evr_event_id number_of(evr_event_id e)
{
	if (e == OTHER)
		return (evr_event_id)total() - 1;
	return e == NONE || e < c.prefix ? e : c.number.data[e - c.prefix];
}

static void add_item(evr_event_id id, const struct evr_rf_event *x, const evr_event_id *afters,
		     const evr_event_id *sources)
{
	evr_event_id number = (evr_event_id)total();
	struct evr_rf_event y = *x;
	y.after = (uint32_t)c.afters.len;
	for (uint32_t i = 0; i < x->afters; i++)
		evr_vec_push(&c.afters, number_of(afters[x->after + i]));
	y.source = number_of(x->source);
	y.sources = (uint32_t)c.sources.len;
	for (uint32_t i = 0; x->flags & READ && x->cells > 1 && i < x->cells; i++)
		evr_vec_push(&c.sources, number_of(sources[x->sources + i]));
	evr_vec_push(&c.items, y);
	evr_vec_push(&c.from, id);
	if (id != NONE)
		c.number.data[id - c.prefix] = number;
}

/* Keep the events before the prefix and those in `past`, and put the changed ones behind. */
static void change(evr_event_id prefix, const struct changed *changed, unsigned n)
{
	c.prefix = prefix;
	c.changed = n;
	c.items.len = c.from.len = c.afters.len = c.sources.len = c.number.len = 0;
	for (size_t i = prefix; i < t.events.len; i++)
		evr_vec_push(&c.number, NONE);
	for (evr_event_id i = prefix; i < t.events.len; i++) {
		const struct evr_rf_event *x = &t.events.data[i];
		if ((int32_t)x->index < past[x->thread])
			add_item(i, x, t.afters.data, t.sources.data);
	}
	for (unsigned i = 0; i < n; i++)
		add_item(changed[i].id, &changed[i].event, changed[i].afters, changed[i].sources);
	/* There need be no place for what is behind all of them. */
	while (c.number.len && evr_vec_last(&c.number) == NONE && below(4))
		c.number.len--;
}

static struct changed change_of(evr_event_id id)
{
	struct changed k = { id, t.events.data[id], t.afters.data, { 0 } };
	k.event.sources = 0;
	return k;
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

static bool is_in_past(evr_event_id e)
{
	const struct evr_rf_event *x = &t.events.data[e];
	return past[x->thread] > (int32_t)x->index;
}

/* A write to the cell that does not come after either of these, or the initial one. */
static evr_event_id some_source(uint32_t cell, evr_event_id a, evr_event_id b)
{
	evr_event_id found[EVENTS] = { NONE };
	size_t count = 1;
	for (evr_event_id i = 0; i < t.events.len; i++) {
		const struct evr_rf_event *x = &t.events.data[i];
		if (x->flags & WRITE && evr_rf_covers(x, cell) && !evr_rf_before(&t, a, i) &&
		    (b == NONE || !evr_rf_before(&t, b, i)))
			found[count++] = i;
	}
	return found[below(count)];
}

static void set_source(struct changed *k, uint32_t cell, evr_event_id source)
{
	k->sources[cell - k->event.cell] = source;
	k->event.source = k->sources[0];
	if (source != NONE && source != OTHER)
		evr_clock_join(past, evr_rf_past(&t, source), t.clocks.width);
}

/* A compare-and-swap may succeed now, or fail now. */
static void succeed_or_fail(struct changed *k)
{
	if (!below(4) && (!t.buffers_stores || k->event.flags & EVR_RF_FLUSHES))
		k->event.flags ^= WRITE;
}

/* r reads from other writes that do not come after it. */
static bool read_other(evr_event_id r)
{
	struct changed k = change_of(r);
	memset(past, 0, sizeof(past));
	for (uint32_t cell = k.event.cell; cell < k.event.cell + k.event.cells; cell++)
		set_source(&k, cell, some_source(cell, r, NONE));
	succeed_or_fail(&k);
	change(some_prefix(r), &k, 1);
	return true;
}

/* The source of a cell of r, if it has that. */
static evr_event_id source_of(evr_event_id r, uint32_t cell, evr_event_id otherwise)
{
	const struct evr_rf_event *x = &t.events.data[r];
	return evr_rf_covers(x, cell) ? evr_rf_source(x, t.sources.data, cell - x->cell) : otherwise;
}

/* k comes where r is, mostly with r's sources; if r stays, it reads from k. */
static bool come_before(evr_event_id r, struct changed k, bool stays)
{
	struct changed both[2] = { k, change_of(r) };
	const struct evr_rf_event *x = &t.events.data[r];
	evr_rf_program_past(&t, &k.event, k.afters, past);
	both[0].event.flags = (uint8_t)((k.event.flags & EVR_RF_NATURE) | RMW);
	for (uint32_t cell = k.event.cell; cell < k.event.cell + k.event.cells; cell++) {
		evr_event_id source = some_source(cell, r, k.id);
		set_source(&both[0], cell, below(4) ? source_of(r, cell, source) : source);
	}
	bool meets = false;
	for (uint32_t cell = x->cell; stays && cell < x->cell + x->cells; cell++) {
		bool shared = evr_rf_covers(&k.event, cell) && below(5);
		set_source(&both[1], cell, shared ? OTHER : some_source(cell, r, k.id));
		meets |= shared;
	}
	if ((stays && !meets) || is_in_past(r) || (k.id != NONE && is_in_past(k.id)))
		return false;
	succeed_or_fail(&both[1]);
	change(some_prefix(r), both, stays ? 2 : 1);
	return k.id == NONE || k.id >= c.prefix;
}

static bool share_a_cell(const struct evr_rf_event *x, const struct evr_rf_event *y)
{
	return x->cell < y->cell + y->cells && y->cell < x->cell + x->cells;
}

static bool reverse(evr_event_id r)
{
	evr_event_id w = r + (evr_event_id)below(t.events.len - r);
	const struct evr_rf_event *x = &t.events.data[r], *y = &t.events.data[w];
	if (r == w || (y->flags & RMW) != RMW || !share_a_cell(x, y))
		return false;
	return come_before(r, change_of(w), below(3));
}

static bool come_before_by_pending(evr_event_id r)
{
	unsigned thread = (unsigned)below(threads);
	evr_event_id first = (evr_event_id)below(t.events.len);
	evr_rf_admit(&t, (evr_thread_id)thread);
	struct changed k = { NONE, t.events.data[r], &first, { 0 } };
	k.event.thread = (evr_thread_id)thread;
	k.event.flags = t.buffers_stores ? EVR_RF_FLUSHES : 0;
	k.event.index = (uint32_t)t.of_thread[thread].len;
	k.event.sources = k.event.after = 0;
	k.event.afters = t.events.data[first].thread != thread && !below(3);
	return come_before(r, k, below(2));
}

static bool choose_other(evr_event_id e)
{
	struct changed k = change_of(e);
	k.event.variant++;
	memset(past, 0, sizeof(past));
	change(e, &k, 1);
	return true;
}

static bool some_change(void)
{
	evr_event_id r = (evr_event_id)below(t.events.len);
	const struct evr_rf_event *x = &t.events.data[r];
	if (x->kind == EVR_CHOOSE)
		return choose_other(r);
	if (!(x->flags & READ))
		return false;
	if (!below(8))
		return come_before_by_pending(r);
	return below(2) ? read_other(r) : reverse(r);
}

/* The changed trace is executed as the answer says. */
static void adopt(void)
{
	evr_rf_rewind(&t, c.prefix);
	o->ops->rewind(o, c.prefix);
	t.rank.len = t.effect.len = c.prefix;
	for (size_t i = 0; i < c.items.len; i++)
		append(&c.items.data[i], c.afters.data, c.sources.data);
	t.order.len = 0;
	for (size_t k = 0; k < c.order.len; k++)
		append_to_order(c.order.data[k]);
}

static void begin_trace(void)
{
	evr_rf_rewind(&t, 0);
	o->ops->rewind(o, 0);
	t.rank.len = t.effect.len = t.order.len = 0;
}

/* ---- the paper's example 5.2 ---- */

enum { X, Y, Z, U, V, ROUNDS = 900 };

/* The two writes x=3 and x=4. */
struct pair {
	evr_event_id three, four;
};

/* So many events that do not belong there may come in between. */
static size_t noise;

/* Of the test's own: */
static void execute_some(size_t n);
/* One more event at the end of the execution, after another one if that is not NONE. */
static evr_event_id execute_after(evr_event_id first, unsigned thread, unsigned flags, uint32_t location);
/* The same, perhaps with others before it: `noise`. A write takes effect before its thread goes on. */
static evr_event_id execute(unsigned thread, unsigned flags, uint32_t location);
/* Can the changed trace happen? The oracle and the twin agree. */
static bool ask(void);

/* The last event, a read, reads from w. */
static void change_last(evr_event_id w)
{
	evr_event_id last = (evr_event_id)t.events.len - 1;
	struct changed k = change_of(last);
	memset(past, 0, sizeof(past));
	for (uint32_t i = 0; i < k.event.cells; i++)
		set_source(&k, k.event.cell + i, w);
	change(last, &k, 1);
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

/* These, with other events in between: random executions hardly ever need the decision procedure. */
static void ask_for_some(bool both_halves)
{
	unsigned possible = 0, impossible = 0;
	threads = THREADS;
	locations = SLOTS;
	for (unsigned i = 0; i < ROUNDS; i++) {
		begin_trace();
		noise = below(i % 3 == 1 && both_halves ? 4 : 8);
		if (i % 3 == 0)
			ask_for_figure_5(false);
		else if (i % 3 == 1 && both_halves)
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

#endif
