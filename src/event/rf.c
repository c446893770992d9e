/*
 * Events are a stack: each is appended with all that is known of it, its clocks included, and the last one is removed by undoing just
 * that.
 */
#include "event/rf.h"

#define NONE EVR_NO_EVENT

void evr_rf_init(struct evr_rf *t, const struct evr_trace *trace)
{
	*t = (struct evr_rf){ .trace = trace };
	for (unsigned i = 0; i < EVR_MAX_THREADS; i++)
		t->last[i] = NONE;
}

void evr_rf_release(struct evr_rf *t)
{
	evr_vecs_release(&t->events, &t->afters, &t->sources, &t->cells, &t->order, &t->position, &t->rank, &t->effect,
			 &t->at, &t->last_access, &t->regions, &t->frees, &t->found, &t->changes, &t->levels);
	evr_locations_release(&t->locations);
	evr_division_release(&t->division);
	for (unsigned i = 0; i < EVR_MAX_THREADS; i++) {
		evr_vec_release(&t->of_thread[i]);
		evr_vec_release(&t->waiting[i]);
	}
	evr_clocks_release(&t->clocks);
	evr_clocks_release(&t->drains);
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

static void resize(struct evr_rf *t, uint32_t width, size_t rows)
{
	uint32_t before = t->clocks.width;
	evr_clocks_resize(&t->clocks, width, rows, t->events.len);
	if (t->reorders_stores)
		evr_clocks_resize(&t->drains, width, rows, t->events.len);
	if (width == before)
		return;
	evr_rf_ids wider = { 0 };
	for (size_t i = 0; i < t->at.len * width; i++) {
		size_t thread = i % width;
		bool known = t->last_access.data && thread < before;
		evr_vec_push(&wider, known ? t->last_access.data[i / width * before + thread] : NONE);
	}
	evr_vec_release(&t->last_access);
	t->last_access = wider;
}

void evr_rf_admit_slowly(struct evr_rf *t, evr_thread_id thread)
{
	uint32_t width = t->clocks.width ? t->clocks.width : EVR_CLOCK_LANES;
	size_t rows = t->clocks.rows;
	if (thread >= t->threads)
		t->threads = thread + 1u;
	while (width < t->threads)
		width *= 2;
	if (EVR_UNLIKELY(width != t->clocks.width || t->events.len >= rows))
		resize(t, width, t->events.len >= rows ? 2 * t->events.len + 64 : rows);
}

/* The clock, in either table, of the event before this one in its thread; without one, nothing is in its past. */
static void go_on_from(const struct evr_rf *t, const struct evr_clocks *table, const struct evr_rf_event *x,
		       int32_t *clock)
{
	if (x->index)
		evr_clock_copy(clock, evr_clocks_at(table, t->of_thread[x->thread].data[x->index - 1]), table->width);
	else
		evr_clock_clear(clock, table->width);
}

void evr_rf_program_past(const struct evr_rf *t, const struct evr_rf_event *x, const evr_event_id *afters,
			 int32_t *past)
{
	go_on_from(t, &t->clocks, x, past);
	for (size_t i = 0; i < x->afters; i++)
		evr_clock_join(past, evr_rf_past(t, afters[x->after + i]), t->clocks.width);
}

void evr_rf_program_drains(const struct evr_rf *t, const struct evr_rf_event *x, const evr_event_id *afters,
			   int32_t *drains)
{
	go_on_from(t, &t->drains, x, drains);
	/* A thread is created, or joined, when its stores have taken effect. */
	for (size_t i = 0; i < x->afters; i++) {
		evr_event_id a = afters[x->after + i];
		const struct evr_rf_event *y = &t->events.data[a];
		evr_clock_join(drains, evr_clocks_at(&t->drains, a), t->drains.width);
		evr_clock_add(drains, y->thread, y->index);
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
	evr_clock_join(drains, evr_clocks_at(&t->drains, source), t->drains.width);
	if (w->flags & EVR_RF_RELEASES)
		evr_clock_add(drains, w->thread, w->index);
}

/* ---- events ---- */

/*
 * If locations overlap that were known to be apart, it is too late for the events that are here: the search must start
 * anew, and then knows all locations from the start.
 */
static __attribute__((noinline)) void admit_locations(struct evr_rf *t)
{
	if (evr_division_admit(&t->division, &t->locations))
		evr_division_divide(&t->division, &t->locations);
	while (t->at.len < t->division.of.len) {
		evr_vec_push(&t->at, (struct evr_rf_location){ .last = NONE });
		for (uint32_t i = 0; i < t->clocks.width; i++)
			evr_vec_push(&t->last_access, NONE);
	}
	while (t->cells.len < t->division.cells.len)
		evr_vec_push(&t->cells, NONE);
}

uint32_t evr_rf_location(struct evr_rf *t, const struct evr_event *e)
{
	uint32_t location = evr_locations_of(&t->locations, e);
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
		if (y->depth && y->flags & EVR_RF_WRITES && evr_clock_has(past, y->thread, y->index) &&
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
		last = t->at.data[x->location].handed ? lock_before(t, x, past) : x->previous_write;
	const struct evr_rf_event *before = last == NONE ? NULL : &t->events.data[last];
	if (locks) {
		bool nested = before && before->depth;
		x->section = nested ? before->section : id;
		x->depth = nested ? before->depth + 1 : 1;
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

/*
 * Jumps: of an access with n before it, back by the sizes of the complete binary trees that n is the sum of. So a search goes back
 * in logarithmic time, and an access is added, and taken off, in constant time.
 */
static void enter_thread(struct evr_rf *t, struct evr_rf_event *x, evr_event_id id)
{
	evr_event_id *last = &t->last_access.data[(size_t)x->location * t->clocks.width + x->thread];
	x->previous = x->jump = *last;
	x->previous_write = evr_rf_write_upto(t, *last);
	x->accesses = 0;
	if (*last != NONE) {
		const struct evr_rf_event *y = &t->events.data[*last];
		x->accesses = y->accesses + 1;
		if (y->jump != NONE) {
			const struct evr_rf_event *z = &t->events.data[y->jump];
			uint32_t beyond = z->jump == NONE ? 0 : t->events.data[z->jump].accesses + 1;
			if (y->accesses - z->accesses == z->accesses + 1 - beyond)
				x->jump = z->jump;
		}
	}
	*last = id;
	if (x->flags & EVR_RF_WRITES && x->previous_write != NONE)
		t->events.data[x->previous_write].next_write = id;
}

static void leave_thread(struct evr_rf *t, const struct evr_rf_event *x)
{
	t->last_access.data[(size_t)x->location * t->clocks.width + x->thread] = x->previous;
	if (x->flags & EVR_RF_WRITES && x->previous_write != NONE)
		t->events.data[x->previous_write].next_write = NONE;
}

static bool is_listed_reader(const struct evr_rf_event *x)
{
	return x->flags & EVR_RF_READS && x->kind != EVR_READ && x->source != NONE;
}

evr_event_id evr_rf_access_before(const struct evr_rf *t, uint32_t location, unsigned thread, uint32_t n)
{
	evr_event_id i = evr_rf_last_access(t, location, thread);
	while (i != NONE && t->events.data[i].index >= n) {
		evr_event_id jump = t->events.data[i].jump;
		i = jump != NONE && t->events.data[jump].index >= n ? jump : t->events.data[i].previous;
	}
	return i;
}

uint32_t evr_rf_count_below(const struct evr_rf *t, unsigned thread, evr_event_id e)
{
	const evr_rf_ids *mine = &t->of_thread[thread];
	size_t low = 0, high = mine->len;
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (mine->data[middle] < e)
			low = middle + 1;
		else
			high = middle;
	}
	return (uint32_t)low;
}

uint32_t evr_rf_count_not_after(const struct evr_rf *t, unsigned thread, evr_event_id e)
{
	const struct evr_rf_event *x = &t->events.data[e];
	const evr_rf_ids *mine = &t->of_thread[thread];
	size_t low = 0, high = mine->len;
	if (thread == x->thread)
		return x->index;
	if (!high || !evr_rf_before(t, e, evr_vec_last(mine)))
		return (uint32_t)high;
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (evr_rf_before(t, e, mine->data[middle]))
			high = middle;
		else
			low = middle + 1;
	}
	return (uint32_t)low;
}

static bool is_section_event(const struct evr_rf_event *x)
{
	return x->kind == EVR_LOCK || x->kind == EVR_UNLOCK;
}

static void enter_location(struct evr_rf *t, struct evr_rf_event *x, evr_event_id id)
{
	struct evr_rf_location *l = &t->at.data[t->division.of.data[x->location].component];
	x->older = l->last;
	l->last = id;
	l->divided += pooled(x) > 0;
	l->others += !is_section_event(x);
	enter_thread(t, x, id);
	if (!is_listed_reader(x))
		return;
	x->next_reader = t->events.data[x->source].reader;
	t->events.data[x->source].reader = id;
}

void evr_rf_append(struct evr_rf *t, const struct evr_rf_event *e, const evr_event_id *afters,
		   const evr_event_id *sources)
{
	evr_event_id id = (evr_event_id)t->events.len;
	evr_rf_admit(t, e->thread);
	evr_vec_reserve(&t->events, id + 1u);
	struct evr_rf_event *x = &t->events.data[id];
	*x = *e;
	x->older = x->previous = x->jump = x->previous_write = x->next_write = x->reader = x->next_reader = NONE;
	if (x->location != EVR_NO_LOCATION)
		enter_location(t, x, id);
	else if (x->kind == EVR_FREE)
		evr_vec_push(&t->frees, id);
	int32_t *past = evr_clocks_at(&t->clocks, id);
	evr_rf_program_past(t, e, afters, past);
	if (x->source != NONE)
		evr_clock_join(past, evr_rf_past(t, x->source), t->clocks.width);
	for (uint32_t i = 1; i < pooled(x); i++)
		if (sources[x->sources + i] != NONE)
			evr_clock_join(past, evr_rf_past(t, sources[x->sources + i]), t->clocks.width);
	evr_clock_set(past, x->thread, x->index);
	if (t->reorders_stores) {
		int32_t *drains = evr_clocks_at(&t->drains, id);
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
	struct evr_rf_location *l = &t->at.data[t->division.of.data[x->location].component];
	l->last = x->older;
	l->divided -= pooled(x) > 0;
	l->others -= !is_section_event(x);
	leave_thread(t, x);
	if (is_listed_reader(x))
		t->events.data[x->source].reader = x->next_reader;
}

void evr_rf_rewind(struct evr_rf *t, evr_event_id n)
{
	while (t->events.len > n)
		remove_last(t);
}

bool evr_rf_touches(const struct evr_rf *t, const struct evr_rf_event *x, const struct evr_rf_event *free)
{
	const struct evr_rf_region *r = &t->regions.data[free->region];
	if (x->location == EVR_NO_LOCATION)
		return false;
	const struct evr_location *l = &t->locations.all.data[x->location];
	return evr_overlap(l->address, l->size, r->address, r->size);
}
