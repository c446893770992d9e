/*
 * Sequential consistency's oracle (paper 003, section 5). Four phases, of which the first that knows the answer gives it:
 *
 *   inserted   the last execution without what is left out is one still; the changed events fit in where nothing is in
 *              their way;
 *   saturated  P-I, saturation: a cycle means that there is no execution;
 *   guided     P-II, a witness: take the events as the last execution did, and let those wait whose turn has not come;
 *   decided    P-III, the decision procedure: if that got stuck, search among the positions that the threads can reach.
 */
#include "base/map.h"
#include "model/oracle.h"
#include "model/saturation.h"

#include <stdlib.h>
#include <string.h>

#define NONE EVR_NO_EVENT

struct place {
	evr_event_id now; /* the write whose value is there */
	uint32_t left;    /* who has yet to read the initial one */
	uint64_t run;     /* in which these were set */
};

struct sc {
	struct evr_oracle base;
	struct evr_saturation s;
	/* A run of the events, as far as it has come. */
	uint64_t run;
	int32_t *done; /* by thread */
	uint32_t stride;
	EVR_VEC(struct place) places; /* cells */
	EVR_VEC(uint32_t) left; /* of each part of a write: who has yet to read it */
	evr_rf_ids guide; /* the events as the last execution had them */
	evr_rf_ids rank;  /* their places there */
	int32_t seen[EVR_MAX_THREADS];
	/* The decision procedure's. */
	struct evr_map visited; /* positions of the threads -> where they are in `positions` */
	EVR_VEC(int32_t) positions;
	EVR_VEC(struct choice) path;
	evr_rf_ids before; /* what the writes on the path have overwritten */
};

/* A step on the decision procedure's path, and how many were tried in its place, this one included. */
struct choice {
	evr_event_id event;
	unsigned tried;
};

static struct evr_oracle *create(const struct evr_rf *trace)
{
	struct sc *o = evr_alloc(sizeof(*o));
	o->base.ops = &evr_oracle_sc;
	o->base.trace = trace;
	evr_saturation_init(&o->s, trace);
	return &o->base;
}

static void destroy(struct evr_oracle *base)
{
	struct sc *o = (struct sc *)base;
	evr_saturation_release(&o->s);
	evr_vec_release(&o->places);
	evr_vec_release(&o->left);
	evr_vec_release(&o->guide);
	evr_vec_release(&o->rank);
	evr_vec_release(&o->positions);
	evr_vec_release(&o->path);
	evr_vec_release(&o->before);
	evr_map_release(&o->visited);
	free(o->done);
	free(o);
}

static void cut(struct evr_oracle *base, evr_event_id n)
{
	evr_saturation_cut(&((struct sc *)base)->s, n);
}

/* ---- insertion ---- */

/* When the last execution made the event of that number; it is not a changed one. */
static evr_event_id rank_of(const struct evr_rf *t, const struct evr_rf_change *c, evr_event_id number)
{
	return t->rank.data[number < c->prefix ? number : c->from.data[number - c->prefix]];
}

static bool all_before(const struct evr_rf *t, const struct evr_rf_change *c, const struct evr_rf_event *x,
		       evr_event_id rank)
{
	if (x->index && t->rank.data[t->of_thread[x->thread].data[x->index - 1]] >= rank)
		return false;
	for (uint32_t i = 0; i < x->afters; i++)
		if (rank_of(t, c, c->afters.data[x->after + i]) >= rank)
			return false;
	return true;
}

/* The next write after that time to the event's cell, among the events that stay; its rank, or NONE. */
static evr_event_id next_write(const struct evr_rf *t, const struct evr_rf_change *c, const struct evr_rf_event *x,
			       int64_t rank)
{
	evr_event_id next = NONE, unchanged = c->prefix + (evr_event_id)c->items.len - c->changed;
	for (evr_event_id i = evr_rf_last(t, x->location); i != NONE; i = t->events.data[i].older) {
		const struct evr_rf_event *y = &t->events.data[i];
		if (y->flags & EVR_RF_WRITES && t->rank.data[i] > rank && t->rank.data[i] < next &&
		    evr_rf_covers(y, x->cell) && evr_rf_number(c, i) < unchanged)
			next = t->rank.data[i];
	}
	return next;
}

/*
 * Leaving out events that nobody who stays reads from does no harm. The changed events come right before the next write to
 * their location, if whatever must be before them is.
 */
static bool insert(const struct evr_rf *t, struct evr_rf_change *c)
{
	evr_event_id before = NONE;
	/* Where memory is freed there is more that can be in the way. */
	if (t->frees.len || !c->changed)
		return false;
	const struct evr_rf_event *x = &c->items.data[c->items.len - c->changed];
	for (unsigned i = 0; i < c->changed; i++)
		if (x[i].cells > 1)
			return false;
	if (x->cells) {
		before = next_write(t, c, x, x->source == NONE ? -1 : (int64_t)rank_of(t, c, x->source));
		if (before != NONE) {
			const struct evr_rf_event *w = &t->events.data[t->order.data[before]];
			/* That would overwrite what the next one reads. */
			if (x->flags & EVR_RF_WRITES && w->flags & EVR_RF_READS &&
			    evr_rf_number(c, evr_rf_source(w, t->sources.data, x->cell - w->cell)) == x->source)
				return false;
			for (unsigned i = 0; i < c->changed; i++)
				if (!all_before(t, c, &x[i], before))
					return false;
		}
	}
	evr_event_id total = c->prefix + (evr_event_id)c->items.len, unchanged = total - c->changed;
	evr_vec_reserve(&c->order, total);
	c->order.len = 0;
	for (size_t k = 0; k < t->order.len; k++) {
		for (evr_event_id i = unchanged; k == before && i < total; i++)
			c->order.data[c->order.len++] = i;
		evr_event_id number = evr_rf_number(c, t->order.data[k]);
		if (number < unchanged)
			c->order.data[c->order.len++] = number;
	}
	for (evr_event_id i = unchanged; before == NONE && i < total; i++)
		c->order.data[c->order.len++] = i;
	EVR_ASSERT(c->order.len == total);
	return true;
}

/* ---- a run ---- */

static struct place *place_of(struct sc *o, uint32_t cell)
{
	while (o->places.len <= cell)
		evr_vec_push(&o->places, (struct place){ 0 });
	struct place *p = &o->places.data[cell];
	if (p->run != o->run)
		*p = (struct place){ NONE, o->s.at.data[cell].initial.count, o->run };
	return p;
}

/* How many have yet to read what is there. */
static uint32_t *left_of(struct sc *o, evr_event_id write, uint32_t cell)
{
	if (write == NONE)
		return &place_of(o, cell)->left;
	return &o->left.data[o->s.part.data[write] + cell - o->s.events.data[write].cell];
}

static void begin_run(struct sc *o)
{
	o->run++;
	if (o->stride != o->s.stride) {
		o->stride = o->s.stride;
		free(o->done);
		o->done = evr_alloc(o->stride * sizeof(*o->done));
	}
	memset(o->done, 0, o->stride * sizeof(*o->done));
	evr_vec_reserve(&o->left, o->s.parts.len);
	for (size_t i = 0; i < o->s.parts.len; i++)
		o->left.data[i] = o->s.parts.data[i].readers.count;
}

/* Is all done that must come before the event, which is its thread's next, and who would miss what it overwrites? */
static bool is_ready(struct sc *o, evr_event_id e)
{
	const struct evr_rf_event *x = &o->s.events.data[e];
	const int32_t *past = evr_saturation_past(&o->s, e);
	int32_t missing = 0;
	o->done[x->thread]++;
	for (uint32_t i = 0; i < o->stride; i++)
		missing |= o->done[i] - past[i];
	o->done[x->thread]--;
	if (missing < 0)
		return false;
	if (!(x->flags & EVR_RF_WRITES))
		return true;
	for (uint32_t cell = x->cell; cell < x->cell + x->cells; cell++) {
		evr_event_id now = place_of(o, cell)->now;
		bool own = x->flags & EVR_RF_READS && evr_saturation_part(&o->s, e, cell)->source == now;
		if (*left_of(o, now, cell) != own)
			return false;
	}
	return true;
}

static void take(struct sc *o, evr_event_id e)
{
	const struct evr_rf_event *x = &o->s.events.data[e];
	o->done[x->thread]++;
	for (uint32_t cell = x->cell; cell < x->cell + x->cells; cell++) {
		if (x->flags & EVR_RF_READS)
			--*left_of(o, evr_saturation_part(&o->s, e, cell)->source, cell);
		if (x->flags & EVR_RF_WRITES)
			place_of(o, cell)->now = e;
	}
}

/* ---- guided by the last execution ---- */

static void find_guide(struct sc *o, const struct evr_rf_change *c)
{
	const struct evr_rf *t = o->base.trace;
	evr_vec_clear(&o->guide);
	for (size_t k = 0; k < t->order.len; k++) {
		evr_event_id number = evr_rf_number(c, t->order.data[k]);
		if (number != NONE)
			evr_vec_push(&o->guide, number);
	}
	for (size_t i = 0; i < c->items.len; i++)
		if (c->from.data[i] == NONE)
			evr_vec_push(&o->guide, (evr_event_id)(c->prefix + i));
}

/* Take what has had to wait and need not wait any more. */
static void take_waiting(struct sc *o, struct evr_rf_change *c)
{
	for (unsigned i = 0; i < o->base.trace->threads; i++) {
		if (o->done[i] >= o->seen[i])
			continue;
		evr_event_id e = o->s.of_thread[i].data[o->done[i]];
		if (!is_ready(o, e))
			continue;
		take(o, e);
		evr_vec_push(&c->order, e);
		i = (unsigned)-1; /* from the start */
	}
}

static bool follow_guide(struct sc *o, struct evr_rf_change *c)
{
	size_t waiting = 0;
	evr_vec_clear(&c->order);
	begin_run(o);
	memset(o->seen, 0, o->base.trace->threads * sizeof(o->seen[0]));
	for (size_t k = 0; k < o->guide.len; k++) {
		evr_event_id e = o->guide.data[k];
		unsigned thread = o->s.events.data[e].thread;
		bool next = o->done[thread] == o->seen[thread];
		o->seen[thread]++;
		if (next && is_ready(o, e)) {
			take(o, e);
			evr_vec_push(&c->order, e);
		} else {
			waiting++;
			continue;
		}
		if (waiting) {
			size_t n = c->order.len;
			take_waiting(o, c);
			waiting -= c->order.len - n;
		}
	}
	return c->order.len == o->s.events.len;
}

/* ---- the decision procedure ---- */

/* Have the threads been at these positions before? If not, now they have. */
static bool is_known(struct sc *o)
{
	uint64_t key = evr_hash_bytes(o->done, o->stride * sizeof(*o->done));
	for (;; key++) {
		uint64_t *known = evr_map_get(&o->visited, key);
		if (!known)
			break;
		if (!memcmp(&o->positions.data[*known], o->done, o->stride * sizeof(*o->done)))
			return true;
	}
	evr_map_put(&o->visited, key, o->positions.len);
	for (uint32_t i = 0; i < o->stride; i++)
		evr_vec_push(&o->positions, o->done[i]);
	return false;
}

/* The last event is undone. What it overwrote is kept in `before`, cell by cell. */
static void take_back(struct sc *o, evr_event_id e)
{
	const struct evr_rf_event *x = &o->s.events.data[e];
	o->done[x->thread]--;
	o->before.len -= x->cells;
	for (uint32_t i = 0; i < x->cells; i++) {
		uint32_t cell = x->cell + i;
		if (x->flags & EVR_RF_WRITES)
			place_of(o, cell)->now = o->before.data[o->before.len + i];
		if (x->flags & EVR_RF_READS)
			++*left_of(o, evr_saturation_part(&o->s, e, cell)->source, cell);
	}
}

static void take_for_now(struct sc *o, evr_event_id e)
{
	const struct evr_rf_event *x = &o->s.events.data[e];
	for (uint32_t i = 0; i < x->cells; i++)
		evr_vec_push(&o->before, place_of(o, x->cell + i)->now);
	take(o, e);
}

/* The threads' next events in the order of the guide: the n-th that is ready, or NONE. */
static evr_event_id nth_ready(struct sc *o, unsigned n)
{
	evr_event_id least = NONE, rank = 0, from = 0;
	for (unsigned k = 0; k <= n; k++) {
		least = NONE;
		for (unsigned i = 0; i < o->base.trace->threads; i++) {
			const evr_rf_ids *mine = &o->s.of_thread[i];
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
static bool decide(struct sc *o, struct evr_rf_change *c)
{
	size_t total = o->s.events.len;
	unsigned tried = 0;
	evr_vec_reserve(&o->rank, total);
	for (size_t k = 0; k < o->guide.len; k++)
		o->rank.data[o->guide.data[k]] = (evr_event_id)k;
	evr_map_clear(&o->visited);
	evr_vec_clear(&o->positions);
	evr_vec_clear(&o->path);
	evr_vec_clear(&o->before);
	begin_run(o);
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
		evr_vec_push(&o->path, (struct choice){ e, tried });
		tried = 0;
	}
	evr_vec_clear(&c->order);
	for (size_t i = 0; i < total; i++)
		evr_vec_push(&c->order, o->path.data[i].event);
	return true;
}

/* ---- the answer ---- */

static bool saturate(struct sc *o, const struct evr_rf_change *c)
{
	const struct evr_rf *t = o->base.trace;
	evr_saturation_widen(&o->s, t->stride);
	evr_saturation_cut(&o->s, c->prefix);
	while (o->s.events.len < c->prefix) {
		const struct evr_rf_event *x = &t->events.data[o->s.events.len];
		if (!evr_saturation_push(&o->s, x, t->afters.data, t->sources.data))
			evr_bug("an execution that was run cannot be");
	}
	for (size_t i = 0; i < c->items.len; i++) {
		const struct evr_rf_event *x = &c->items.data[i];
		if (!evr_saturation_push(&o->s, x, c->afters.data, c->sources.data))
			return false;
	}
	return true;
}

static bool consistent(struct evr_oracle *base, struct evr_rf_change *c)
{
	struct sc *o = (struct sc *)base;
	bool fine = true;
	base->asked++;
	if (insert(base->trace, c)) {
		base->inserted++;
		return true;
	}
	if (!saturate(o, c)) {
		base->saturated++;
		fine = false;
	} else {
		find_guide(o, c);
		if (follow_guide(o, c)) {
			base->guided++;
		} else {
			base->decided++;
			fine = decide(o, c);
		}
	}
	evr_saturation_cut(&o->s, c->prefix);
	return fine;
}

const struct evr_oracle_ops evr_oracle_sc = {
	.create = create,
	.destroy = destroy,
	.cut = cut,
	.consistent = consistent,
	.mixed = true,
};
