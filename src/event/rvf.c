#include "event/rvf.h"

#include <stdlib.h>
#include <string.h>

#define NONE EVR_NO_EVENT

static void begin(struct evr_rvf *x)
{
	evr_vec_reserve(&x->pasts, 1);
	memset(&x->pasts.data[0], 0, sizeof(x->pasts.data[0]));
	x->pasts.len = 1;
}

void evr_rvf_init(struct evr_rvf *x)
{
	*x = (struct evr_rvf){ 0 };
	begin(x);
}

void evr_rvf_release(struct evr_rvf *x)
{
	evr_vec_release(&x->events);
	evr_vec_release(&x->goods);
	evr_vec_release(&x->pasts);
	evr_vec_release(&x->at);
	evr_vec_release(&x->frees);
	evr_locations_release(&x->locations);
	for (unsigned i = 0; i < EVR_MAX_THREADS; i++)
		evr_vec_release(&x->of_thread[i]);
}

void evr_rvf_clear(struct evr_rvf *x)
{
	evr_rvf_cut(x, 0);
	evr_vec_clear(&x->at);
	evr_locations_release(&x->locations);
	x->locations = (struct evr_locations){ 0 };
	begin(x);
}

uint32_t evr_rvf_location(struct evr_rvf *x, const struct evr_event *e)
{
	unsigned kind = e->kind == EVR_FAULT ? e->op : e->kind;
	uint32_t location = evr_locations_get(&x->locations, e->address, evr_kind_is_mutex(kind) ? 4 : e->size);
	while (EVR_UNLIKELY(x->at.len <= location))
		evr_vec_push(&x->at, (struct evr_rvf_location){ .last = NONE });
	return location;
}

void evr_rvf_append(struct evr_rvf *x, const struct evr_rvf_event *e)
{
	evr_event_id id = (evr_event_id)x->events.len;
	evr_vec_push(&x->events, *e);
	struct evr_rvf_event *y = &x->events.data[id];
	y->older = y->wanted = NONE;
	y->good = (uint32_t)x->goods.len;
	y->goods = 0;
	if (y->location != EVR_NO_LOCATION) {
		y->older = x->at.data[y->location].last;
		x->at.data[y->location].last = id;
	}
	if (y->kind == EVR_FREE)
		evr_vec_push(&x->frees, id);
	if (y->thread >= x->threads)
		x->threads = y->thread + 1u;
	EVR_ASSERT(x->of_thread[y->thread].len == y->index);
	evr_vec_push(&x->of_thread[y->thread], id);
}

static void add_good(struct evr_rvf *x, evr_event_id read, evr_event_id write)
{
	uint32_t next = NONE;
	if (write != NONE) {
		next = x->events.data[write].wanted;
		x->events.data[write].wanted = (uint32_t)x->goods.len;
	}
	evr_vec_push(&x->goods, (struct evr_rvf_good){ write, read, next });
	x->events.data[read].goods++;
}

void evr_rvf_add_good(struct evr_rvf *x, evr_event_id write)
{
	add_good(x, (evr_event_id)x->events.len - 1, write);
}

static void remove_last(struct evr_rvf *x)
{
	const struct evr_rvf_event *y = &x->events.data[--x->events.len];
	while (x->goods.len > y->good) {
		const struct evr_rvf_good *g = &x->goods.data[--x->goods.len];
		if (g->write != NONE)
			x->events.data[g->write].wanted = g->next;
	}
	if (y->location != EVR_NO_LOCATION)
		x->at.data[y->location].last = y->older;
	if (y->kind == EVR_FREE)
		x->frees.len--;
	x->of_thread[y->thread].len--;
}

void evr_rvf_cut(struct evr_rvf *x, evr_event_id n)
{
	while (x->events.len > n)
		remove_last(x);
}

bool evr_rvf_is_good(const struct evr_rvf *x, evr_event_id read, evr_event_id write)
{
	const struct evr_rvf_event *r = &x->events.data[read];
	for (uint32_t i = 0; i < r->goods; i++)
		if (x->goods.data[r->good + i].write == write)
			return true;
	return false;
}

bool evr_rvf_touches(const struct evr_rvf *x, const struct evr_rvf_event *e, const struct evr_rvf_event *free)
{
	if (e->location == EVR_NO_LOCATION)
		return false;
	const struct evr_location *l = &x->locations.all.data[e->location];
	return evr_overlap(l->address, l->size, free->address, free->size);
}

static void relax_read(struct evr_rvf *to, evr_event_id read)
{
	struct evr_rvf_event *r = &to->events.data[read];
	const struct evr_rvf_location *l = &to->at.data[r->location];
	/* Whoever read memory that was not initialised has failed, and nobody else has read it. */
	bool failed = l->unset && r->kind == EVR_FAULT;
	r->good = (uint32_t)to->goods.len;
	r->goods = 0;
	for (evr_event_id i = failed ? NONE : l->last; i != NONE; i = to->events.data[i].older)
		if (i != read && to->events.data[i].flags & EVR_RVF_WRITES && to->events.data[i].written == r->read)
			add_good(to, read, i);
	if (failed || (!l->unset && l->initial == r->read))
		add_good(to, read, NONE);
}

void evr_rvf_relax(struct evr_rvf *to, const struct evr_rvf *x)
{
	evr_rvf_cut(to, 0);
	evr_vec_clear(&to->at);
	evr_vec_clear(&to->pasts);
	for (size_t i = 0; i < x->at.len; i++)
		evr_vec_push(&to->at, (struct evr_rvf_location){ NONE, x->at.data[i].initial, x->at.data[i].unset });
	for (size_t i = 0; i < x->pasts.len; i++)
		evr_vec_push(&to->pasts, x->pasts.data[i]);
	for (evr_event_id i = 0; i < x->events.len; i++)
		evr_rvf_append(to, &x->events.data[i]);
	for (evr_event_id i = 0; i < x->events.len; i++)
		if (x->events.data[i].flags & EVR_RVF_READS)
			relax_read(to, i);
}
