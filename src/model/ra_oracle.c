/*
 * Release-acquire's oracle (paper 000, its saturated semantics; with read-modify-writes).
 *
 * Happens-before is program order and reads-from. The writes to a location are in coherence order, of which only what must be
 * is found out: a write that happens before another one, or before a read of another one, comes first. Read-modify-writes come
 * right after their sources, so that a write and the chain of those behind it are a *block*, and the order is one of
 * blocks. A trace can happen if no location's blocks have to be before themselves. Any order that respects
 * happens-before will do to run it, since reads get their values from their sources.
 *
 * The events of a change that are not new are consistent, and nothing comes after the new ones: only the location of the
 * new ones has to be looked at.
 *
 * Invariant: the events of a trace are numbered in an order that respects happens-before.
 */
#include "model/oracle.h"

#include <stdlib.h>
#include <string.h>

#define NONE EVR_NO_EVENT

/* An event of the location that is looked at. */
struct member {
	evr_event_id number;
	evr_thread_id thread;
	uint8_t flags;
	uint32_t index;
	uint32_t source; /* member, or INITIAL */
	uint32_t block, block_index; /* of a write: which one, and where in it, from 1 */
	uint32_t next; /* of a write: the one that reads and overwrites it, or NONE */
	uint32_t previous_write; /* of a write: the one before of its thread, or NONE */
	const int32_t *past;
};

#define INITIAL 0 /* the initial write is the first member and the first block */

struct ra {
	struct evr_oracle base;
	EVR_VEC(struct member) members;
	uint32_t last_write[EVR_MAX_THREADS]; /* member; NONE */
	EVR_VEC(uint32_t) last_of; /* of each block: its last member */
	EVR_VEC(uint32_t) edge_of; /* of each block: its newest edge, or NONE */
	EVR_VEC(struct edge) edges; /* to blocks that come after */
	EVR_VEC(uint32_t) stack;
	EVR_VEC(uint64_t) reached; /* of each block: the search that came there last */
	uint64_t searches;
	evr_rf_ids member_of; /* of a number */
	struct evr_clocks pasts; /* of the events that are new, which are at most two */
	EVR_VEC(uint8_t) done;
	EVR_VEC(struct found) found; /* of each location: what newest() has said */
};

struct edge {
	uint32_t to, next;
};

struct found {
	uint64_t execution;
	evr_event_id newest;
};

static struct evr_oracle *create(const struct evr_rf *trace)
{
	struct ra *o = evr_alloc(sizeof(*o));
	o->base.ops = &evr_oracle_ra;
	o->base.trace = trace;
	return &o->base;
}

static void destroy(struct evr_oracle *base)
{
	struct ra *o = (struct ra *)base;
	evr_vecs_release(&o->members, &o->last_of, &o->edge_of, &o->edges, &o->found, &o->stack, &o->reached,
			 &o->member_of, &o->done);
	evr_clocks_release(&o->pasts);
	free(o);
}

static void rewind_to(struct evr_oracle *base, evr_event_id n)
{
	(void)base, (void)n;
}

/* ---- the blocks of a location ---- */

/* The same edge may come twice. */
static void add_edge(struct ra *o, uint32_t from, uint32_t to)
{
	uint32_t newest = o->edge_of.data[from];
	if (newest != NONE && o->edges.data[newest].to == to)
		return;
	o->edge_of.data[from] = (uint32_t)o->edges.len;
	evr_vec_push(&o->edges, (struct edge){ to, newest });
}

static void add_block(struct ra *o, uint32_t member)
{
	evr_vec_push(&o->last_of, member);
	evr_vec_push(&o->edge_of, NONE);
	evr_vec_push(&o->reached, 0);
}

static void reset_location(struct ra *o)
{
	evr_vec_clear(&o->members);
	evr_vec_clear(&o->last_of);
	evr_vec_clear(&o->edge_of);
	evr_vec_clear(&o->edges);
	evr_vec_clear(&o->reached);
	evr_vec_push(&o->members, (struct member){ .number = NONE, .next = NONE, .previous_write = NONE });
	add_block(o, INITIAL);
	for (unsigned i = 0; i < o->base.trace->threads; i++)
		o->last_write[i] = NONE;
}

/* Of this thread's writes that are here, the last one in the event's past. */
static uint32_t last_before(const struct ra *o, const struct member *m, unsigned thread)
{
	uint32_t w = o->last_write[thread];
	while (w != NONE && m->past[thread] <= (int32_t)o->members.data[w].index)
		w = o->members.data[w].previous_write;
	return w;
}

/* Can anything of block `from` only come before something of block `to`? */
static bool reaches(struct ra *o, uint32_t from, uint32_t to)
{
	if (from == to)
		return true;
	o->searches++;
	evr_vec_clear(&o->stack);
	evr_vec_push(&o->stack, from);
	while (o->stack.len) {
		uint32_t b = o->stack.data[--o->stack.len];
		for (uint32_t i = o->edge_of.data[b]; i != NONE; i = o->edges.data[i].next) {
			uint32_t next = o->edges.data[i].to;
			if (next == to)
				return true;
			if (o->reached.data[next] != o->searches)
				evr_vec_push(&o->stack, next);
			o->reached.data[next] = o->searches;
		}
	}
	return false;
}

/* Write w must come before write s, or be it. `sure`: it does not contradict what is known. */
static bool order(struct ra *o, uint32_t w, uint32_t s, bool sure)
{
	const struct member *x = &o->members.data[w], *y = &o->members.data[s];
	if (w == s)
		return true;
	if (x->block == y->block)
		return x->block_index < y->block_index;
	if (!sure && (y->block == INITIAL || reaches(o, y->block, x->block)))
		return false;
	add_edge(o, x->block, y->block);
	return true;
}

static void enter_block(struct ra *o, uint32_t m)
{
	struct member *x = &o->members.data[m];
	if (x->flags & EVR_RF_READS) {
		x->block = o->members.data[x->source].block;
		x->block_index = o->members.data[x->source].block_index + 1;
		o->members.data[x->source].next = m;
		if (o->last_of.data[x->block] == x->source)
			o->last_of.data[x->block] = m;
	} else {
		x->block = (uint32_t)o->last_of.len;
		x->block_index = 1;
		add_block(o, m);
	}
	x->previous_write = o->last_write[x->thread];
	o->last_write[x->thread] = m;
}

/*
 * One more event, after those in its past. False: it cannot be. A chain that was entered before its end is known grows:
 * events come in an order that respects happens-before, so its members do come one after the other.
 */
static bool enter(struct ra *o, const struct member *new, bool sure)
{
	uint32_t m = (uint32_t)o->members.len;
	evr_vec_push(&o->members, *new);
	if (new->flags & EVR_RF_READS) {
		if (new->flags & EVR_RF_WRITES && o->members.data[new->source].next != NONE)
			return false;
		for (unsigned i = 0; i < o->base.trace->threads; i++) {
			uint32_t w = last_before(o, new, i);
			if (w != NONE && !order(o, w, new->source, sure))
				return false;
		}
	}
	if (!(new->flags &EVR_RF_WRITES))
		return true;
	enter_block(o, m);
	for (unsigned i = 0; !(new->flags &EVR_RF_READS) && i < o->base.trace->threads; i++) {
		uint32_t w = i == new->thread ? o->members.data[m].previous_write : last_before(o, new, i);
		if (w != NONE && !order(o, w, m, sure))
			return false;
	}
	return true;
}

static void note_member(struct ra *o, evr_event_id number)
{
	evr_vec_reserve(&o->member_of, number + 1u);
	o->member_of.data[number] = (uint32_t)o->members.len;
}

static bool enter_event(struct ra *o, evr_event_id number, const struct evr_rf_event *x, evr_event_id source,
			const int32_t *past, bool sure)
{
	struct member m = {
		.number = number,
		.thread = x->thread,
		.flags = x->flags,
		.index = x->index,
		.source = x->flags & EVR_RF_READS && source != NONE ? o->member_of.data[source] : INITIAL,
		.next = NONE,
		.previous_write = NONE,
		.past = past,
	};
	note_member(o, number);
	return enter(o, &m, sure);
}

/* ---- a change ---- */

/* The events of the location that stay, the oldest first. */
static void enter_old(struct ra *o, const struct evr_rf_change *c, uint32_t location)
{
	const struct evr_rf *t = o->base.trace;
	evr_event_id unchanged = c ? c->prefix + (evr_event_id)c->items.len - c->changed : NONE;
	evr_vec_clear(&o->stack);
	for (evr_event_id i = evr_rf_last(t, location); i != NONE; i = t->events.data[i].older) {
		evr_event_id number = c ? evr_rf_number(c, i) : i;
		if (number < unchanged && t->events.data[i].flags & (EVR_RF_READS | EVR_RF_WRITES))
			evr_vec_push(&o->stack, i);
	}
	reset_location(o);
	for (size_t k = o->stack.len; k-- > 0;) {
		evr_event_id i = o->stack.data[k];
		const struct evr_rf_event *x = &t->events.data[i];
		/* The stack is used below. */
		if (!enter_event(o, c ? evr_rf_number(c, i) : i, x,
				 c && x->source != NONE ? evr_rf_number(c, x->source) : x->source, evr_rf_past(t, i),
				 true))
			evr_bug("an execution that was run cannot be");
	}
}

static const int32_t *past_of_number(const struct ra *o, const struct evr_rf_change *c, evr_event_id number)
{
	const struct evr_rf *t = o->base.trace;
	evr_event_id unchanged = c->prefix + (evr_event_id)c->items.len - c->changed;
	if (number < c->prefix)
		return evr_rf_past(t, number);
	if (number < unchanged)
		return evr_rf_past(t, c->from.data[number - c->prefix]);
	return evr_clocks_at(&o->pasts, number - unchanged);
}

static const int32_t *new_past(struct ra *o, const struct evr_rf_change *c, unsigned k)
{
	const struct evr_rf *t = o->base.trace;
	uint32_t width = t->clocks.width;
	if (EVR_UNLIKELY(o->pasts.width != width))
		evr_clocks_resize(&o->pasts, width, 2, 0);
	const struct evr_rf_event *x = &c->items.data[c->items.len - c->changed + k];
	int32_t *past = evr_clocks_at(&o->pasts, k);
	if (x->index)
		evr_clock_copy(past, evr_rf_past(t, t->of_thread[x->thread].data[x->index - 1]), width);
	else
		evr_clock_clear(past, width);
	for (uint32_t i = 0; i < x->afters; i++)
		evr_clock_join(past, past_of_number(o, c, c->afters.data[x->after + i]), width);
	if (x->source != NONE)
		evr_clock_join(past, past_of_number(o, c, x->source), width);
	evr_clock_set(past, x->thread, x->index);
	return past;
}

/* The events are numbered in an order that respects program order and reads-from. */
static void write_order(struct evr_rf_change *c)
{
	size_t total = c->prefix + c->items.len;
	evr_vec_reserve(&c->order, total);
	c->order.len = 0;
	for (evr_event_id i = 0; i < total; i++)
		c->order.data[c->order.len++] = i;
}

static bool consistent(struct evr_oracle *base, struct evr_rf_change *c)
{
	struct ra *o = (struct ra *)base;
	evr_event_id unchanged = c->prefix + (evr_event_id)c->items.len - c->changed;
	const struct evr_rf_event *x = &c->items.data[c->items.len - c->changed];
	bool fine = true, here = x->flags & (EVR_RF_READS | EVR_RF_WRITES) && x->cells;
	base->asked++;
	if (here)
		enter_old(o, c, x->location);
	for (unsigned k = 0; fine && k < c->changed; k++) {
		const int32_t *past = new_past(o, c, k);
		fine = !here || enter_event(o, unchanged + k, &x[k], x[k].source, past, false);
	}
	if (fine)
		write_order(c);
	base->saturated += !fine;
	base->inserted += fine;
	return fine;
}

/* ---- a whole trace ---- */

/* A write that no other need come after: the last of a block without successors. */
static evr_event_id find_newest(struct ra *o, uint32_t location)
{
	evr_event_id best = NONE;
	enter_old(o, NULL, location);
	/* The initial write comes before all others. */
	for (uint32_t b = INITIAL + 1; b < o->last_of.len; b++) {
		evr_event_id last = o->members.data[o->last_of.data[b]].number;
		if (o->edge_of.data[b] == NONE && (best == NONE || last > best))
			best = last;
	}
	return o->last_of.len == INITIAL + 1 ? o->members.data[o->last_of.data[INITIAL]].number : best;
}

static evr_event_id newest(struct evr_oracle *base, uint32_t location)
{
	struct ra *o = (struct ra *)base;
	while (o->found.len <= location)
		evr_vec_push(&o->found, (struct found){ 0, NONE });
	struct found *f = &o->found.data[location];
	/* Once it has been read as the newest, it stays so. */
	if (f->execution != base->trace->executions)
		*f = (struct found){ base->trace->executions, find_newest(o, location) };
	return f->newest;
}

/* How many blocks have to come before each that have not been taken: into `reached`, which is free now. */
static void count_predecessors(struct ra *o)
{
	memset(o->reached.data, 0, o->reached.len * sizeof(*o->reached.data));
	for (size_t i = 0; i < o->edges.len; i++)
		o->reached.data[o->edges.data[i].to]++;
}

static void take_block(struct ra *o, uint32_t block)
{
	o->done.data[block] = 1;
	for (uint32_t i = o->edge_of.data[block]; i != NONE; i = o->edges.data[i].next)
		o->reached.data[o->edges.data[i].to]--;
}

/* A block that can be next in coherence; one that is wanted last only if there is no other. */
static uint32_t next_block(const struct ra *o, const evr_rf_ids *wanted)
{
	uint32_t next = NONE;
	if (!o->done.data[INITIAL])
		return INITIAL;
	for (uint32_t b = INITIAL + 1; b < o->last_of.len; b++) {
		bool ready = !o->done.data[b] && !o->reached.data[b], last = false;
		for (size_t i = 0; ready && i < wanted->len; i++)
			last |= wanted->data[i] == o->members.data[o->last_of.data[b]].number;
		if (ready && !last)
			return b;
		if (ready)
			next = b;
	}
	EVR_ASSERT(next != NONE);
	return next;
}

/* Say of each plain write which one of those that are there already it comes after. */
static void complete_location(struct ra *o, uint32_t location, struct evr_trace *trace, const evr_rf_ids *wanted)
{
	const struct evr_rf *t = o->base.trace;
	evr_rf_ids sorted = { 0 };
	enter_old(o, NULL, location);
	evr_vec_reserve(&o->done, o->last_of.len + 1);
	memset(o->done.data, 0, o->last_of.len + 1);
	count_predecessors(o);
	for (size_t n = 0; n < o->last_of.len; n++) {
		uint32_t first = next_block(o, wanted);
		take_block(o, first);
		size_t at = sorted.len;
		for (uint32_t m = o->last_of.data[first]; m != INITIAL;
		     m = o->members.data[m].flags & EVR_RF_READS ? o->members.data[m].source : INITIAL)
			evr_vec_push(&sorted, o->members.data[m].number);
		/* The chain was followed backwards. */
		for (size_t i = at, k = sorted.len; i + 1 < k; i++, k--) {
			evr_event_id swap = sorted.data[i];
			sorted.data[i] = sorted.data[k - 1];
			sorted.data[k - 1] = swap;
		}
	}
	for (size_t i = 0; i < sorted.len; i++) {
		evr_event_id rank = t->rank.data[sorted.data[i]], after = NONE;
		for (size_t k = 0; k < i; k++)
			if (t->rank.data[sorted.data[k]] < rank)
				after = t->position.data[t->rank.data[sorted.data[k]]];
		struct evr_event *e = &trace->events.data[t->position.data[rank]];
		if (e->kind == EVR_WRITE)
			e->predecessor = after;
	}
	evr_vec_release(&sorted);
}

static void complete(struct evr_oracle *base, struct evr_trace *trace, const evr_rf_ids *wanted)
{
	const struct evr_rf *t = base->trace;
	for (uint32_t i = 0; i < t->at.len; i++)
		if (t->locations.all.data[i].component == i && t->at.data[i].last != NONE)
			complete_location((struct ra *)base, i, trace, wanted);
}

const struct evr_oracle_ops evr_oracle_ra = {
	.create = create,
	.destroy = destroy,
	.rewind = rewind_to,
	.consistent = consistent,
	.newest = newest,
	.complete = complete,
};
