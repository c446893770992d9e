/* Invariant of a run: every write that was overwritten has been read by all who read from it. */
#include "model/witness.h"

#include <stdlib.h>
#include <string.h>

#define NONE EVR_NO_EVENT

/* A cell, as the run has left it. */
struct evr_witness_cell {
	evr_event_id now; /* the write whose value is there */
	uint32_t left;    /* who has yet to read the initial one */
	uint64_t run;     /* in which these were set */
};

/* A step on the decision procedure's path, and how many were tried in its place, this one included. */
struct evr_choice {
	evr_event_id event;
	unsigned tried;
};

void evr_witness_init(struct evr_witness *o, const struct evr_saturation *s)
{
	*o = (struct evr_witness){ .s = s };
}

void evr_witness_release(struct evr_witness *o)
{
	evr_vecs_release(&o->guide, &o->cells, &o->left, &o->rank, &o->path, &o->before);
	evr_map_release(&o->visited);
	evr_clocks_release(&o->positions);
	evr_clocks_release(&o->room);
}

/* ---- a run ---- */

static struct evr_witness_cell *state_of(struct evr_witness *o, uint32_t cell)
{
	while (o->cells.len <= cell)
		evr_vec_push(&o->cells, (struct evr_witness_cell){ 0 });
	struct evr_witness_cell *p = &o->cells.data[cell];
	if (p->run != o->run)
		*p = (struct evr_witness_cell){ NONE, o->s->at.data[cell].initial.count, o->run };
	return p;
}

/* How many have yet to read what is there. */
static uint32_t *left_of(struct evr_witness *o, evr_event_id write, uint32_t cell)
{
	if (write == NONE)
		return &state_of(o, cell)->left;
	return &o->left.data[o->s->part.data[write] + cell - o->s->events.data[write].cell];
}

static void reset(struct evr_witness *o)
{
	o->run++;
	if (EVR_UNLIKELY(o->room.width != o->s->clocks.width)) {
		evr_clocks_resize(&o->room, o->s->clocks.width, 2, 0);
		evr_clocks_resize(&o->positions, o->s->clocks.width, 64, 0);
		o->done = evr_clocks_at(&o->room, 0);
		o->seen = evr_clocks_at(&o->room, 1);
	}
	evr_clock_clear(o->done, o->room.width);
	evr_vec_reserve(&o->left, o->s->parts.len);
	for (size_t i = 0; i < o->s->parts.len; i++)
		o->left.data[i] = o->s->parts.data[i].readers.count;
}

/* Is all done that must come before the event, which is its thread's next, and who would miss what it overwrites? */
static bool is_ready(struct evr_witness *o, evr_event_id e)
{
	const struct evr_rf_event *x = &o->s->events.data[e];
	/* The event itself is in its past. */
	o->done[x->thread]++;
	bool past_done = evr_clock_includes(o->done, evr_saturation_past(o->s, e), o->room.width);
	o->done[x->thread]--;
	if (!past_done)
		return false;
	if (!(x->flags & EVR_RF_WRITES))
		return true;
	for (uint32_t cell = x->cell; cell < x->cell + x->cells; cell++) {
		evr_event_id now = state_of(o, cell)->now;
		bool is_reader = x->flags & EVR_RF_READS && evr_saturation_part(o->s, e, cell)->source == now;
		if (*left_of(o, now, cell) != is_reader)
			return false;
	}
	return true;
}

static void take(struct evr_witness *o, evr_event_id e)
{
	const struct evr_rf_event *x = &o->s->events.data[e];
	o->done[x->thread]++;
	for (uint32_t cell = x->cell; cell < x->cell + x->cells; cell++) {
		if (x->flags & EVR_RF_READS)
			--*left_of(o, evr_saturation_part(o->s, e, cell)->source, cell);
		if (x->flags & EVR_RF_WRITES)
			state_of(o, cell)->now = e;
	}
}

/* ---- guided by the last execution ---- */

/* Take what has had to wait and need not wait any more. */
static void take_waiting(struct evr_witness *o, evr_rf_ids *order)
{
	for (unsigned i = 0; i < o->room.width; i++) {
		if (o->done[i] >= o->seen[i])
			continue;
		evr_event_id e = o->s->of_thread[i].data[o->done[i]];
		if (!is_ready(o, e))
			continue;
		take(o, e);
		evr_vec_push(order, e);
		i = (unsigned)-1; /* from the start */
	}
}

static bool follow_guide(struct evr_witness *o, evr_rf_ids *order)
{
	size_t waiting = 0;
	evr_vec_clear(order);
	reset(o);
	evr_clock_clear(o->seen, o->room.width);
	for (size_t k = 0; k < o->guide.len; k++) {
		evr_event_id e = o->guide.data[k];
		unsigned thread = o->s->events.data[e].thread;
		bool next = o->done[thread] == o->seen[thread];
		o->seen[thread]++;
		if (next && is_ready(o, e)) {
			take(o, e);
			evr_vec_push(order, e);
		} else {
			waiting++;
			continue;
		}
		if (waiting) {
			size_t n = order->len;
			take_waiting(o, order);
			waiting -= order->len - n;
		}
	}
	return order->len == o->s->events.len;
}

/* ---- the decision procedure ---- */

/* Have the threads been at these positions before? If not, now they have. */
static bool is_known(struct evr_witness *o)
{
	uint32_t width = o->room.width;
	uint64_t key = evr_hash_bytes(o->done, width * sizeof(*o->done));
	/* A collision is put off to the next key. */
	for (uint64_t *row; (row = evr_map_get(&o->visited, key)); key++)
		if (!memcmp(evr_clocks_at(&o->positions, *row), o->done, width * sizeof(*o->done)))
			return true;
	size_t n = o->visited.len;
	evr_map_put(&o->visited, key, n);
	evr_clocks_reserve(&o->positions, n + 1, n);
	evr_clock_copy(evr_clocks_at(&o->positions, n), o->done, width);
	return false;
}

/* The last event is undone. What it overwrote is kept in `before`, cell by cell. */
static void take_back(struct evr_witness *o, evr_event_id e)
{
	const struct evr_rf_event *x = &o->s->events.data[e];
	o->done[x->thread]--;
	o->before.len -= x->cells;
	for (uint32_t i = 0; i < x->cells; i++) {
		uint32_t cell = x->cell + i;
		if (x->flags & EVR_RF_WRITES)
			state_of(o, cell)->now = o->before.data[o->before.len + i];
		if (x->flags & EVR_RF_READS)
			++*left_of(o, evr_saturation_part(o->s, e, cell)->source, cell);
	}
}

static void take_for_now(struct evr_witness *o, evr_event_id e)
{
	const struct evr_rf_event *x = &o->s->events.data[e];
	for (uint32_t i = 0; i < x->cells; i++)
		evr_vec_push(&o->before, state_of(o, x->cell + i)->now);
	take(o, e);
}

/* The threads' next events in the order of the guide: the n-th that is ready, or NONE. */
static evr_event_id nth_ready(struct evr_witness *o, unsigned n)
{
	evr_event_id least = NONE, rank = 0, from = 0;
	for (unsigned k = 0; k <= n; k++) {
		least = NONE;
		for (unsigned i = 0; i < o->room.width; i++) {
			const evr_rf_ids *mine = &o->s->of_thread[i];
			if ((size_t)o->done[i] >= mine->len)
				continue;
			evr_event_id e = mine->data[o->done[i]], r = o->rank.data[e];
			if (r >= from && (least == NONE || r < rank) && is_ready(o, e)) {
				least = e;
				rank = r;
			}
		}
		if (least == NONE)
			return NONE;
		from = rank + 1;
	}
	return least;
}

/*
 * A path through the graph of Algorithm 3. Its nodes, the positions of all threads, say all that matters: a write is
 * possible only when all who read what it overwrites have done so.
 */
static bool decide(struct evr_witness *o, evr_rf_ids *order)
{
	size_t total = o->s->events.len;
	unsigned tried = 0;
	evr_vec_reserve(&o->rank, total);
	for (size_t k = 0; k < o->guide.len; k++)
		o->rank.data[o->guide.data[k]] = (evr_event_id)k;
	evr_map_clear(&o->visited);
	evr_vec_clear(&o->path);
	evr_vec_clear(&o->before);
	reset(o);
	while (o->path.len < total) {
		evr_event_id e = nth_ready(o, tried++);
		if (e == NONE) {
			if (!o->path.len)
				return false;
			tried = evr_vec_last(&o->path).tried;
			take_back(o, evr_vec_last(&o->path).event);
			o->path.len--;
			continue;
		}
		take_for_now(o, e);
		if (is_known(o)) {
			take_back(o, e);
			continue;
		}
		evr_vec_push(&o->path, (struct evr_choice){ e, tried });
		tried = 0;
	}
	evr_vec_clear(order);
	for (size_t i = 0; i < total; i++)
		evr_vec_push(order, o->path.data[i].event);
	return true;
}

/* The last execution: of stores, when they took effect. What had no such time is behind all that its thread has done. */
static void find_guide(struct evr_witness *o, const struct evr_rf_change *c)
{
	const struct evr_rf *t = o->s->trace;
	evr_vec_clear(&o->guide);
	for (size_t k = 0; k < t->order.len; k++) {
		evr_event_id step = t->order.data[k], number = evr_rf_number(c, evr_rf_event_of(step));
		if (number == NONE)
			continue;
		bool store = evr_rf_numbered(t, c, number)->flags & EVR_RF_BUFFERED;
		if (store == evr_rf_is_update(step))
			evr_vec_push(&o->guide, number);
	}
	for (size_t i = 0; i < c->items.len; i++) {
		evr_event_id from = c->from.data[i];
		bool store = c->items.data[i].flags & EVR_RF_BUFFERED;
		if (from == NONE || (store && !(t->events.data[from].flags & EVR_RF_BUFFERED)))
			evr_vec_push(&o->guide, (evr_event_id)(c->prefix + i));
	}
}

bool evr_witness_find(struct evr_witness *o, struct evr_oracle *base, const struct evr_rf_change *c, evr_rf_ids *order)
{
	find_guide(o, c);
	bool found = follow_guide(o, order);
	base->guided += found;
	base->decided += !found;
	return found || decide(o, order);
}

bool evr_witness_follow(struct evr_witness *o, const struct evr_rf_change *c, evr_rf_ids *order)
{
	find_guide(o, c);
	return follow_guide(o, order);
}
