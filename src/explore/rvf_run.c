/*
 * Engine `rvf`: an execution, as the search sees it. What it was told to do has joined X already; what it does of its own accord, which is
 * nothing but events that read nothing, joins as it comes.
 *
 * Invariant: X is what the execution has done so far, or was told to do, and nothing else.
 */
#include "event/mutex.h"

#include "explore/rvf_search.h"

#include <string.h>

#define NONE EVR_NO_EVENT

void evr_rvf_begin_execution(struct evr_rvf_search *f)
{
	f->depth = f->seen = 0;
	f->position = NONE;
	f->planned = f->x.events.len;
	evr_vec_clear(&f->positions);
	evr_vec_clear(&f->steps);
	unsigned threads = evr_most_threads(f->base.world);
	memset(f->count, 0, threads * sizeof(f->count[0]));
	memset(f->past, 0, threads * sizeof(f->past[0]));
	memset(f->joined, 0, threads * sizeof(f->joined[0]));
}

/* What comes before the thread's next event. */
static const int32_t *past_of(const struct evr_rvf_search *f, evr_thread_id t)
{
	return f->joined[t] ? evr_clocks_at(&f->coming, t) : evr_clocks_at(&f->x.pasts, f->past[t]);
}

/* Invariant: there is a component for each thread that was created. */
static void widen(struct evr_rvf_search *f)
{
	uint32_t width = evr_clock_width(f->base.world->threads);
	if (EVR_UNLIKELY(f->x.pasts.width < width))
		evr_clocks_resize(&f->x.pasts, width, f->x.pasts.rows, f->x.past_count);
	if (EVR_UNLIKELY(f->coming.width < f->x.pasts.width))
		evr_clocks_resize(&f->coming, f->x.pasts.width, f->coming.rows, f->coming.rows);
	evr_clocks_reserve(&f->coming, width, f->coming.rows);
}

static void comes_after(struct evr_rvf_search *f, evr_thread_id t, evr_thread_id other)
{
	widen(f);
	int32_t *to = evr_clocks_at(&f->coming, t);
	if (!f->joined[t])
		evr_clock_copy(to, past_of(f, t), f->x.pasts.width);
	evr_clock_join(to, past_of(f, other), f->x.pasts.width);
	if (f->count[other])
		evr_clock_add(to, other, f->count[other] - 1);
	f->joined[t] = true;
}

uint32_t evr_rvf_keep_past(struct evr_rvf_search *f, evr_thread_id t)
{
	if (!f->joined[t])
		return f->past[t];
	evr_clocks_reserve(&f->x.pasts, f->x.past_count + 1, f->x.past_count);
	evr_clock_copy(evr_clocks_at(&f->x.pasts, f->x.past_count), evr_clocks_at(&f->coming, t), f->x.pasts.width);
	return f->x.past_count++;
}

void evr_rvf_signal(struct evr_rvf_search *f, const struct evr_rvf_event *y)
{
	bool writes = y->flags & EVR_RVF_WRITES;
	for (uint32_t i = f->asking.data[y->location]; i != NONE; i = f->nodes.data[i].above) {
		struct evr_rvf_node *n = &f->nodes.data[i];
		const struct evr_rvf_pending *p = &f->mutate.data[n->first];
		if (p->thread != y->thread && (writes || n->wrote) && p->cell < y->cell + y->cells &&
		    y->cell < p->cell + p->cells)
			n->backtrack = true;
	}
}

/* The values of a mutex are states, which have no bytes; only that it is free when all of them are zero is known. */
static void divide_no_mutex(struct evr_rvf_search *f, const struct evr_event *e, const struct evr_cell_range *l)
{
	bool mutex = evr_event_is_mutex(e), refused = mutex && l->cells > 1;
	for (uint32_t i = l->cell; i < l->cell + l->cells; i++) {
		struct evr_rvf_cell *c = &f->x.cells.data[i];
		c->mutex |= mutex;
		c->bytes |= !mutex && (e->kind != EVR_WRITE || evr_rvf_piece(&f->x.division.cells.data[i], e->address,
									     l->cells, e->written) != 0);
		refused |= c->mutex && c->bytes;
	}
	if (refused) {
		evr_trace_refuse_mixed_sizes(&f->base.world->trace, e, "engine rvf");
		evr_die("a mutex is accessed in different sizes, which engine rvf does not support");
	}
}

const struct evr_cell_range *evr_rvf_location_of(struct evr_rvf_search *f, const struct evr_event *e)
{
	uint32_t location = evr_rvf_location(&f->x, e);
	if (EVR_UNLIKELY(f->x.overlaps != f->x.locations.overlaps))
		evr_rvf_halt(f);
	if (EVR_UNLIKELY(f->x.overlaps) && f->x.locations.all.data[location].mixed && !f->base.world->halted)
		divide_no_mutex(f, e, &f->x.division.of.data[location]);
	while (f->asking.len < f->x.newest.len)
		evr_vec_push(&f->asking, NONE);
	return &f->x.division.of.data[location];
}

bool evr_rvf_is_written(const struct evr_rvf *x, uint32_t location, uint32_t cell)
{
	for (evr_event_id i = x->newest.data[location]; i != NONE; i = x->events.data[i].older)
		if (x->events.data[i].flags & EVR_RVF_WRITES && evr_rvf_covers(&x->events.data[i], cell))
			return true;
	return false;
}

/* What was there before the first write. Of several cells, those that were written before are not the ones that were not initialised. */
static void note_initial(struct evr_rvf_search *f, const struct evr_rvf_event *y, const struct evr_event *e)
{
	for (uint32_t i = y->cell; i < y->cell + y->cells; i++) {
		struct evr_rvf_cell *c = &f->x.cells.data[i];
		if (evr_rvf_untouched(&f->x, y->location, i))
			c->initial = e->kind == EVR_WRITE ? evr_rvf_piece(&f->x.division.cells.data[i], e->address,
									  y->cells, e->overwritten)
							  : EVR_RVF_FREE;
		if (e->kind == EVR_WRITE && e->flags & EVR_INITIALISES)
			c->unset |= y->cells == 1 || !evr_rvf_is_written(&f->x, y->location, i);
	}
}

/* A mutex that its thread holds is its own concern. */
static bool is_unobservable(const struct evr_event *e)
{
	const struct evr_mutex *m = evr_mutex_at(e->address);
	switch (e->kind) {
	case EVR_LOCK:
	case EVR_TRYLOCK:
	case EVR_TIMEDLOCK:
		return e->holder == e->thread + 1u;
	case EVR_UNLOCK:
		return e->result != 0 || evr_mutex_holder(m);
	default:
		return e->kind != EVR_WRITE && e->kind != EVR_MUTEX_INIT;
	}
}

/* An event that extends the execution: it joins X. */
static void record_new(struct evr_rvf_search *f, const struct evr_event *e)
{
	struct evr_rvf_event y = {
		.thread = e->thread,
		.kind = e->kind,
		.flags = f->joined[e->thread] ? EVR_RVF_FIRST : 0,
		.index = f->count[e->thread],
		.past = evr_rvf_keep_past(f, e->thread),
		.location = EVR_NO_LOCATION,
		.address = e->address,
		.size = e->size,
		.written = e->kind == EVR_WRITE ? e->written : evr_rvf_free(e),
	};
	if (!is_unobservable(e)) {
		y.flags |= EVR_RVF_WRITES;
		const struct evr_cell_range *l = evr_rvf_location_of(f, e);
		y.location = l->component;
		y.cell = l->cell;
		y.cells = l->cells;
		y.size = evr_event_is_mutex(e) ? EVR_MUTEX_EXTENT : e->size;
		note_initial(f, &y, e);
		evr_rvf_signal(f, &y);
	}
	evr_rvf_append(&f->x, &y);
	evr_vec_push(&f->orders, (evr_event_id)f->x.events.len - 1);
}

/* One that it was told to make. */
static void record_planned(struct evr_rvf_search *f, const struct evr_event *e)
{
	evr_event_id id = f->orders.data[f->order + f->depth - 1];
	struct evr_rvf_event *y = &f->x.events.data[id];
	bool mutex = evr_kind_is_mutex(y->kind), as_planned = e->thread == y->thread && e->kind == y->kind;
	if (e->kind == EVR_FAULT && y->kind == EVR_FAULT)
		return;
	if (e->kind == EVR_FAULT && e->thread == y->thread && id + 1 == f->x.events.len) {
		y->kind = EVR_FAULT;
		y->flags &= (uint8_t)~EVR_RVF_WRITES;
		for (uint32_t i = y->cell; !mutex && i < y->cell + y->cells; i++)
			f->x.cells.data[i].unset |= y->cells == 1 || !evr_rvf_is_written(&f->x, y->location, i);
		return;
	}
	if (as_planned && y->flags & EVR_RVF_READS)
		as_planned = mutex ? !e->result == !!(y->flags & EVR_RVF_WRITES) : e->read == y->read;
	if (as_planned && !mutex && y->flags & EVR_RVF_WRITES)
		as_planned = e->written == y->written;
	if (!as_planned)
		f->base.failure = "an event is not what it should be in this order: is the program deterministic?";
}

void evr_rvf_record(struct evr_rvf_search *f)
{
	const struct evr_trace *t = &f->base.world->trace;
	for (; f->seen < t->events.len; f->seen++) {
		const struct evr_event *e = &t->events.data[f->seen];
		if (f->seen == f->position) {
			if (f->depth > f->planned)
				record_new(f, e);
			else
				record_planned(f, e);
			f->past[e->thread] = f->x.events.data[f->orders.data[f->order + f->depth - 1]].past;
			f->joined[e->thread] = false;
			f->count[e->thread]++;
		} else if (e->kind == EVR_CREATE) {
			comes_after(f, (evr_thread_id)e->other, e->thread);
		} else if (e->kind == EVR_JOIN) {
			comes_after(f, e->thread, (evr_thread_id)e->other);
		}
	}
}

struct evr_step evr_rvf_take_step(struct evr_rvf_search *f, evr_thread_id thread, uint32_t variant)
{
	struct evr_step s = { thread, variant };
	f->position = (evr_event_id)f->base.world->trace.events.len;
	evr_vec_push(&f->positions, f->position);
	evr_vec_push(&f->steps, s);
	f->depth++;
	return s;
}
