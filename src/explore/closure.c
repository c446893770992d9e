/*
 * The closure of (X, GoodW), by the four rules of paper 001, section 4.2. The initial writes come before all events.
 *
 * Invariant: what is ordered holds in every witness, so that a cycle means that there is none.
 */
#include "explore/verify_sc.h"

#include <stdlib.h>
#include <string.h>

#define NONE EVR_NO_EVENT

struct closing {
	struct evr_closure *c;
	const struct evr_rvf *x;
};

static int32_t *past(const struct evr_closure *c, evr_event_id e)
{
	return evr_clocks_at(&c->before, e);
}

/* a < b; the initial write is before all others. */
static bool before(const struct closing *k, evr_event_id a, evr_event_id b)
{
	if (a == NONE || b == NONE)
		return a == NONE && b != NONE;
	const struct evr_rvf_event *y = &k->x->events.data[a];
	return evr_clock_has(past(k->c, b), y->thread, y->index);
}

static void reset(struct evr_closure *c, const struct evr_rvf *x)
{
	while (c->changed.len < x->newest.len)
		evr_vec_push(&c->changed, 0);
	while (c->good.len < x->events.len)
		evr_vec_push(&c->good, 0);
	evr_vec_reserve(&c->closed, x->parts.len);
	if (EVR_UNLIKELY(x->threads > c->before.width))
		evr_clocks_resize(&c->before, evr_clock_width(x->threads), x->events.len, 0);
	evr_clocks_reserve(&c->before, x->events.len, 0);
	EVR_ASSERT(c->before.width <= x->pasts.width);
	for (evr_event_id i = 0; i < x->events.len; i++) {
		const struct evr_rvf_event *y = &x->events.data[i];
		evr_clock_copy(past(c, i), evr_clocks_at(&x->pasts, y->past), c->before.width);
		past(c, i)[y->thread] = (int32_t)y->index;
	}
}

/* The first event of the thread that is after e, or is e: its place among the thread's. Those behind it are, too. */
static uint32_t first_after(const struct closing *k, unsigned thread, evr_event_id e)
{
	const struct evr_rvf_event *y = &k->x->events.data[e];
	const evr_rvf_ids *all = &k->x->of_thread[thread];
	uint32_t low = 0, high = (uint32_t)all->len;
	if (y->thread == thread)
		return y->index;
	while (low < high) {
		uint32_t middle = (low + high) / 2;
		if (before(k, e, all->data[middle]))
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* a < b from now on, and what follows from it. False: that cannot be. */
static bool order(struct closing *k, evr_event_id a, evr_event_id b)
{
	if (before(k, a, b))
		return true;
	if (a == b || b == NONE || before(k, b, a))
		return false;
	const struct evr_rvf_event *y = &k->x->events.data[a];
	const int32_t *from = past(k->c, a);
	k->c->now++;
	for (unsigned thread = 0; thread < k->x->threads; thread++) {
		const evr_rvf_ids *all = &k->x->of_thread[thread];
		for (uint32_t i = first_after(k, thread, b); i < all->len; i++) {
			int32_t *to = past(k->c, all->data[i]);
			/* Whoever is after a has its past, and so have those behind it. */
			if (evr_clock_has(to, y->thread, y->index))
				break;
			evr_clock_set(to, y->thread, y->index);
			evr_clock_join(to, from, k->c->before.width);
			uint32_t location = k->x->events.data[all->data[i]].location;
			if (location != EVR_NO_LOCATION)
				k->c->changed.data[location] = k->c->now;
		}
	}
	return true;
}

/* Is w still visible to r? */
static bool is_visible(const struct closing *k, evr_event_id w, evr_event_id r)
{
	if (w != NONE && before(k, r, w))
		return false;
	for (size_t i = 0; i < k->c->last.len; i++)
		if (before(k, w, k->c->last.data[i]))
			return false;
	return true;
}

/* The least or the greatest of the visible good writes. False: there is none. */
static bool find_extreme(const struct closing *k, bool least, evr_event_id *found)
{
	const evr_rvf_ids *all = &k->c->visible;
	evr_event_id best = all->data[0];
	bool extreme = true;
	for (size_t i = 1; i < all->len; i++)
		if (least ? before(k, all->data[i], best) : before(k, best, all->data[i]))
			best = all->data[i];
	for (size_t i = 0; extreme && i < all->len; i++)
		extreme =
			all->data[i] == best || (least ? before(k, best, all->data[i]) : before(k, all->data[i], best));
	*found = best;
	return extreme;
}

/* The newest of a thread's writes comes first. */
static void collect_writes(struct closing *k, const struct evr_rvf_part *p)
{
	const struct evr_rvf *x = k->x;
	k->c->collected++;
	evr_vec_clear(&k->c->writes);
	evr_vec_clear(&k->c->last);
	for (evr_event_id i = x->newest.data[x->events.data[p->read].location]; i != NONE;
	     i = x->events.data[i].older) {
		const struct evr_rvf_event *y = &x->events.data[i];
		if (!(y->flags & EVR_RVF_WRITES) || !evr_rvf_covers(y, p->cell))
			continue;
		evr_vec_push(&k->c->writes, i);
		if (k->c->met[y->thread] == k->c->collected || !before(k, i, p->read))
			continue;
		k->c->met[y->thread] = k->c->collected;
		evr_vec_push(&k->c->last, i);
	}
}

static void collect(struct closing *k, const struct evr_rvf_part *p)
{
	const struct evr_rvf *x = k->x;
	collect_writes(k, p);
	evr_vec_clear(&k->c->visible);
	for (uint32_t i = 0; i < p->goods; i++) {
		evr_event_id w = x->goods.data[p->good + i].write;
		if (w != NONE)
			k->c->good.data[w] = k->c->collected;
		if (is_visible(k, w, p->read))
			evr_vec_push(&k->c->visible, w);
	}
	k->c->steps += k->c->writes.len + p->goods;
}

/* The rules are about one location; what an event reads of each cell is a read of its own to them. */
static bool close_part(struct closing *k, uint32_t part)
{
	const evr_rvf_ids *visible = &k->c->visible;
	evr_event_id least, greatest, r = k->x->parts.data[part].read;
	k->c->closed.data[part] = k->c->now;
	collect(k, &k->x->parts.data[part]);
	if (!visible->len)
		return false;
	if (find_extreme(k, true, &least) && !order(k, least, r))
		return false;
	bool has_greatest = find_extreme(k, false, &greatest);
	for (size_t i = 0; i < k->c->writes.len; i++) {
		evr_event_id bad = k->c->writes.data[i];
		if (bad == r || k->c->good.data[bad] == k->c->collected)
			continue;
		if (has_greatest && before(k, bad, r) && !order(k, bad, greatest))
			return false;
		bool after_all = true;
		for (size_t j = 0; after_all && j < visible->len; j++, k->c->steps++)
			after_all = before(k, visible->data[j], bad);
		if (after_all && !order(k, r, bad))
			return false;
	}
	return true;
}

/* The order of the location's events is all that the rules look at. */
static bool is_closed(const struct closing *k, uint32_t part)
{
	uint32_t location = k->x->events.data[k->x->parts.data[part].read].location;
	return k->c->closed.data[part] >= k->c->changed.data[location];
}

static bool is_too_long(const struct evr_closure *c)
{
	return c->most && c->steps > c->most;
}

bool evr_closure_find(struct evr_closure *c, const struct evr_rvf *x, const evr_rvf_pairs *pairs)
{
	struct closing k = { c, x };
	reset(c, x);
	for (size_t i = 0; i < pairs->len; i++)
		if (!order(&k, pairs->data[i].first, pairs->data[i].second))
			return false;
	/* The newest first: that is where contradictions are. */
	for (uint32_t i = (uint32_t)x->parts.len; i-- > 0;)
		if (is_too_long(c) || !close_part(&k, i))
			return false;
	for (uint64_t before = 0; before != c->now;) {
		before = c->now;
		for (uint32_t i = (uint32_t)x->parts.len; i-- > 0;)
			if (is_too_long(c) || (!is_closed(&k, i) && !close_part(&k, i)))
				return false;
	}
	return true;
}

void evr_closure_release(struct evr_closure *c)
{
	evr_clocks_release(&c->before);
	evr_vecs_release(&c->changed, &c->closed, &c->writes, &c->last, &c->good, &c->visible);
}
