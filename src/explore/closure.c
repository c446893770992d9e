/* The closure of (X, GoodW), by the four rules of paper 001, section 4.2. The initial writes come before all events. */
#include "explore/verify_sc.h"

#include <stdlib.h>
#include <string.h>

#define NONE EVR_NO_EVENT

struct closing {
	struct evr_closure *c;
	const struct evr_rvf *x;
	bool changed;
};

static uint32_t *past(const struct evr_closure *c, evr_event_id e)
{
	return &c->before[(size_t)e * c->stride];
}

/* a < b; the initial write is before all others. */
static bool before(const struct closing *k, evr_event_id a, evr_event_id b)
{
	if (a == NONE || b == NONE)
		return a == NONE && b != NONE;
	const struct evr_rvf_event *y = &k->x->events.data[a];
	return past(k->c, b)[y->thread] > y->index;
}

static void begin(struct evr_closure *c, const struct evr_rvf *x)
{
	c->stride = x->threads;
	if (c->room < x->events.len * c->stride) {
		c->room = 2 * x->events.len * c->stride;
		free(c->before);
		c->before = evr_alloc(c->room * sizeof(*c->before));
	}
	for (evr_event_id i = 0; i < x->events.len; i++) {
		const struct evr_rvf_event *y = &x->events.data[i];
		memcpy(past(c, i), x->pasts.data[y->past].count, c->stride * sizeof(*c->before));
		past(c, i)[y->thread] = y->index;
	}
}

/* a < b from now on, and what follows from it. False: that cannot be. */
static bool order(struct closing *k, evr_event_id a, evr_event_id b)
{
	if (before(k, a, b))
		return true;
	if (a == b || b == NONE || before(k, b, a))
		return false;
	const struct evr_rvf_event *y = &k->x->events.data[a];
	const uint32_t *from = past(k->c, a);
	for (evr_event_id i = 0; i < k->x->events.len; i++) {
		if (i != b && !before(k, b, i))
			continue;
		uint32_t *to = past(k->c, i);
		for (uint32_t t = 0; t < k->c->stride; t++)
			if (to[t] < from[t])
				to[t] = from[t];
		if (to[y->thread] <= y->index)
			to[y->thread] = y->index + 1;
	}
	k->changed = true;
	return true;
}

/* Is w, of the writes to the cell, still visible to r? */
static bool is_visible(const struct closing *k, evr_event_id w, evr_event_id r)
{
	if (w != NONE && before(k, r, w))
		return false;
	for (size_t i = 0; i < k->c->writes.len; i++) {
		evr_event_id other = k->c->writes.data[i];
		if (other != w && other != r && before(k, w, other) && before(k, other, r))
			return false;
	}
	return true;
}

/* The least or the greatest of the visible good writes. False: there is none. */
static bool find_extreme(const struct closing *k, bool least, evr_event_id *found)
{
	const evr_rvf_ids *all = &k->c->visible;
	for (size_t i = 0; i < all->len; i++) {
		bool extreme = true;
		for (size_t j = 0; extreme && j < all->len; j++)
			extreme = i == j || (least ? before(k, all->data[i], all->data[j])
						   : before(k, all->data[j], all->data[i]));
		if (extreme) {
			*found = all->data[i];
			return true;
		}
	}
	return false;
}

static void collect(struct closing *k, const struct evr_rvf_part *p)
{
	const struct evr_rvf *x = k->x;
	const struct evr_rvf_event *y = &x->events.data[p->read];
	evr_vec_clear(&k->c->writes);
	evr_vec_clear(&k->c->visible);
	for (evr_event_id i = x->at.data[y->location].last; i != NONE; i = x->events.data[i].older)
		if (x->events.data[i].flags & EVR_RVF_WRITES && evr_rvf_covers(&x->events.data[i], p->cell))
			evr_vec_push(&k->c->writes, i);
	for (uint32_t i = 0; i < p->goods; i++) {
		evr_event_id w = x->goods.data[p->good + i].write;
		if (is_visible(k, w, p->read))
			evr_vec_push(&k->c->visible, w);
	}
}

/* The rules are about one location; what an event reads of each cell is a read of its own to them. */
static bool close_part(struct closing *k, uint32_t part)
{
	const evr_rvf_ids *visible = &k->c->visible;
	evr_event_id least, greatest, r = k->x->parts.data[part].read;
	collect(k, &k->x->parts.data[part]);
	if (!visible->len)
		return false;
	if (find_extreme(k, true, &least) && !order(k, least, r))
		return false;
	bool has_greatest = find_extreme(k, false, &greatest);
	for (size_t i = 0; i < k->c->writes.len; i++) {
		evr_event_id bad = k->c->writes.data[i];
		if (bad == r || evr_rvf_good(k->x, part, bad))
			continue;
		if (has_greatest && before(k, bad, r) && !order(k, bad, greatest))
			return false;
		bool after_all = true;
		for (size_t j = 0; after_all && j < visible->len; j++)
			after_all = before(k, visible->data[j], bad);
		if (after_all && !order(k, r, bad))
			return false;
	}
	return true;
}

bool evr_closure_find(struct evr_closure *c, const struct evr_rvf *x, const evr_rvf_pairs *pairs)
{
	struct closing k = { c, x, true };
	begin(c, x);
	for (size_t i = 0; i < pairs->len; i++)
		if (!order(&k, pairs->data[i].first, pairs->data[i].second))
			return false;
	while (k.changed) {
		k.changed = false;
		for (uint32_t i = 0; i < x->parts.len; i++)
			if (!close_part(&k, i))
				return false;
	}
	return true;
}

void evr_closure_release(struct evr_closure *c)
{
	free(c->before);
	evr_vec_release(&c->writes);
	evr_vec_release(&c->visible);
}
