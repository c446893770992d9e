/* X is a stack: the last event leaves by undoing just what it did when it joined. */
#include "event/rvf.h"

#include <stdlib.h>
#include <string.h>

#define NONE EVR_NO_EVENT

static void reset_pasts(struct evr_rvf *x)
{
	if (!x->pasts.rows)
		evr_clocks_resize(&x->pasts, EVR_CLOCK_LANES, 1, 0);
	evr_clock_clear(evr_clocks_at(&x->pasts, 0), x->pasts.width);
	x->past_count = 1;
}

void evr_rvf_init(struct evr_rvf *x)
{
	*x = (struct evr_rvf){ 0 };
	reset_pasts(x);
}

void evr_rvf_release(struct evr_rvf *x)
{
	evr_vecs_release(&x->events, &x->parts, &x->goods, &x->newest, &x->cells);
	evr_clocks_release(&x->pasts);
	evr_locations_release(&x->locations);
	evr_division_release(&x->division);
	for (unsigned i = 0; i < EVR_MAX_THREADS; i++)
		evr_vec_release(&x->of_thread[i]);
}

/* ---- locations and cells ---- */

static void admit_locations(struct evr_rvf *x)
{
	evr_division_admit(&x->division, &x->locations);
	while (x->newest.len < x->division.of.len)
		evr_vec_push(&x->newest, NONE);
	while (x->cells.len < x->division.cells.len)
		evr_vec_push(&x->cells, (struct evr_rvf_cell){ .unset = false });
}

void evr_rvf_clear(struct evr_rvf *x)
{
	evr_rvf_rewind(x, 0);
	evr_vec_clear(&x->newest);
	evr_vec_clear(&x->cells);
	reset_pasts(x);
	evr_division_clear(&x->division);
	evr_division_admit(&x->division, &x->locations);
	evr_division_divide(&x->division, &x->locations);
	admit_locations(x);
	x->overlaps = x->locations.overlaps;
}

uint32_t evr_rvf_location(struct evr_rvf *x, const struct evr_event *e)
{
	uint32_t location = evr_locations_of(&x->locations, e);
	if (EVR_UNLIKELY(x->newest.len <= location))
		admit_locations(x);
	return location;
}

/* ---- events ---- */

void evr_rvf_append(struct evr_rvf *x, const struct evr_rvf_event *e)
{
	evr_event_id id = (evr_event_id)x->events.len;
	evr_vec_push(&x->events, *e);
	struct evr_rvf_event *y = &x->events.data[id];
	y->older = y->wanted = NONE;
	y->part = (uint32_t)x->parts.len;
	for (uint32_t i = 0; y->flags & EVR_RVF_READS && i < y->cells; i++)
		evr_vec_push(&x->parts, (struct evr_rvf_part){ id, y->cell + i, (uint32_t)x->goods.len, 0 });
	if (y->location != EVR_NO_LOCATION) {
		y->older = x->newest.data[y->location];
		x->newest.data[y->location] = id;
	}
	if (y->thread >= x->threads)
		x->threads = y->thread + 1u;
	EVR_ASSERT(x->of_thread[y->thread].len == y->index);
	evr_vec_push(&x->of_thread[y->thread], id);
}

void evr_rvf_add_good(struct evr_rvf *x, uint32_t part, evr_event_id write, bool new)
{
	struct evr_rvf_part *p = &x->parts.data[part];
	uint32_t next = NONE;
	if (write != NONE) {
		next = x->events.data[write].wanted;
		x->events.data[write].wanted = (uint32_t)x->goods.len;
	}
	if (!p->goods++)
		p->good = (uint32_t)x->goods.len;
	evr_vec_push(&x->goods, (struct evr_rvf_good){ write, part, next, new });
}

static void remove_last(struct evr_rvf *x)
{
	const struct evr_rvf_event *y = &x->events.data[--x->events.len];
	/* Of a part without good writes, `good` is what it was when the event joined. */
	while (y->flags & EVR_RVF_READS && x->goods.len > x->parts.data[y->part].good) {
		const struct evr_rvf_good *g = &x->goods.data[--x->goods.len];
		if (g->write != NONE)
			x->events.data[g->write].wanted = g->next;
	}
	x->parts.len = y->part;
	if (y->location != EVR_NO_LOCATION)
		x->newest.data[y->location] = y->older;
	x->of_thread[y->thread].len--;
}

void evr_rvf_rewind(struct evr_rvf *x, evr_event_id n)
{
	while (x->events.len > n)
		remove_last(x);
}

static void relax_part(struct evr_rvf *to, const struct evr_rvf_event *r, uint32_t part, bool failed, bool unset)
{
	struct evr_rvf_part *p = &to->parts.data[part];
	evr_value value = evr_rvf_piece(&to->division.cells.data[p->cell], r->address, r->cells, r->read);
	p->good = (uint32_t)to->goods.len;
	p->goods = 0;
	for (evr_event_id i = failed ? NONE : to->newest.data[r->location]; i != NONE; i = to->events.data[i].older) {
		const struct evr_rvf_event *y = &to->events.data[i];
		if (i != p->read && y->flags & EVR_RVF_WRITES && evr_rvf_covers(y, p->cell) &&
		    evr_rvf_written(to, y, p->cell) == value)
			evr_rvf_add_good(to, part, i, true);
	}
	if (failed || (to->cells.data[p->cell].initial == value && (!unset || r->cells > 1)))
		evr_rvf_add_good(to, part, NONE, false);
}

/* Whoever read memory of which nobody had initialised anything has failed, and nobody else has read it. */
static void relax_read(struct evr_rvf *to, evr_event_id read)
{
	struct evr_rvf_event *r = &to->events.data[read];
	bool unset = true;
	for (uint32_t i = 0; i < r->cells; i++)
		unset &= to->cells.data[r->cell + i].unset;
	r->flags &= (uint8_t)~EVR_RVF_NEW;
	if (unset && r->cells > 1 && r->kind != EVR_FAULT)
		r->flags |= EVR_RVF_NEW;
	for (uint32_t i = 0; i < r->cells; i++)
		relax_part(to, r, r->part + i, unset && r->kind == EVR_FAULT, unset);
}

void evr_rvf_relax(struct evr_rvf *to, const struct evr_rvf *x)
{
	evr_rvf_rewind(to, 0);
	evr_division_copy(&to->division, &x->division);
	evr_vec_clear(&to->newest);
	for (size_t i = 0; i < x->newest.len; i++)
		evr_vec_push(&to->newest, NONE);
	evr_vec_clear(&to->cells);
	for (size_t i = 0; i < x->cells.len; i++)
		evr_vec_push(&to->cells, x->cells.data[i]);
	if (to->pasts.width < x->pasts.width || to->pasts.rows < x->past_count)
		evr_clocks_resize(&to->pasts, x->pasts.width, x->pasts.rows, 0);
	for (uint32_t i = 0; i < x->past_count; i++)
		evr_clock_copy(evr_clocks_at(&to->pasts, i), evr_clocks_at(&x->pasts, i), x->pasts.width);
	to->past_count = x->past_count;
	for (evr_event_id i = 0; i < x->events.len; i++)
		evr_rvf_append(to, &x->events.data[i]);
	for (evr_event_id i = 0; i < x->events.len; i++)
		if (x->events.data[i].flags & EVR_RVF_READS)
			relax_read(to, i);
}
