/*
 * Branches where accesses of different sizes overlap. An event that reads several cells gets sources for all of them at once: one
 * cell, or one write, at a time would miss classes.
 *
 * Invariant: all cells of an event have their sources before anybody is asked whether that is possible.
 */
#include "explore/rf_search.h"

#include <string.h>

#define NONE EVR_NO_EVENT

/* Of a mutex, only its functions' own reads count. */
bool evr_rf_is_divided(const struct evr_rf *t, evr_event_id id)
{
	if (EVR_LIKELY(!evr_rf_component(t, t->events.data[id].location)->divided))
		return false;
	return !evr_kind_is_mutex(evr_rf_kind(t, id));
}

static bool is_fresh(const struct evr_rf_search *f, evr_event_id e)
{
	return e != NONE && (e >= f->extension || (e >= f->block && f->t.events.data[e].flags & EVR_RF_CHANGED));
}

static bool reads_from(const struct evr_rf *t, evr_event_id e, evr_event_id source)
{
	const struct evr_rf_event *x = &t->events.data[e];
	for (uint32_t i = 0; i < x->cells; i++)
		if (evr_rf_source(x, t->sources.data, i) == source)
			return true;
	return false;
}

static bool share_a_cell(const struct evr_rf_event *x, const struct evr_rf_event *y)
{
	return x->cell < y->cell + y->cells && y->cell < x->cell + x->cells;
}

/* Might w, a read-modify-write, get other sources so that r can read from it? */
static bool can_be_resourced(struct evr_rf_search *f, evr_event_id r, evr_event_id w)
{
	const struct evr_rf *t = &f->t;
	const struct evr_rf_event *x = &t->events.data[r], *y = &t->events.data[w];
	if (!(y->flags & EVR_RF_READS) || evr_rf_kind(t, w) == EVR_READ || w == r || w < f->node_of.data[r] ||
	    !share_a_cell(x, y))
		return false;
	struct evr_rf_changed c = evr_rf_copy(t, w, 0);
	return !evr_clock_has(evr_rf_past_of(f, &c), x->thread, x->index);
}

/* Those who could be the source of a cell of `reader`, besides the initial write: not after r, nor after the other one. */
static void find_sources(struct evr_rf_search *f, evr_rf_ids *out, uint32_t cell, evr_event_id r, evr_event_id other)
{
	const struct evr_rf *t = &f->t;
	evr_vec_clear(out);
	evr_vec_push(out, NONE);
	for (evr_event_id i = evr_rf_last(t, t->events.data[r].location); i != NONE; i = t->events.data[i].older) {
		const struct evr_rf_event *y = &t->events.data[i];
		if (!evr_rf_covers(y, cell) || i == r || i == other)
			continue;
		bool usual = y->flags & EVR_RF_WRITES && !evr_rf_before(t, r, i) &&
			     (other == NONE || !evr_rf_before(t, other, i));
		if (usual || (other == NONE && can_be_resourced(f, r, i)))
			evr_vec_push(out, i);
	}
}

/* Go to the next way to choose one from each list. False: that was the last. */
static bool next_choice(uint32_t *chosen, const evr_rf_ids *lists, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		if (++chosen[i] < lists[i].len)
			return true;
		chosen[i] = 0;
	}
	return false;
}

#define MAX_CELLS 32

/* A way for r to read, and for one other to be given sources, so that r can read from it. */
struct assignment {
	evr_event_id sources[MAX_CELLS];
	evr_event_id resourced; /* or NONE */
	evr_event_id its_sources[MAX_CELLS];
};

static void set_sources(struct evr_rf_changed *c, const evr_event_id *sources)
{
	c->sources = sources;
	c->event.sources = 0;
	c->event.source = sources[0];
}

static void join_source(struct evr_rf_search *f, int32_t *past, evr_event_id source)
{
	if (source != NONE)
		evr_clock_join(past, evr_rf_past(&f->t, source), f->t.clocks.width);
}

static void propose_assignment(struct evr_rf_search *f, evr_event_id r, const struct assignment *a)
{
	const struct evr_rf *t = &f->t;
	const struct evr_rf_event *x = &t->events.data[r];
	struct evr_rf_changed both[2] = { evr_rf_changed(t, r, NONE, 0), evr_rf_changed(t, r, NONE, 0) };
	evr_event_id sources[MAX_CELLS] = { NONE };
	bool two = a->resourced != NONE;
	unsigned n = two ? 2 : 1;
	int32_t *past = evr_rf_past_of(f, &both[0]);
	evr_clock_clear(past, t->clocks.width);
	if (two) {
		both[0] = evr_rf_changed(t, a->resourced, NONE, EVR_RF_READS | EVR_RF_WRITES | EVR_RF_MARKED);
		evr_rf_past_of(f, &both[0]);
		set_sources(&both[0], a->its_sources);
		for (uint32_t i = 0; i < both[0].event.cells; i++)
			join_source(f, past, a->its_sources[i]);
		if (!evr_rf_would_write(t, &both[0]))
			return;
	}
	for (uint32_t i = 0; i < x->cells; i++) {
		bool from_item = two && a->sources[i] == a->resourced;
		sources[i] = from_item ? EVR_RF_ITEM_BEFORE : a->sources[i];
		if (!from_item)
			join_source(f, past, a->sources[i]);
	}
	if (evr_clock_has(past, x->thread, x->index))
		return;
	struct evr_rf_changed *head = &both[n - 1];
	set_sources(head, sources);
	evr_rf_set_writes(t, head, two ? evr_rf_would_write_after(t, head, &both[0]) : evr_rf_would_write(t, head));
	evr_rf_propose(f, f->node_of.data[r], past, both, n);
}

/* Is something new among the sources that the other one is given? */
static bool has_fresh_source(const struct evr_rf_search *f, const struct assignment *a)
{
	const struct evr_rf_event *y = &f->t.events.data[a->resourced];
	for (uint32_t i = 0; i < y->cells; i++)
		if (is_fresh(f, a->its_sources[i]))
			return true;
	return false;
}

/* Is it another way than the present one, and is there something new in it? */
static bool is_new_assignment(const struct evr_rf_search *f, evr_event_id r, const struct assignment *a)
{
	const struct evr_rf_event *x = &f->t.events.data[r];
	bool other = a->resourced != NONE, fresh = r >= f->extension || (other && has_fresh_source(f, a));
	for (uint32_t i = 0; i < x->cells; i++) {
		bool changed = a->sources[i] != evr_rf_source(x, f->t.sources.data, i);
		/* One that is not read from does not read from anything either; it has no sources yet. */
		changed |= !(x->flags & EVR_RF_READS);
		other |= changed;
		if (changed || a->sources[i] == a->resourced)
			fresh |= is_fresh(f, a->sources[i]);
	}
	return other && fresh;
}

/* All ways to give w other sources, while r reads from it. */
static void resource(struct evr_rf_search *f, evr_event_id r, struct assignment *a, evr_event_id w)
{
	const struct evr_rf *t = &f->t;
	const struct evr_rf_event *y = &t->events.data[w];
	evr_rf_ids lists[MAX_CELLS] = { { 0 } };
	uint32_t chosen[MAX_CELLS] = { 0 };
	a->resourced = w;
	for (uint32_t i = 0; i < y->cells; i++)
		find_sources(f, &lists[i], y->cell + i, r, w);
	do {
		bool same = true;
		for (uint32_t i = 0; i < y->cells; i++) {
			a->its_sources[i] = lists[i].data[chosen[i]];
			same &= a->its_sources[i] == evr_rf_source(y, t->sources.data, i);
		}
		if (!same && is_new_assignment(f, r, a))
			propose_assignment(f, r, a);
	} while (next_choice(chosen, lists, y->cells));
	for (uint32_t i = 0; i < y->cells; i++)
		evr_vec_release(&lists[i]);
	a->resourced = NONE;
}

/* Does r, in this assignment, read all that w writes? */
static bool takes_all(const struct evr_rf *t, const struct evr_rf_event *x, const struct assignment *a, evr_event_id w)
{
	const struct evr_rf_event *y = &t->events.data[w];
	for (uint32_t cell = y->cell; cell < y->cell + y->cells; cell++)
		if (!evr_rf_covers(x, cell) || a->sources[cell - x->cell] != w)
			return false;
	return true;
}

/* At most one of the sources is given other sources; the others must be what they are, and not come after that one. */
static void try_assignment(struct evr_rf_search *f, evr_event_id r, struct assignment *a)
{
	const struct evr_rf *t = &f->t;
	const struct evr_rf_event *x = &t->events.data[r];
	evr_event_id must = NONE;
	for (uint32_t i = 0; i < x->cells; i++) {
		evr_event_id w = a->sources[i];
		if (w == NONE || (t->events.data[w].flags & EVR_RF_WRITES && !evr_rf_before(t, r, w)))
			continue;
		if (must != NONE && must != w)
			return;
		must = w;
	}
	a->resourced = NONE;
	if (must == NONE && is_new_assignment(f, r, a))
		propose_assignment(f, r, a);
	for (uint32_t i = 0; i < x->cells; i++) {
		evr_event_id w = a->sources[i];
		bool fits = w != NONE && (must == NONE || must == w) && can_be_resourced(f, r, w) &&
			    (reads_from(t, w, r) || !takes_all(t, x, a, w));
		for (uint32_t k = 0; fits && k < x->cells; k++) {
			evr_event_id v = a->sources[k];
			fits = (v != w || k >= i) && (v == w || v == NONE || !evr_rf_before(t, w, v));
		}
		if (fits)
			resource(f, r, a, w);
	}
}

void evr_rf_assign(struct evr_rf_search *f, evr_event_id r)
{
	const struct evr_rf_event *x = &f->t.events.data[r];
	evr_rf_ids lists[MAX_CELLS] = { { 0 } };
	uint32_t chosen[MAX_CELLS] = { 0 };
	struct assignment a = { .resourced = NONE };
	if (!evr_rf_is_divided(&f->t, r))
		return;
	EVR_ASSERT(x->cells <= MAX_CELLS);
	for (uint32_t i = 0; i < x->cells; i++)
		find_sources(f, &lists[i], x->cell + i, r, NONE);
	do {
		for (uint32_t i = 0; i < x->cells; i++)
			a.sources[i] = lists[i].data[chosen[i]];
		try_assignment(f, r, &a);
	} while (next_choice(chosen, lists, x->cells));
	for (uint32_t i = 0; i < x->cells; i++)
		evr_vec_release(&lists[i]);
}

void evr_rf_assign_all(struct evr_rf_search *f, evr_event_id e)
{
	struct evr_rf *t = &f->t;
	const struct evr_rf_event *x = &t->events.data[e];
	if (e >= f->extension && x->flags & EVR_RF_READS)
		evr_rf_assign(f, e);
	for (evr_event_id i = evr_rf_last(t, x->location); i != NONE; i = t->events.data[i].older)
		if (i < f->extension && f->node_of.data[i] != NONE && t->events.data[i].flags & EVR_RF_READS)
			evr_rf_assign(f, i);
}
