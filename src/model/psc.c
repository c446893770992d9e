/* The graph, and psc with a given modification order. Invariant: the members of a location are in the order of their events. */
#include "model/psc.h"

#include <string.h>

#define NONE EVR_NO_EVENT

void evr_psc_release(struct evr_psc *p)
{
	for (size_t i = 0; i < p->locations.len; i++)
		evr_coherence_release(&p->locations.data[i]);
	for (unsigned i = 0; i < EVR_MAX_THREADS; i++)
		evr_vec_release(&p->of_thread[i]);
	evr_vecs_release(&p->events, &p->locations, &p->location_of, &p->order.of, &p->order.bits, &p->nodes, &p->first,
			 &p->last, &p->last_write, &p->colour, &p->stack);
	evr_relation_release(&p->fixed);
	evr_relation_release(&p->psc);
}

void evr_psc_begin(struct evr_psc *p, const struct evr_sync *s)
{
	for (unsigned i = 0; i < p->threads; i++)
		evr_vec_clear(&p->of_thread[i]);
	p->sync = s;
	p->threads = s->trace->threads;
	p->used = 0;
	evr_vec_clear(&p->events);
	evr_vec_clear(&p->nodes);
	evr_vec_clear(&p->location_of);
	for (size_t i = 0; i < s->trace->at.len; i++)
		evr_vec_push(&p->location_of, NONE);
}

static uint32_t location_of(struct evr_psc *p, uint32_t location)
{
	uint32_t *known = &p->location_of.data[location];
	if (*known != NONE)
		return *known;
	if (p->used == p->locations.len)
		evr_vec_push(&p->locations, ((struct evr_coherence){ .reads_count = true }));
	evr_coherence_begin(&p->locations.data[p->used], p->threads);
	return *known = (uint32_t)p->used++;
}

void evr_psc_add(struct evr_psc *p, const struct evr_rf_event *x, const struct evr_sync_event *sync)
{
	evr_event_id number = (evr_event_id)p->events.len;
	struct evr_psc_event e = { *x, *sync, NONE, NONE };
	if (x->flags & (EVR_RF_READS | EVR_RF_WRITES)) {
		e.location = location_of(p, x->location);
		struct evr_coherence *c = &p->locations.data[e.location];
		bool reads_write = x->flags & EVR_RF_READS && x->source != NONE;
		e.member = (uint32_t)c->members.len;
		struct evr_member *m = evr_coherence_new(c);
		m->number = number;
		m->thread = x->thread;
		m->flags = x->flags;
		m->place = evr_sync_place(x);
		m->past = evr_sync_row(p->sync, sync->clock);
		m->source = reads_write ? c->member_of.data[x->source] : EVR_INITIAL;
		if (!evr_coherence_enter(c, true))
			evr_bug("a location that is coherent is not");
	}
	evr_vec_push(&p->events, e);
	evr_vec_push(&p->of_thread[x->thread], number);
	if (x->order == EVR_SEQ_CST)
		evr_vec_push(&p->nodes, number);
}

/* ---- happens-before ---- */

static bool knows(const struct evr_psc *p, uint32_t row, const struct evr_psc_event *e)
{
	return evr_sync_row(p->sync, row)[e->x.thread] > evr_sync_place(&e->x);
}

static bool happens_before(const struct evr_psc *p, const struct evr_psc_event *a, const struct evr_psc_event *b)
{
	return a != b && knows(p, b->sync.clock, a);
}

/* Whatever does not access the same location is elsewhere, and so is a creation or a join. */
static bool same_location(const struct evr_psc_event *a, const struct evr_psc_event *b)
{
	return a->location != NONE && a->location == b->location;
}

/* The first place behind the event, in its thread, at which something is elsewhere. */
static int32_t leaves_at(const struct evr_psc *p, const struct evr_psc_event *a)
{
	const evr_rf_ids *mine = &p->of_thread[a->x.thread];
	uint32_t i = a->x.index + 1;
	for (; i < mine->len; i++) {
		const struct evr_psc_event *e = &p->events.data[mine->data[i]];
		if (e->x.apart)
			return evr_sync_place(&e->x) - 1;
		if (!same_location(a, e))
			return evr_sync_place(&e->x);
	}
	/* The end of the thread, or somebody is created there. */
	return (int32_t)(2 * i);
}

/* What is known to the last that is elsewhere, before the event in its thread: a row. NONE: there is nothing. */
static uint32_t enters_with(const struct evr_psc *p, const struct evr_psc_event *b)
{
	const evr_rf_ids *mine = &p->of_thread[b->x.thread];
	for (uint32_t i = b->x.index;; i--) {
		const struct evr_psc_event *e = &p->events.data[mine->data[i]];
		if (i < b->x.index && !same_location(b, e))
			return e->sync.clock;
		if (e->x.apart)
			return e->sync.before;
		if (!i)
			return NONE;
	}
}

/* ---- what does not depend on the order ---- */

static bool is_fence(const struct evr_psc_event *e)
{
	return e->x.kind == EVR_FENCE;
}

/* Is there an access to the location of `access` between the two, in happens-before? */
static bool meet_at(const struct evr_psc *p, const struct evr_psc_event *a, const struct evr_psc_event *b,
		    const struct evr_psc_event *access)
{
	const struct evr_coherence *c = &p->locations.data[access->location];
	for (size_t i = 1; i < c->members.len; i++) {
		const struct evr_psc_event *x = &p->events.data[c->members.data[i].number];
		if (x != access && happens_before(p, a, x) && happens_before(p, x, b))
			return true;
	}
	return false;
}

static bool is_fixed(const struct evr_psc *p, const struct evr_psc_event *a, const struct evr_psc_event *b)
{
	if (a->x.thread == b->x.thread)
		return a->x.index < b->x.index;
	if (!knows(p, b->sync.clock, a))
		return false;
	if (is_fence(a))
		return is_fence(b) || knows(p, b->sync.before, a) || meet_at(p, a, b, b);
	if (is_fence(b))
		return evr_sync_row(p->sync, b->sync.clock)[a->x.thread] > evr_sync_place(&a->x) + 1 ||
		       meet_at(p, a, b, a);
	if (same_location(a, b))
		return true;
	uint32_t row = enters_with(p, b);
	return row != NONE && evr_sync_row(p->sync, row)[a->x.thread] > leaves_at(p, a);
}

/* Of a fence: where what counts of a location and a thread is in `first`, `last`, `last_write`. */
static size_t frontier(const struct evr_psc *p, size_t fence, size_t location, unsigned thread)
{
	return (fence * p->used + location) * p->threads + thread;
}

static void find_frontiers(struct evr_psc *p, size_t fence, const struct evr_psc_event *f)
{
	for (size_t k = 0; k < p->used * p->threads; k++) {
		evr_vec_push(&p->first, NONE);
		evr_vec_push(&p->last, NONE);
		evr_vec_push(&p->last_write, NONE);
	}
	for (size_t k = 0; k < p->used; k++) {
		const struct evr_coherence *c = &p->locations.data[k];
		for (uint32_t m = 1; m < c->members.len; m++) {
			const struct evr_psc_event *x = &p->events.data[c->members.data[m].number];
			size_t at = frontier(p, fence, k, x->x.thread);
			if (p->first.data[at] == NONE && happens_before(p, f, x))
				p->first.data[at] = m;
			if (!happens_before(p, x, f))
				continue;
			p->last.data[at] = m;
			if (x->x.flags & EVR_RF_WRITES)
				p->last_write.data[at] = m;
		}
	}
}

/* Fences come first among the nodes. */
static void sort_nodes(struct evr_psc *p)
{
	size_t fences = 0;
	for (size_t i = 0; i < p->nodes.len; i++) {
		evr_event_id n = p->nodes.data[i];
		if (!is_fence(&p->events.data[n]))
			continue;
		p->nodes.data[i] = p->nodes.data[fences];
		p->nodes.data[fences++] = n;
	}
}

void evr_psc_prepare(struct evr_psc *p)
{
	sort_nodes(p);
	evr_vec_clear(&p->first);
	evr_vec_clear(&p->last);
	evr_vec_clear(&p->last_write);
	evr_relation_clear(&p->fixed, p->nodes.len);
	for (evr_event_id i = 0; i < p->nodes.len; i++) {
		const struct evr_psc_event *a = &p->events.data[p->nodes.data[i]];
		for (evr_event_id k = 0; k < p->nodes.len; k++)
			if (k != i && is_fixed(p, a, &p->events.data[p->nodes.data[k]]))
				evr_relation_add(&p->fixed, i, k);
		if (is_fence(a))
			find_frontiers(p, i, a);
	}
}

/* ---- what does ---- */

/*
 * Does member a come before member b, in the order of their location's states? A write is where its state begins, who only reads it is
 * in it.
 */
static bool comes_before(const struct evr_psc *p, const struct evr_psc_order *o, size_t location, uint32_t a,
			 uint32_t b)
{
	const struct evr_coherence *c = &p->locations.data[location];
	const struct evr_member *x = &c->members.data[a], *y = &c->members.data[b];
	bool a_writes = x->flags & EVR_RF_WRITES, b_writes = y->flags & EVR_RF_WRITES;
	uint32_t v = a_writes ? a : x->source, w = b_writes ? b : y->source;
	if (v == w)
		return a_writes && !b_writes;
	x = &c->members.data[v];
	y = &c->members.data[w];
	if (x->block == y->block)
		return x->block_index < y->block_index;
	return evr_mo_has(o, &o->of.data[location], x->block, y->block);
}

static bool fence_to_access(const struct evr_psc *p, const struct evr_psc_order *o, size_t fence,
			    const struct evr_psc_event *b)
{
	for (unsigned t = 0; b->x.flags & EVR_RF_WRITES && t < p->threads; t++) {
		uint32_t x = p->first.data[frontier(p, fence, b->location, t)];
		if (x != NONE && comes_before(p, o, b->location, x, b->member))
			return true;
	}
	return false;
}

static bool access_to_fence(const struct evr_psc *p, const struct evr_psc_order *o, const struct evr_psc_event *a,
			    size_t fence)
{
	for (unsigned t = 0; t < p->threads; t++) {
		uint32_t y = p->last_write.data[frontier(p, fence, a->location, t)];
		if (y != NONE && comes_before(p, o, a->location, a->member, y))
			return true;
	}
	return false;
}

static bool fence_to_fence(const struct evr_psc *p, const struct evr_psc_order *o, size_t f, size_t g)
{
	for (size_t k = 0; k < p->used; k++)
		for (unsigned t = 0; t < p->threads; t++) {
			uint32_t x = p->first.data[frontier(p, f, k, t)];
			for (unsigned u = 0; x != NONE && u < p->threads; u++) {
				uint32_t y = p->last.data[frontier(p, g, k, u)];
				if (y != NONE && comes_before(p, o, k, x, y))
					return true;
			}
		}
	return false;
}

static bool is_ordered(const struct evr_psc *p, const struct evr_psc_order *o, evr_event_id i, evr_event_id k)
{
	const struct evr_psc_event *a = &p->events.data[p->nodes.data[i]], *b = &p->events.data[p->nodes.data[k]];
	if (is_fence(a))
		return is_fence(b) ? fence_to_fence(p, o, i, k) : fence_to_access(p, o, i, b);
	if (is_fence(b))
		return access_to_fence(p, o, a, k);
	return same_location(a, b) && b->x.flags & EVR_RF_WRITES &&
	       comes_before(p, o, a->location, a->member, b->member);
}

/* Is there a way back to where it has come from? Depth first: 1 is on the way, 2 is done. */
static bool has_cycle(struct evr_psc *p)
{
	size_t n = p->nodes.len;
	evr_vec_reserve(&p->colour, n);
	memset(p->colour.data, 0, n);
	for (evr_event_id root = 0; root < n; root++) {
		if (p->colour.data[root])
			continue;
		evr_vec_clear(&p->stack);
		evr_vec_push(&p->stack, root);
		while (p->stack.len) {
			evr_event_id i = evr_vec_last(&p->stack), next = NONE;
			p->colour.data[i] = 1;
			for (evr_event_id k = 0; k < n && next == NONE; k++)
				if (p->colour.data[k] != 2 && evr_relation_has(&p->psc, i, k))
					next = k;
			if (next != NONE && p->colour.data[next] == 1)
				return true;
			if (next == NONE) {
				p->colour.data[i] = 2;
				p->stack.len--;
			} else {
				evr_vec_push(&p->stack, next);
			}
		}
	}
	return false;
}

bool evr_psc_acyclic(struct evr_psc *p, const struct evr_psc_order *o)
{
	evr_relation_copy(&p->psc, &p->fixed);
	for (evr_event_id i = 0; i < p->nodes.len; i++)
		for (evr_event_id k = 0; k < p->nodes.len; k++)
			if (i != k && !evr_relation_has(&p->psc, i, k) && is_ordered(p, o, i, k))
				evr_relation_add(&p->psc, i, k);
	return !has_cycle(p);
}
