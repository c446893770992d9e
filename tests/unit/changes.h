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
static uint32_t slot_of[32]; /* the used cells have numbers below SLOTS */

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
	for (size_t i = 0; i < n; i++)
		for (uint32_t cell = t.at.data[i].cell; cell < t.at.data[i].cell + t.at.data[i].cells; cell++)
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
		evr_rf_join(past, evr_rf_past(&t, source), t.stride);
}

/* A compare-and-swap may succeed now, or fail now. */
static void succeed_or_fail(struct changed *k)
{
	if (!below(4) && (!t.buffered || k->event.flags & EVR_RF_FLUSHES))
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
	k.event.flags = t.buffered ? EVR_RF_FLUSHES : 0;
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
	evr_rf_cut(&t, c.prefix);
	o->ops->cut(o, c.prefix);
	t.rank.len = t.effect.len = c.prefix;
	for (size_t i = 0; i < c.items.len; i++)
		append(&c.items.data[i], c.afters.data, c.sources.data);
	t.order.len = 0;
	for (size_t k = 0; k < c.order.len; k++)
		append_to_order(c.order.data[k]);
}

static void begin_trace(void)
{
	evr_rf_cut(&t, 0);
	o->ops->cut(o, 0);
	t.rank.len = t.effect.len = t.order.len = 0;
}

#endif
