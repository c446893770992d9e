#include "event/rf.h"

#include <stdlib.h>
#include <string.h>

#define NONE EVR_NO_EVENT

void evr_rf_init(struct evr_rf *t, const struct evr_trace *trace)
{
	*t = (struct evr_rf){ .trace = trace };
	for (unsigned i = 0; i < EVR_MAX_THREADS; i++)
		t->last[i] = NONE;
}

void evr_rf_release(struct evr_rf *t)
{
	evr_vec_release(&t->events);
	evr_vec_release(&t->afters);
	evr_vec_release(&t->sources);
	evr_vec_release(&t->cells);
	evr_vec_release(&t->order);
	evr_vec_release(&t->place);
	evr_vec_release(&t->rank);
	evr_vec_release(&t->effect);
	evr_vec_release(&t->at);
	evr_vec_release(&t->last_write);
	evr_vec_release(&t->regions);
	evr_vec_release(&t->frees);
	evr_vec_release(&t->found);
	evr_locations_release(&t->locations);
	for (unsigned i = 0; i < EVR_MAX_THREADS; i++) {
		evr_vec_release(&t->of_thread[i]);
		evr_vec_release(&t->waiting[i]);
	}
	free(t->clocks);
	free(t->drains);
}

void evr_rf_clear(struct evr_rf *t)
{
	struct evr_locations known = t->locations;
	const struct evr_trace *trace = t->trace;
	t->locations = (struct evr_locations){ 0 };
	evr_rf_release(t);
	evr_rf_init(t, trace);
	t->locations = known;
}

/* ---- clocks ---- */

static int32_t *resize_clocks(const struct evr_rf *t, int32_t *old, uint32_t stride, size_t rows)
{
	/* The allocator's alignment is what evr_rf_join() needs. */
	int32_t *clocks = evr_alloc(rows * stride * sizeof(*clocks));
	for (size_t i = 0; i < t->events.len; i++)
		memcpy(&clocks[i * stride], &old[i * t->stride], t->stride * sizeof(*clocks));
	free(old);
	return clocks;
}

static void resize(struct evr_rf *t, uint32_t stride, size_t rows)
{
	t->clocks = resize_clocks(t, t->clocks, stride, rows);
	if (t->unordered)
		t->drains = resize_clocks(t, t->drains, stride, rows);
	if (stride != t->stride) {
		evr_rf_ids wider = { 0 };
		for (size_t i = 0; i < t->at.len * stride; i++) {
			size_t thread = i % stride;
			bool known = t->last_write.data && thread < t->stride;
			evr_vec_push(&wider, known ? t->last_write.data[i / stride * t->stride + thread] : NONE);
		}
		evr_vec_release(&t->last_write);
		t->last_write = wider;
	}
	t->stride = stride;
	t->rows = rows;
}

void evr_rf_admit(struct evr_rf *t, evr_thread_id thread)
{
	uint32_t stride = t->stride ? t->stride : 4;
	if (thread >= t->threads)
		t->threads = thread + 1u;
	while (stride < t->threads)
		stride *= 2;
	if (EVR_UNLIKELY(stride != t->stride || t->events.len >= t->rows))
		resize(t, stride, t->events.len >= t->rows ? 2 * t->events.len + 64 : t->rows);
}

void evr_rf_program_past(const struct evr_rf *t, const struct evr_rf_event *x, const evr_event_id *afters,
			 int32_t *past)
{
	if (x->index)
		memcpy(past, evr_rf_past(t, t->of_thread[x->thread].data[x->index - 1]), t->stride * sizeof(*past));
	else
		memset(past, 0, t->stride * sizeof(*past));
	for (size_t i = 0; i < x->afters; i++)
		evr_rf_join(past, evr_rf_past(t, afters[x->after + i]), t->stride);
}

void evr_rf_program_drains(const struct evr_rf *t, const struct evr_rf_event *x, const evr_event_id *afters,
			   int32_t *drains)
{
	if (x->index)
		memcpy(drains, &t->drains[(size_t)t->of_thread[x->thread].data[x->index - 1] * t->stride],
		       t->stride * sizeof(*drains));
	else
		memset(drains, 0, t->stride * sizeof(*drains));
	/* A thread is created, or joined, when its stores have taken effect. */
	for (size_t i = 0; i < x->afters; i++) {
		evr_event_id a = afters[x->after + i];
		const struct evr_rf_event *y = &t->events.data[a];
		evr_rf_join(drains, &t->drains[(size_t)a * t->stride], t->stride);
		if (drains[y->thread] <= (int32_t)y->index)
			drains[y->thread] = (int32_t)y->index + 1;
	}
	if (x->flags & EVR_RF_FLUSHES)
		drains[x->thread] = (int32_t)x->index;
}

/* Whoever reads a store knows what came before it if that releases; the store itself does not. */
static void drain_after(const struct evr_rf *t, const struct evr_rf_event *x, evr_event_id source, int32_t *drains)
{
	if (source == NONE || t->events.data[source].thread == x->thread)
		return;
	const struct evr_rf_event *w = &t->events.data[source];
	evr_rf_join(drains, &t->drains[(size_t)source * t->stride], t->stride);
	if (w->flags & EVR_RF_RELEASES && drains[w->thread] <= (int32_t)w->index)
		drains[w->thread] = (int32_t)w->index + 1;
}

/* ---- events ---- */

/* Divide locations that hang together wherever one of them begins or ends. */
static void divide(struct evr_rf *t, uint32_t whole)
{
	const struct evr_locations *l = &t->locations;
	evr_location_ends ends = { 0 };
	evr_locations_divide(l, whole, &ends);
	uint32_t first = (uint32_t)t->cells.len;
	for (size_t i = 0; i < ends.len; i++)
		evr_vec_push(&t->cells, (struct evr_rf_cell){ ends.data[i], NONE, 0 });
	for (size_t i = 0; i < l->all.len && i < t->at.len; i++) {
		if (l->all.data[i].whole != whole)
			continue;
		uint32_t from = 0, to = 0;
		while (ends.data[from] < l->all.data[i].address)
			from++;
		for (to = from; ends.data[to] < l->all.data[i].address + l->all.data[i].size;)
			to++;
		t->at.data[i].cell = first + from;
		t->at.data[i].cells = to - from;
	}
	evr_vec_release(&ends);
}

/*
 * If locations overlap that were known to be apart, it is too late for the events that are here: the search must start
 * anew, and then knows all locations from the start.
 */
static __attribute__((noinline)) void admit_locations(struct evr_rf *t)
{
	bool mixed = false;
	while (t->at.len < t->locations.all.len) {
		const struct evr_location *l = &t->locations.all.data[t->at.len];
		evr_vec_push(&t->at, (struct evr_rf_location){ (uint32_t)t->cells.len, 1, NONE, 0, false });
		for (uint32_t i = 0; i < t->stride; i++)
			evr_vec_push(&t->last_write, NONE);
		mixed |= l->mixed;
		if (!l->mixed)
			evr_vec_push(&t->cells, (struct evr_rf_cell){ l->address, NONE, 0 });
	}
	for (uint32_t i = 0; mixed && i < t->at.len; i++)
		if (t->locations.all.data[i].mixed && t->locations.all.data[i].whole == i)
			divide(t, i);
}

/* Of a mutex only what tells whether it is held counts. */
uint32_t evr_rf_location(struct evr_rf *t, const struct evr_event *e)
{
	unsigned kind = e->kind == EVR_FAULT ? e->op : e->kind;
	uint32_t location = evr_locations_get(&t->locations, e->address, evr_kind_is_mutex(kind) ? 4 : e->size);
	if (EVR_UNLIKELY(t->at.len <= location))
		admit_locations(t);
	return location;
}

/* The lock that the unlock ends, of a mutex that is handed over: the last in its past. A trylock that failed is none. */
static evr_event_id lock_before(const struct evr_rf *t, const struct evr_rf_event *x, const int32_t *past)
{
	evr_event_id last = NONE;
	for (evr_event_id i = x->older; i != NONE; i = t->events.data[i].older) {
		const struct evr_rf_event *y = &t->events.data[i];
		if (y->depth && y->flags & EVR_RF_WRITES && past[y->thread] > (int32_t)y->index &&
		    (last == NONE || evr_rf_before(t, last, i)))
			last = i;
	}
	return last;
}

/* Who holds the mutex, and how often, after an event has changed it. */
static void hold(struct evr_rf *t, struct evr_rf_event *x, evr_event_id id, const int32_t *past)
{
	bool locks = x->kind == EVR_LOCK || x->kind == EVR_TRYLOCK || x->kind == EVR_TIMEDLOCK;
	evr_event_id last = NONE;
	x->section = NONE;
	x->depth = 0;
	/* Only a thread that holds the mutex finds it held and can lock it again. */
	if (locks)
		last = x->source;
	else if (x->kind == EVR_UNLOCK && x->flags & EVR_RF_WRITES)
		last = t->at.data[x->location].handed ? lock_before(t, x, past) : x->own_write;
	const struct evr_rf_event *before = last == NONE ? NULL : &t->events.data[last];
	if (locks) {
		bool again = before && before->depth;
		x->section = again ? before->section : id;
		x->depth = again ? before->depth + 1 : 1;
	} else if (x->kind == EVR_UNLOCK && before && before->depth) {
		x->section = before->section;
		x->depth = before->depth - 1;
	}
}

/* How many sources the event has in the pool. */
static uint32_t pooled(const struct evr_rf_event *x)
{
	return x->cells > 1 && x->flags & EVR_RF_READS ? x->cells : 0;
}

static void enter_location(struct evr_rf *t, struct evr_rf_event *x, evr_event_id id)
{
	struct evr_rf_location *l = &t->at.data[t->locations.all.data[x->location].whole];
	x->older = l->last;
	l->last = id;
	l->divided += pooled(x) > 0;
	if (!(x->flags & EVR_RF_WRITES))
		return;
	evr_event_id *last = &t->last_write.data[(size_t)x->location * t->stride + x->thread];
	x->own_write = *last;
	if (*last != NONE)
		t->events.data[*last].next_write = id;
	*last = id;
}

void evr_rf_append(struct evr_rf *t, const struct evr_rf_event *e, const evr_event_id *afters,
		   const evr_event_id *sources)
{
	evr_event_id id = (evr_event_id)t->events.len;
	evr_rf_admit(t, e->thread);
	evr_vec_reserve(&t->events, id + 1u);
	struct evr_rf_event *x = &t->events.data[id];
	*x = *e;
	x->older = x->own_write = x->next_write = NONE;
	if (x->location != EVR_NO_LOCATION)
		enter_location(t, x, id);
	else if (x->kind == EVR_FREE)
		evr_vec_push(&t->frees, id);
	int32_t *past = &t->clocks[(size_t)id * t->stride];
	evr_rf_program_past(t, e, afters, past);
	if (x->source != NONE)
		evr_rf_join(past, evr_rf_past(t, x->source), t->stride);
	for (uint32_t i = 1; i < pooled(x); i++)
		if (sources[x->sources + i] != NONE)
			evr_rf_join(past, evr_rf_past(t, sources[x->sources + i]), t->stride);
	past[x->thread] = (int32_t)x->index + 1;
	if (t->unordered) {
		int32_t *drains = &t->drains[(size_t)id * t->stride];
		evr_rf_program_drains(t, e, afters, drains);
		for (uint32_t i = 0; x->flags & EVR_RF_READS && i < x->cells; i++)
			drain_after(t, x, evr_rf_source(x, sources, i), drains);
	}
	hold(t, x, id, past);
	x->after = (uint32_t)t->afters.len;
	for (uint32_t i = 0; i < x->afters; i++)
		evr_vec_push(&t->afters, afters[e->after + i]);
	x->sources = (uint32_t)t->sources.len;
	for (uint32_t i = 0; i < pooled(x); i++)
		evr_vec_push(&t->sources, sources[e->sources + i]);
	EVR_ASSERT(t->of_thread[x->thread].len == x->index);
	evr_vec_push(&t->of_thread[x->thread], id);
	t->events.len++;
}

static void remove_last(struct evr_rf *t)
{
	const struct evr_rf_event *x = &t->events.data[--t->events.len];
	t->of_thread[x->thread].len--;
	t->afters.len = x->after;
	t->sources.len = x->sources;
	if (x->kind == EVR_FREE)
		t->frees.len--;
	if (x->location == EVR_NO_LOCATION)
		return;
	struct evr_rf_location *l = &t->at.data[t->locations.all.data[x->location].whole];
	l->last = x->older;
	l->divided -= pooled(x) > 0;
	if (!(x->flags & EVR_RF_WRITES))
		return;
	t->last_write.data[(size_t)x->location * t->stride + x->thread] = x->own_write;
	if (x->own_write != NONE)
		t->events.data[x->own_write].next_write = NONE;
}

void evr_rf_cut(struct evr_rf *t, evr_event_id n)
{
	while (t->events.len > n)
		remove_last(t);
}

/* ---- following an execution ---- */

static void wait_for(struct evr_rf *t, evr_thread_id waiting, evr_thread_id other)
{
	if (waiting >= t->waiters)
		t->waiters = waiting + 1u;
	if (t->last[other] != NONE)
		evr_vec_push(&t->waiting[waiting], t->last[other]);
	/* Whom it has joined since. */
	for (size_t i = 0; i < t->waiting[other].len; i++)
		evr_vec_push(&t->waiting[waiting], t->waiting[other].data[i]);
}

static void set_source(struct evr_rf *t, const struct evr_rf_event *x, evr_event_id write)
{
	for (struct evr_rf_cell *c = &t->cells.data[x->cell]; c < &t->cells.data[x->cell + x->cells]; c++) {
		c->now = write;
		c->followed = t->executions;
	}
}

/* Does the event, the k-th of the execution, find the i-th cell that it reads as its source has left it? */
static bool finds_source(const struct evr_rf *t, const struct evr_rf_event *x, uint32_t i, size_t k)
{
	evr_event_id source = evr_rf_source(x, t->sources.data, i);
	if (source == evr_rf_now(t, x->cell + i))
		return true;
	if (!t->buffered || source == NONE)
		return false;
	const struct evr_rf_event *w = &t->events.data[source];
	return w->flags & EVR_RF_BUFFERED && w->thread == x->thread && t->effect.data[source] > k;
}

/* An event that the execution was told to make, as its k-th. */
static void follow_known(struct evr_rf *t, evr_event_id id, size_t k)
{
	const struct evr_rf_event *x = &t->events.data[id];
	t->last[x->thread] = id;
	evr_vec_clear(&t->waiting[x->thread]);
	t->drained[x->thread] = false;
	if (x->location == EVR_NO_LOCATION)
		return;
	bool as_asked = true;
	for (uint32_t i = 0; x->flags & EVR_RF_READS && i < x->cells && !t->named; i++)
		as_asked &= finds_source(t, x, i, k);
	if (!as_asked)
		t->failure = "a read has another source than it should in this order: is the program deterministic?";
	if (x->flags & EVR_RF_WRITES && !(x->flags & EVR_RF_BUFFERED))
		set_source(t, x, id);
}

/* A store takes effect. One that was not told to do so does it at once, before its thread goes on; it may fail, though. */
static evr_event_id follow_update(struct evr_rf *t, evr_thread_id thread, size_t k)
{
	evr_event_id id = k < t->order.len ? evr_rf_event_of(t->order.data[k]) : t->last[thread];
	while (EVR_UNLIKELY(!(t->events.data[id].flags & EVR_RF_BUFFERED)))
		id = t->of_thread[thread].data[t->events.data[id].index - 1];
	set_source(t, &t->events.data[id], id);
	evr_vec_reserve(&t->effect, t->events.len);
	t->effect.data[id] = (evr_event_id)k;
	return id | EVR_RF_UPDATE;
}

uint8_t evr_rf_nature(const struct evr_rf *t, const struct evr_event *e)
{
	struct evr_event tried = { .kind = e->kind == EVR_FAULT ? e->op : e->kind, .site = e->site };
	unsigned order = evr_event_order(&tried), nature = 0;
	if (!t->buffered)
		return 0;
	if (evr_event_flushes(&tried))
		nature |= EVR_RF_FLUSHES;
	else if (tried.kind == EVR_WRITE)
		nature |= EVR_RF_BUFFERED;
	if (tried.kind == EVR_FENCE ? order != EVR_ACQUIRE : tried.kind == EVR_WRITE && order == EVR_RELEASE)
		nature |= EVR_RF_RELEASES;
	return (uint8_t)nature;
}

bool evr_rf_touches(const struct evr_rf *t, const struct evr_rf_event *x, const struct evr_rf_event *free)
{
	const struct evr_rf_region *r = &t->regions.data[free->region];
	if (x->location == EVR_NO_LOCATION)
		return false;
	const struct evr_location *l = &t->locations.all.data[x->location];
	return evr_overlap(l->address, l->size, r->address, r->size);
}

static uint32_t region_of(struct evr_rf *t, const struct evr_event *e)
{
	size_t i = 0;
	while (i < t->regions.len && (t->regions.data[i].address != e->address || t->regions.data[i].size != e->size))
		i++;
	if (i == t->regions.len)
		evr_vec_push(&t->regions, (struct evr_rf_region){ e->address, e->size });
	return (uint32_t)i;
}

/* The event that is at that place in the execution's trace. */
static evr_event_id event_at(const struct evr_rf *t, evr_event_id place)
{
	size_t low = 0, high = t->order.len;
	while (place != NONE && low < high) {
		size_t middle = (low + high) / 2;
		if (t->place.data[middle] == place)
			return t->order.data[middle];
		if (t->place.data[middle] < place)
			low = middle + 1;
		else
			high = middle;
	}
	return NONE;
}

static void follow_new(struct evr_rf *t, const struct evr_event *e)
{
	bool reads = evr_event_reads(e) || e->kind == EVR_FAULT, writes = evr_event_writes(e);
	evr_rf_ids *waiting = &t->waiting[e->thread];
	struct evr_rf_event x = {
		.thread = e->thread,
		.kind = e->kind,
		.flags = (uint8_t)((reads ? EVR_RF_READS : 0) | (writes ? EVR_RF_WRITES : 0) |
				   (e->kind == EVR_FAULT ? 0 : evr_rf_nature(t, e)) |
				   (t->drained[e->thread] ? EVR_RF_FLUSHES : 0)),
		.index = (uint32_t)t->of_thread[e->thread].len,
		.variant = e->kind == EVR_CHOOSE ? (uint32_t)e->expected : 0,
		.location = EVR_NO_LOCATION,
		.source = NONE,
	};
	evr_rf_admit(t, e->thread);
	if (reads || writes)
		x.location = evr_rf_location(t, e);
	if (e->kind == EVR_UNLOCK && writes)
		t->at.data[x.location].handed |= evr_lock_kinds[e->op].handed;
	if (EVR_UNLIKELY(e->kind == EVR_FREE))
		x.region = region_of(t, e);
	if (x.location != EVR_NO_LOCATION) {
		x.cell = t->at.data[x.location].cell;
		x.cells = t->at.data[x.location].cells;
	}
	evr_vec_clear(&t->found);
	/* A failure names no source; if it is about a mutex, it was found as it was left last. */
	bool named = t->named && !(e->kind == EVR_FAULT && evr_kind_is_mutex(e->op));
	for (uint32_t i = 0; x.flags & EVR_RF_READS && i < x.cells; i++)
		evr_vec_push(&t->found, named ? event_at(t, e->source) : evr_rf_now(t, x.cell + i));
	if (t->found.len)
		x.source = t->found.data[0];
	x.afters = (uint32_t)waiting->len;
	evr_event_id id = (evr_event_id)t->events.len;
	evr_rf_append(t, &x, waiting->data, t->found.data);
	evr_vec_clear(waiting);
	t->drained[x.thread] = false;
	t->last[x.thread] = id;
	if (writes && !(x.flags & EVR_RF_BUFFERED))
		set_source(t, &x, id);
}

/* What happened between two steps: threads were created, ended, joined. */
static void follow_gap(struct evr_rf *t, evr_event_id from, evr_event_id to)
{
	for (; from < to; from++) {
		const struct evr_event *e = &t->trace->events.data[from];
		if (e->kind == EVR_CREATE)
			wait_for(t, (evr_thread_id)e->expected, e->thread);
		else if (e->kind == EVR_JOIN)
			wait_for(t, e->thread, (evr_thread_id)e->expected);
		else if (e->kind == EVR_DRAIN)
			t->drained[e->thread] = true;
	}
}

void evr_rf_begin(struct evr_rf *t)
{
	t->executions++;
	t->failure = NULL;
	t->followed = 0;
	t->expected = 0;
	for (unsigned i = 0; i < t->threads || i < t->waiters; i++) {
		t->last[i] = NONE;
		evr_vec_clear(&t->waiting[i]);
	}
	if (t->buffered)
		memset(t->drained, 0, sizeof(t->drained));
}

void evr_rf_follow(struct evr_rf *t)
{
	size_t k = t->followed;
	for (; k < t->place.len; k++) {
		evr_event_id place = t->place.data[k];
		if (place > t->expected)
			follow_gap(t, t->expected, place);
		t->expected = place + 1;
		const struct evr_event *e = &t->trace->events.data[place];
		if (e->kind == EVR_UPDATE) {
			evr_event_id update = follow_update(t, e->thread, k);
			if (k >= t->order.len)
				evr_vec_push(&t->order, update);
			continue;
		}
		if (k < t->order.len) {
			follow_known(t, t->order.data[k], k);
			continue;
		}
		follow_new(t, e);
		evr_vec_push(&t->order, (evr_event_id)t->events.len - 1);
		evr_vec_reserve(&t->rank, t->events.len);
		t->rank.data[t->events.len - 1] = (evr_event_id)k;
	}
	t->followed = k;
}

void evr_rf_finish(struct evr_rf *t)
{
	evr_rf_follow(t);
	follow_gap(t, t->expected, (evr_event_id)t->trace->events.len);
	evr_vec_reserve(&t->rank, t->events.len);
	for (size_t i = 0; i < t->order.len; i++)
		if (!evr_rf_is_update(t->order.data[i]))
			t->rank.data[t->order.data[i]] = (evr_event_id)i;
		else
			t->effect.data[evr_rf_event_of(t->order.data[i])] = (evr_event_id)i;
}
