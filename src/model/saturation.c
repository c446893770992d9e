/* Invariant between two calls: shb is closed under the rules, unless the last call failed; then its event must be taken back. */
#include "model/saturation.h"

#include <stdlib.h>
#include <string.h>

#define NONE EVR_NO_EVENT

/* An order between two events that neither program order within a thread nor reads-from gives. */
struct evr_edge {
	evr_event_id from, to;
	uint32_t next; /* of the same `from` */
};

struct evr_level {
	uint32_t edge; /* the newest edge that starts at this event */
	uint32_t edges, old_clocks;
};

void evr_saturation_init(struct evr_saturation *s, const struct evr_rf *trace)
{
	*s = (struct evr_saturation){ .trace = trace };
}

void evr_saturation_release(struct evr_saturation *s)
{
	for (size_t i = 0; i < s->at.len; i++) {
		for (size_t k = 0; k < s->at.data[i].writes.len; k++)
			evr_vec_release(&s->at.data[i].writes.data[k].ids);
		evr_vec_release(&s->at.data[i].writes);
	}
	for (unsigned i = 0; i < s->clocks.width; i++)
		evr_vec_release(&s->of_thread[i]);
	free(s->of_thread);
	evr_vecs_release(&s->owner, &s->events, &s->part, &s->parts, &s->at, &s->edges, &s->levels, &s->logged,
			 &s->old_owners, &s->queue);
	evr_clocks_release(&s->clocks);
	evr_clocks_release(&s->old_clocks);
}

/* ---- clocks ---- */

static int32_t *clock_of(const struct evr_saturation *s, evr_event_id e)
{
	return evr_clocks_at(&s->clocks, e);
}

static void resize(struct evr_saturation *s, uint32_t width, size_t rows)
{
	/* A wider clock cannot be logged beside narrow ones: what is here must come again. */
	if (width != s->clocks.width) {
		evr_saturation_rewind(s, 0);
		evr_rf_ids *of_thread = evr_alloc(width * sizeof(*of_thread));
		if (s->clocks.width)
			memcpy(of_thread, s->of_thread, s->clocks.width * sizeof(*of_thread));
		free(s->of_thread);
		s->of_thread = of_thread;
		evr_clocks_resize(&s->old_clocks, width, rows, 0);
	}
	evr_clocks_resize(&s->clocks, width, rows, s->events.len);
}

static void log_clock(struct evr_saturation *s, evr_event_id e)
{
	size_t n = s->old_owners.len;
	if (s->logged.data[e] == s->pushes)
		return;
	s->logged.data[e] = s->pushes;
	evr_clocks_reserve(&s->old_clocks, n + 1, n);
	evr_clock_copy(evr_clocks_at(&s->old_clocks, n), clock_of(s, e), s->clocks.width);
	evr_vec_push(&s->old_owners, e);
}

/* Whatever is before a is before b, and so is a. False: b is before a. */
static bool order(struct evr_saturation *s, evr_event_id a, evr_event_id b)
{
	const struct evr_rf_event *y = &s->events.data[b];
	const int32_t *from = clock_of(s, a);
	int32_t *to = clock_of(s, b);
	if (evr_clock_has(from, y->thread, y->index))
		return false;
	if (evr_clock_includes(to, from, s->clocks.width))
		return true;
	log_clock(s, b);
	evr_clock_join(to, from, s->clocks.width);
	evr_vec_push(&s->queue, b);
	return true;
}

/* a must be before b. */
static bool add_edge(struct evr_saturation *s, evr_event_id a, evr_event_id b)
{
	if (evr_saturation_before(s, a, b))
		return a != b;
	struct evr_level *l = &s->levels.data[a];
	evr_vec_push(&s->edges, (struct evr_edge){ a, b, l->edge });
	l->edge = (uint32_t)s->edges.len - 1;
	return order(s, a, b);
}

/* ---- the rules ---- */

/* How many of these events of one thread are among the first n of the thread? */
static size_t among(const struct evr_saturation *s, const evr_rf_ids *ids, int32_t n)
{
	size_t low = 0, high = ids->len;
	/* Nearly always all. */
	if (high && (int32_t)s->events.data[ids->data[high - 1]].index < n)
		return high;
	while (low < high) {
		size_t middle = (low + high) / 2;
		if ((int32_t)s->events.data[ids->data[middle]].index < n)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The last write of a thread to the location that is before e, and not e. */
static evr_event_id last_before(const struct evr_saturation *s, const struct evr_thread_writes *w, evr_event_id e)
{
	size_t n = among(s, &w->ids, clock_of(s, e)[w->thread]);
	if (n && w->ids.data[n - 1] == e)
		n--;
	return n ? w->ids.data[n - 1] : NONE;
}

/* R1 for this read of a cell. */
static bool order_before_source(struct evr_saturation *s, evr_event_id read, uint32_t cell)
{
	evr_event_id source = evr_saturation_part(s, read, cell)->source;
	const struct evr_saturated_cell *l = &s->at.data[cell];
	for (size_t i = 0; i < l->writes.len; i++) {
		evr_event_id w = last_before(s, &l->writes.data[i], read);
		if (w == NONE || w == source)
			continue;
		if (source == NONE || !add_edge(s, w, source))
			return false;
	}
	return true;
}

static bool order_after_readers(struct evr_saturation *s, const struct evr_readers *r, evr_event_id write)
{
	for (uint32_t i = r->first; i != NONE; i = s->parts.data[i].next)
		if (s->parts.data[i].event != write && !add_edge(s, s->parts.data[i].event, write))
			return false;
	return true;
}

/* R2 for this write: it is after those who read what is before it. */
static bool order_after_earlier(struct evr_saturation *s, evr_event_id write, uint32_t cell)
{
	const struct evr_saturated_cell *l = &s->at.data[cell];
	for (size_t i = 0; i < l->writes.len; i++) {
		evr_event_id w = last_before(s, &l->writes.data[i], write);
		if (w != NONE && !order_after_readers(s, &evr_saturation_part(s, w, cell)->readers, write))
			return false;
	}
	return true;
}

/* R2 for this read: it is before the writes that are after its source; of each thread, before the first. */
static bool order_before_later(struct evr_saturation *s, evr_event_id read, uint32_t cell)
{
	evr_event_id source = evr_saturation_part(s, read, cell)->source;
	const struct evr_saturated_cell *l = &s->at.data[cell];
	for (size_t i = 0; i < l->writes.len; i++) {
		const evr_rf_ids *ids = &l->writes.data[i].ids;
		size_t low = 0, high = ids->len;
		while (source != NONE && low < high) {
			size_t middle = (low + high) / 2;
			if (evr_saturation_before(s, source, ids->data[middle]))
				high = middle;
			else
				low = middle + 1;
		}
		while (low < ids->len && (ids->data[low] == source || ids->data[low] == read))
			low++;
		if (low < ids->len && !add_edge(s, read, ids->data[low]))
			return false;
	}
	return true;
}

static bool apply_rules(struct evr_saturation *s, evr_event_id e)
{
	const struct evr_rf_event *x = &s->events.data[e];
	for (uint32_t i = 0; i < x->cells; i++) {
		if (x->flags & EVR_RF_READS && !order_before_source(s, e, x->cell + i))
			return false;
		if (x->flags & EVR_RF_WRITES && !order_after_earlier(s, e, x->cell + i))
			return false;
	}
	return true;
}

/* The rules that concern an event only when it comes. */
static bool apply_rules_once(struct evr_saturation *s, evr_event_id e)
{
	const struct evr_rf_event *x = &s->events.data[e];
	for (uint32_t i = 0; i < x->cells; i++) {
		if (x->flags & EVR_RF_WRITES && !order_after_readers(s, &s->at.data[x->cell + i].initial, e))
			return false;
		if (x->flags & EVR_RF_READS && !order_before_later(s, e, x->cell + i))
			return false;
	}
	return true;
}

static bool order_successors(struct evr_saturation *s, evr_event_id e)
{
	const struct evr_rf_event *x = &s->events.data[e];
	const evr_rf_ids *mine = &s->of_thread[x->thread];
	if (x->index + 1 < mine->len && !order(s, e, mine->data[x->index + 1]))
		return false;
	for (uint32_t k = s->part.data[e]; k < s->part.data[e] + x->cells; k++)
		for (uint32_t i = s->parts.data[k].readers.first; i != NONE; i = s->parts.data[i].next)
			if (!evr_saturation_forwards(s, e, s->parts.data[i].event) &&
			    !order(s, e, s->parts.data[i].event))
				return false;
	for (uint32_t i = s->levels.data[e].edge; i != NONE; i = s->edges.data[i].next)
		if (!order(s, e, s->edges.data[i].to))
			return false;
	return true;
}

static bool saturate(struct evr_saturation *s)
{
	for (size_t i = 0; i < s->queue.len; i++) {
		evr_event_id e = s->queue.data[i];
		if (!apply_rules(s, e) || !order_successors(s, e))
			return false;
	}
	return true;
}

/* ---- events come and go ---- */

static struct evr_saturated_cell *at(struct evr_saturation *s, uint32_t cell)
{
	while (s->at.len <= cell)
		evr_vec_push(&s->at, (struct evr_saturated_cell){ .initial = { NONE, 0 } });
	return &s->at.data[cell];
}

static evr_rf_ids *writes_of(struct evr_saturation *s, uint32_t cell, evr_thread_id thread)
{
	struct evr_saturated_cell *l = at(s, cell);
	for (size_t i = 0; i < l->writes.len; i++)
		if (l->writes.data[i].thread == thread)
			return &l->writes.data[i].ids;
	evr_vec_push(&l->writes, (struct evr_thread_writes){ .thread = thread });
	return &evr_vec_last(&l->writes).ids;
}

static struct evr_readers *readers_of(struct evr_saturation *s, evr_event_id source, uint32_t cell)
{
	return source == NONE ? &at(s, cell)->initial : &evr_saturation_part(s, source, cell)->readers;
}

static void enter_cell(struct evr_saturation *s, evr_event_id id, uint32_t cell, evr_event_id source)
{
	const struct evr_rf_event *x = &s->events.data[id];
	uint32_t part = (uint32_t)s->parts.len;
	evr_vec_push(&s->parts, (struct evr_part){ id, source, NONE, { NONE, 0 } });
	at(s, cell);
	if (x->flags & EVR_RF_WRITES)
		evr_vec_push(writes_of(s, cell, x->thread), id);
	if (!(x->flags & EVR_RF_READS))
		return;
	if (source != NONE && !evr_saturation_forwards(s, source, id))
		evr_clock_join(clock_of(s, id), clock_of(s, source), s->clocks.width);
	struct evr_readers *r = readers_of(s, source, cell);
	s->parts.data[part].next = r->first;
	r->first = part;
	r->count++;
}

static void leave_cell(struct evr_saturation *s, evr_event_id id, uint32_t cell)
{
	const struct evr_rf_event *x = &s->events.data[id];
	const struct evr_part *p = evr_saturation_part(s, id, cell);
	if (x->flags & EVR_RF_READS) {
		struct evr_readers *r = readers_of(s, p->source, cell);
		r->first = p->next;
		r->count--;
	}
	if (x->flags & EVR_RF_WRITES)
		writes_of(s, cell, x->thread)->len--;
}

static void enter(struct evr_saturation *s, evr_event_id id, const evr_event_id *afters, const evr_event_id *sources)
{
	const struct evr_rf_event *x = &s->events.data[id];
	int32_t *clock = clock_of(s, id);
	if (x->index)
		evr_clock_copy(clock, clock_of(s, s->of_thread[x->thread].data[x->index - 1]), s->clocks.width);
	else
		evr_clock_clear(clock, s->clocks.width);
	evr_vec_push(&s->of_thread[x->thread], id);
	evr_clock_set(clock, x->thread, x->index);
	for (uint32_t i = 0; i < x->afters; i++)
		add_edge(s, afters[x->after + i], id);
	bool reads = x->flags & EVR_RF_READS;
	for (uint32_t i = 0; i < x->cells; i++)
		enter_cell(s, id, x->cell + i, reads ? evr_rf_source(x, sources, i) : NONE);
}

bool evr_saturation_push(struct evr_saturation *s, const struct evr_rf_event *e, const evr_event_id *afters,
			 const evr_event_id *sources)
{
	evr_event_id id = (evr_event_id)s->events.len;
	if (EVR_UNLIKELY(id >= s->clocks.rows))
		resize(s, s->clocks.width, 2 * (size_t)id + 64);
	evr_vec_push(&s->events, *e);
	evr_vec_push(&s->part, (uint32_t)s->parts.len);
	evr_vec_push(&s->levels, (struct evr_level){ NONE, (uint32_t)s->edges.len, (uint32_t)s->old_owners.len });
	s->pushes++;
	evr_vec_push(&s->logged, s->pushes);
	evr_vec_clear(&s->queue);
	enter(s, id, afters, sources);
	evr_vec_clear(&s->queue);
	bool fine = apply_rules(s, id);
	return fine && apply_rules_once(s, id) && saturate(s);
}

bool evr_saturation_order(struct evr_saturation *s, evr_event_id before, evr_event_id after)
{
	evr_vec_clear(&s->queue);
	return add_edge(s, before, after) && saturate(s);
}

static void remove_last(struct evr_saturation *s)
{
	const struct evr_rf_event *x = &s->events.data[s->events.len - 1];
	const struct evr_level *level = &evr_vec_last(&s->levels);
	while (s->edges.len > level->edges) {
		const struct evr_edge *e = &evr_vec_last(&s->edges);
		s->levels.data[e->from].edge = e->next;
		s->edges.len--;
	}
	while (s->old_owners.len > level->old_clocks) {
		evr_event_id owner = evr_vec_last(&s->old_owners);
		s->old_owners.len--;
		evr_clock_copy(clock_of(s, owner), evr_clocks_at(&s->old_clocks, s->old_owners.len), s->clocks.width);
	}
	for (uint32_t i = x->cells; i-- > 0;)
		leave_cell(s, (evr_event_id)s->events.len - 1, x->cell + i);
	s->parts.len = evr_vec_last(&s->part);
	s->of_thread[x->thread].len--;
	s->events.len--;
	s->part.len--;
	s->levels.len--;
	s->logged.len--;
}

void evr_saturation_rewind(struct evr_saturation *s, evr_event_id n)
{
	while (s->events.len > n)
		remove_last(s);
}

void evr_saturation_widen(struct evr_saturation *s, uint32_t width)
{
	if (width > s->clocks.width)
		resize(s, width, s->clocks.rows ? s->clocks.rows : 64);
}
