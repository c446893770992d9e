/*
 * Engine `rf`: one execution for each reads-from trace (paper 003, Algorithm 1). docs/engines/rf.md tells the story.
 *
 * When an execution is over, each of its reads asks whether it could have read from another write. The oracle of the model
 * says whether that is possible, and in which order the events would then come; such an order is a schedule, kept at the read's
 * node until it is its turn. The deepest node with a schedule goes on: the events before the read stay, the read gets its
 * new source, what the new source needs comes along, and the execution goes on from there as it likes.
 *
 * What comes along is marked: its reads have been, or will be, given other sources elsewhere.
 */
#include "base/map.h"
#include "explore/engine.h"
#include "model/oracle.h"

#include <stdlib.h>
#include <string.h>

#define NONE EVR_NO_EVENT
#define ITEM_BEFORE (NONE - 1) /* as a source, in a branch that is being built */

/* What to explore from a node: the events behind its prefix, and the order of all. */
struct schedule {
	EVR_VEC(struct evr_rf_event) items;
	evr_rf_ids afters, sources, order;
	uint32_t next;
};

/* A branch that was asked for at a node, whatever came of it: two hashes of its events and their sources. */
struct key {
	uint64_t one, two;
	uint32_t next;  /* of the same node */
	uint32_t chain; /* of the same bucket */
};

struct node {
	uint32_t schedules, keys; /* the first of each, or NONE */
};

struct rf {
	struct evr_engine base;
	struct evr_rf t;
	struct evr_oracle *oracle;
	evr_steps steps; /* of this execution, those that it was told to take first */
	size_t depth;    /* how many it has taken */
	EVR_VEC(struct node) nodes; /* by the length of their prefix */
	evr_rf_ids node_of; /* of an event whose source can be changed; or NONE */
	evr_event_id block; /* where the schedule begins that the trace was asked for with */
	evr_event_id own;   /* and where it ends: from here on the execution went on as it liked */
	EVR_VEC(struct schedule) schedules;
	EVR_VEC(struct key) keys;
	EVR_VEC(uint32_t) buckets; /* the keys of all nodes, by hash: as many as a power of two */
	uint32_t free_schedule, free_key;
	struct evr_rf_change change;
	int32_t *past; /* room for a clock */
	uint32_t stride;
	uint32_t mixes; /* of the locations, when the search began */
	bool settling; /* the execution repeats the last trace, in another order */
};

/* An event that is to be changed, or is yet to come. */
struct changed {
	evr_event_id id; /* NONE: it is a pending one */
	struct evr_rf_event event;
	const evr_event_id *afters, *sources; /* what the event's `after` and `sources` mean */
};

static void forget(struct rf *f)
{
	f->oracle = f->base.world->model->oracle->create(&f->t);
	evr_vec_clear(&f->steps);
	evr_vec_clear(&f->nodes);
	evr_vec_clear(&f->node_of);
	evr_vec_clear(&f->keys);
	evr_vec_clear(&f->buckets);
	f->free_key = NONE;
	f->free_schedule = NONE;
	for (size_t i = 0; i < f->schedules.len; i++) {
		f->schedules.data[i].next = f->free_schedule;
		f->free_schedule = (uint32_t)i;
	}
	f->depth = 0;
	f->block = 0;
	f->base.prefix = 0;
	f->base.rerun = f->base.again = f->settling = false;
	f->mixes = f->t.locations.mixes;
}

static struct evr_engine *create(struct evr_world *w)
{
	struct rf *f = evr_alloc(sizeof(*f));
	f->base.ops = &evr_engine_rf;
	f->base.world = w;
	evr_rf_init(&f->t, &w->trace);
	forget(f);
	return &f->base;
}

static void destroy(struct evr_engine *e)
{
	struct rf *f = (struct rf *)e;
	f->oracle->ops->destroy(f->oracle);
	evr_rf_release(&f->t);
	for (size_t i = 0; i < f->schedules.len; i++) {
		evr_vec_release(&f->schedules.data[i].items);
		evr_vec_release(&f->schedules.data[i].afters);
		evr_vec_release(&f->schedules.data[i].sources);
		evr_vec_release(&f->schedules.data[i].order);
	}
	evr_vec_release(&f->schedules);
	evr_vec_release(&f->keys);
	evr_vec_release(&f->buckets);
	evr_vec_release(&f->nodes);
	evr_vec_release(&f->node_of);
	evr_vec_release(&f->steps);
	evr_vec_release(&f->change.items);
	evr_vec_release(&f->change.from);
	evr_vec_release(&f->change.afters);
	evr_vec_release(&f->change.sources);
	evr_vec_release(&f->change.number);
	evr_vec_release(&f->change.order);
	free(f->past);
	free(f);
}

static void restart(struct evr_engine *e)
{
	struct rf *f = (struct rf *)e;
	f->oracle->ops->destroy(f->oracle);
	evr_rf_clear(&f->t);
	forget(f);
}

/* ---- an execution ---- */

/* Any thread will do; the one that is running already comes first. */
static struct evr_step any_step(const struct rf *f)
{
	const struct evr_world *w = f->base.world;
	unsigned before = f->steps.len ? evr_vec_last(&f->steps).actor : 0;
	if (before < w->threads && w->waiting[before] && w->model->ready(w, (evr_thread_id)before))
		return (struct evr_step){ (uint16_t)before, 0 };
	for (unsigned i = 0; i < w->threads; i++)
		if (w->waiting[i] && w->model->ready(w, (evr_thread_id)i))
			return (struct evr_step){ (uint16_t)i, 0 };
	return (struct evr_step){ .actor = EVR_NO_ACTOR };
}

static __attribute__((noinline)) struct evr_step new_step(struct rf *f)
{
	struct evr_step s = any_step(f);
	if (s.actor == EVR_NO_ACTOR)
		return s;
	evr_vec_push(&f->t.place, (evr_event_id)f->base.world->trace.events.len);
	evr_vec_push(&f->steps, s);
	f->depth++;
	return s;
}

static struct evr_step next(struct evr_engine *e)
{
	struct rf *f = (struct rf *)e;
	while (EVR_LIKELY(f->depth < f->steps.len)) {
		struct evr_step s = f->steps.data[f->depth];
		/* It may have failed already, on its own, because memory is freed. */
		bool failed = EVR_UNLIKELY(!e->world->waiting[s.actor]) && f->t.frees.len;
		f->t.place.data[f->depth++] = failed ? NONE : (evr_event_id)e->world->trace.events.len;
		if (!failed)
			return s;
	}
	return new_step(f);
}

/* ---- branches ---- */

/* The numbers of the change, which begin with the prefix. */
static evr_event_id number_of(const struct evr_rf_change *c, evr_event_id e)
{
	return e == NONE || e < c->prefix ? e : c->number.data[e - c->prefix];
}

static const struct evr_rf_event *numbered(const struct rf *f, evr_event_id number)
{
	if (number == NONE)
		return NULL;
	return number < f->change.prefix ? &f->t.events.data[number] : &f->change.items.data[number - f->change.prefix];
}

static uint64_t identity(const struct evr_rf_event *x)
{
	return (uint64_t)x->thread << 32 | x->index;
}

static void add_to_key(const struct rf *f, struct key *k, const struct evr_rf_event *x, const evr_event_id *sources)
{
	/* An event has a source or a variant, not both. */
	uint64_t way = x->source == NONE ? x->variant : ~identity(numbered(f, x->source));
	for (uint32_t i = 1; EVR_UNLIKELY(x->cells > 1) && x->flags & EVR_RF_READS && i < x->cells; i++) {
		evr_event_id source = sources[x->sources + i];
		way = evr_hash64(way + 1) ^ (source == NONE ? 0 : ~identity(numbered(f, source)));
	}
	uint64_t one = evr_hash64(identity(x) ^ evr_hash64(way + 1));
	k->one += one;
	k->two += evr_hash64(one ^ 0x9e3779b97f4a7c15);
}

static uint32_t *bucket_of(struct rf *f, uint64_t hash)
{
	return &f->buckets.data[hash & (f->buckets.len - 1)];
}

/* Make more buckets. All keys are in use, or they would not be too many. */
static __attribute__((noinline)) void rehash(struct rf *f)
{
	size_t n = f->buckets.len ? 2 * f->buckets.len : 256;
	evr_vec_clear(&f->buckets);
	for (size_t i = 0; i < n; i++)
		evr_vec_push(&f->buckets, NONE);
	for (uint32_t i = 0; i < f->keys.len; i++) {
		uint32_t *bucket = bucket_of(f, f->keys.data[i].one);
		f->keys.data[i].chain = *bucket;
		*bucket = i;
	}
}

static uint32_t new_key(struct rf *f)
{
	uint32_t i = f->free_key;
	if (i != NONE) {
		f->free_key = f->keys.data[i].next;
		return i;
	}
	if (f->keys.len >= f->buckets.len)
		rehash(f);
	evr_vec_push(&f->keys, (struct key){ 0 });
	return (uint32_t)f->keys.len - 1;
}

/* Is this branch new at the node? Then it is noted. */
static bool note_branch(struct rf *f, evr_event_id node, const struct key *k)
{
	uint64_t one = k->one ^ evr_hash64(node + UINT64_C(1));
	for (uint32_t i = f->buckets.len ? *bucket_of(f, one) : NONE; i != NONE; i = f->keys.data[i].chain)
		if (f->keys.data[i].one == one && f->keys.data[i].two == k->two)
			return false;
	uint32_t i = new_key(f), *bucket = bucket_of(f, one);
	f->keys.data[i] = (struct key){ one, k->two, f->nodes.data[node].keys, *bucket };
	*bucket = f->nodes.data[node].keys = i;
	return true;
}

static void forget_branches(struct rf *f, struct node *n)
{
	while (n->keys != NONE) {
		uint32_t i = n->keys, *link = bucket_of(f, f->keys.data[i].one);
		while (*link != i)
			link = &f->keys.data[*link].chain;
		*link = f->keys.data[i].chain;
		n->keys = f->keys.data[i].next;
		f->keys.data[i].next = f->free_key;
		f->free_key = i;
	}
}

static evr_event_id source_number(const struct evr_rf_change *c, evr_event_id source)
{
	return source == ITEM_BEFORE ? (evr_event_id)(c->prefix + c->items.len - 2) : number_of(c, source);
}

static void add_item(struct rf *f, const struct changed *z, struct key *k)
{
	struct evr_rf_change *c = &f->change;
	const struct evr_rf_event *x = &z->event;
	evr_event_id number = (evr_event_id)(c->prefix + c->items.len);
	evr_vec_push(&c->items, *x);
	evr_vec_push(&c->from, z->id);
	struct evr_rf_event *y = &evr_vec_last(&c->items);
	y->source = source_number(c, x->source);
	y->after = (uint32_t)c->afters.len;
	for (uint32_t i = 0; i < x->afters; i++)
		evr_vec_push(&c->afters, number_of(c, z->afters[x->after + i]));
	y->sources = (uint32_t)c->sources.len;
	for (uint32_t i = 0; x->cells > 1 && x->flags & EVR_RF_READS && i < x->cells; i++)
		evr_vec_push(&c->sources, source_number(c, z->sources[x->sources + i]));
	if (z->id != NONE)
		c->number.data[z->id - c->prefix] = number;
	add_to_key(f, k, y, c->sources.data);
}

/* A copy, to be changed or not. */
static struct changed copy_of(const struct evr_rf *t, evr_event_id id, uint8_t flags)
{
	struct changed c = { id, t->events.data[id], t->afters.data, t->sources.data };
	c.event.flags = flags;
	return c;
}

static void add_schedule(struct rf *f, struct node *n)
{
	uint32_t i = f->free_schedule;
	if (i == NONE) {
		i = (uint32_t)f->schedules.len;
		evr_vec_push(&f->schedules, (struct schedule){ .next = NONE });
	} else {
		f->free_schedule = f->schedules.data[i].next;
	}
	struct schedule *s = &f->schedules.data[i];
	const struct evr_rf_change *c = &f->change;
	s->items.len = s->afters.len = s->sources.len = s->order.len = 0;
	evr_vec_reserve(&s->items, c->items.len);
	memcpy(s->items.data, c->items.data, c->items.len * sizeof(*c->items.data));
	s->items.len = c->items.len;
	for (size_t k = 0; k < c->afters.len; k++)
		evr_vec_push(&s->afters, c->afters.data[k]);
	for (size_t k = 0; k < c->sources.len; k++)
		evr_vec_push(&s->sources, c->sources.data[k]);
	evr_vec_reserve(&s->order, c->order.len);
	memcpy(s->order.data, c->order.data, c->order.len * sizeof(*c->order.data));
	s->order.len = c->order.len;
	s->next = n->schedules;
	n->schedules = i;
}

/*
 * Ask for the events before the node, what is in `past` (how many events of each thread), and the changed events, of which the
 * last is what the branch is about.
 */
static void propose(struct rf *f, evr_event_id node, const int32_t *past, const struct changed *changed, unsigned n)
{
	struct evr_rf *t = &f->t;
	struct evr_rf_change *c = &f->change;
	struct key k = { 0 };
	evr_event_id end = node, last = node;
	for (unsigned i = 0; i < t->threads; i++)
		if (past[i] && t->of_thread[i].data[past[i] - 1] >= end)
			end = t->of_thread[i].data[past[i] - 1] + 1;
	last = end;
	for (unsigned i = 0; i < n; i++)
		if (changed[i].id != NONE && changed[i].id >= last)
			last = changed[i].id + 1;
	c->prefix = node;
	c->changed = n;
	c->items.len = c->from.len = c->afters.len = c->sources.len = 0;
	evr_vec_reserve(&c->number, last - node);
	c->number.len = last - node;
	for (evr_event_id i = node; i < last; i++)
		c->number.data[i - node] = NONE;
	for (evr_event_id i = node; i < end; i++) {
		const struct evr_rf_event *x = &t->events.data[i];
		if ((int32_t)x->index >= past[x->thread])
			continue;
		struct changed same =
			copy_of(t, i, (uint8_t)((x->flags & (EVR_RF_READS | EVR_RF_WRITES)) | EVR_RF_MARKED));
		add_item(f, &same, &k);
	}
	for (unsigned i = 0; i < n; i++)
		add_item(f, &changed[i], &k);
	if (!note_branch(f, node, &k))
		return;
	if (f->oracle->ops->consistent(f->oracle, c))
		add_schedule(f, &f->nodes.data[node]);
}

/* ---- other sources ---- */

/* What the event is, or, if it failed, what it would have been. */
static unsigned kind_of(const struct evr_rf *t, evr_event_id id)
{
	unsigned kind = t->events.data[id].kind;
	return EVR_UNLIKELY(kind == EVR_FAULT) ? evr_rf_executed(t, id)->op : kind;
}

static bool is_lock(unsigned kind)
{
	return kind == EVR_LOCK || kind == EVR_TRYLOCK || kind == EVR_TIMEDLOCK;
}

/* Is it read from in parts, or are those that overlap it? Of a mutex, only its functions' own reads count. */
static bool is_divided(const struct evr_rf *t, evr_event_id id)
{
	if (EVR_LIKELY(!evr_rf_whole(t, t->events.data[id].location)->divided))
		return false;
	unsigned kind = kind_of(t, id);
	return kind < EVR_LOCK || kind > EVR_MUTEX_DESTROY;
}

static struct changed change_of(const struct evr_rf *t, evr_event_id id, evr_event_id source, uint8_t flags)
{
	struct changed c = copy_of(t, id, (uint8_t)(flags | EVR_RF_CHANGED));
	c.event.kind = (uint8_t)kind_of(t, id);
	c.event.source = source;
	return c;
}

/* What happens before the event through program order. Valid until the next call. */
static int32_t *program_past(struct rf *f, const struct changed *c)
{
	if (f->stride != f->t.stride) {
		f->stride = f->t.stride;
		free(f->past);
		f->past = evr_alloc(f->stride * sizeof(*f->past));
	}
	evr_rf_program_past(&f->t, &c->event, c->afters, f->past);
	return f->past;
}

/* What a byte of the location holds before anybody writes to it: what the first one there found. */
static uint8_t initial_byte(const struct evr_rf *t, uint32_t location, uintptr_t address)
{
	evr_event_id first = NONE;
	for (evr_event_id i = evr_rf_last(t, location); i != NONE; i = t->events.data[i].older) {
		const struct evr_event *e = evr_rf_executed(t, i);
		if (address - e->address < e->size && (first == NONE || t->rank.data[i] < t->rank.data[first]))
			first = i;
	}
	const struct evr_event *e = evr_rf_executed(t, first);
	return (uint8_t)(e->read >> (8 * (address - e->address)));
}

/* What the event would read from these sources; `before` is what ITEM_BEFORE, the event before it in the branch, writes. */
static evr_value value_from(const struct evr_rf *t, const struct changed *c, const struct evr_event *item, evr_value before)
{
	const struct evr_location *l = &t->locations.all.data[c->event.location];
	evr_value value = 0;
	for (uint32_t i = 0, cell = 0; i < l->size; i++) {
		uintptr_t address = l->address + i;
		while (cell + 1 < c->event.cells && t->cells.data[c->event.cell + cell + 1].address <= address)
			cell++;
		evr_event_id source = evr_rf_source(&c->event, c->sources, cell);
		uint8_t byte;
		if (source == NONE) {
			byte = initial_byte(t, c->event.location, address);
		} else {
			const struct evr_event *e = source == ITEM_BEFORE ? item : evr_rf_executed(t, source);
			evr_value written = source == ITEM_BEFORE ? before : e->written;
			byte = (uint8_t)(written >> (8 * (address - e->address)));
		}
		value |= (evr_value)byte << (8 * i);
	}
	return value;
}

/* Would the event, which reads, write if it read from its sources, none of which is ITEM_BEFORE? */
static bool would_write(const struct evr_rf *t, const struct changed *c)
{
	const struct evr_rf_event *w = c->event.source == NONE ? NULL : &t->events.data[c->event.source];
	switch (c->event.kind) {
	case EVR_READ:
		return false;
	case EVR_CAS:
		return value_from(t, c, NULL, 0) == evr_rf_executed(t, c->id)->expected;
	case EVR_LOCK:
	case EVR_TRYLOCK:
	case EVR_TIMEDLOCK:
	case EVR_MUTEX_DESTROY:
		return !w || (!w->depth && w->kind != EVR_MUTEX_DESTROY);
	default:
		return true;
	}
}

static uint8_t flags_of(bool writes)
{
	return writes ? EVR_RF_READS | EVR_RF_WRITES : EVR_RF_READS;
}

/* Rule 1: r reads from w, which does not happen after it. */
static void read_other(struct rf *f, evr_event_id r, evr_event_id w)
{
	struct evr_rf *t = &f->t;
	struct changed c = change_of(t, r, w, 0);
	const int32_t *past = program_past(f, &c);
	const struct evr_rf_event *x = &t->events.data[r];
	/* MAYREAD: its thread must not have overwritten it before r. */
	if (w == NONE) {
		for (evr_event_id i = evr_rf_last(t, x->location); i != NONE; i = t->events.data[i].older) {
			const struct evr_rf_event *y = &t->events.data[i];
			if (y->flags & EVR_RF_WRITES && past[y->thread] > (int32_t)y->index &&
			    evr_rf_covers(y, x->cell))
				return;
		}
		memset(f->past, 0, t->stride * sizeof(*f->past));
	} else {
		const struct evr_rf_event *y = &t->events.data[w];
		if (y->next_write != NONE && past[y->thread] > (int32_t)t->events.data[y->next_write].index)
			return;
		past = evr_rf_past(t, w);
	}
	bool writes = would_write(t, &c);
	/* A lock waits for a mutex that is held. */
	if (c.event.kind == EVR_LOCK && !writes && t->events.data[w].depth)
		return;
	c.event.flags |= flags_of(writes);
	propose(f, f->node_of.data[r], past, &c, 1);
}

static void assign_sources(struct rf *f, evr_event_id r);

/* The same where memory is freed: e finds it so, or, if it does now, does not. */
static void find_freed(struct rf *f, evr_event_id e, evr_event_id free)
{
	struct evr_rf *t = &f->t;
	struct changed c = change_of(t, e, free, 0);
	const struct evr_rf_event *x = &t->events.data[e];
	struct key now = { 0 };
	f->change.prefix = (evr_event_id)t->events.len;
	if (evr_rf_before(t, e, free) || evr_rf_before(t, free, e) || !evr_rf_touches(t, x, &t->events.data[free]))
		return;
	add_to_key(f, &now, x, t->sources.data);
	note_branch(f, f->node_of.data[e], &now);
	if (c.event.kind != EVR_FREE)
		c.event.kind = EVR_FAULT;
	propose(f, f->node_of.data[e], evr_rf_past(t, free), &c, 1);
}

static void find_unfreed(struct rf *f, evr_event_id e)
{
	struct evr_rf *t = &f->t;
	struct changed c = change_of(t, e, NONE, 0);
	memset(program_past(f, &c), 0, t->stride * sizeof(*f->past));
	switch (c.event.kind) {
	case EVR_READ:
	case EVR_RMW:
	case EVR_CAS:
	case EVR_LOCK:
	case EVR_TRYLOCK:
	case EVR_TIMEDLOCK:
	case EVR_MUTEX_DESTROY:
		if (is_divided(t, e) || c.event.cells > 1) {
			assign_sources(f, e);
			return;
		}
		for (evr_event_id i = evr_rf_last(t, c.event.location); i != NONE; i = t->events.data[i].older)
			if (t->events.data[i].flags & EVR_RF_WRITES && !evr_rf_before(t, e, i) &&
			    evr_rf_covers(&t->events.data[i], c.event.cell))
				read_other(f, e, i);
		read_other(f, e, NONE);
		return;
	case EVR_FREE:
		c.event.region = t->events.data[t->events.data[e].source].region;
		break;
	default:
		c.event.flags |= EVR_RF_WRITES;
	}
	propose(f, f->node_of.data[e], f->past, &c, 1);
}

/* What must be there for k to come where r is now, reading r's source. False: k comes after r anyway. */
static bool past_without(struct rf *f, const struct changed *k, evr_event_id r)
{
	const struct evr_rf_event *x = &f->t.events.data[r];
	int32_t *past = program_past(f, k);
	if (past[x->thread] > (int32_t)x->index)
		return false;
	if (x->source != NONE && x->source >= f->node_of.data[r])
		evr_rf_join(past, evr_rf_past(&f->t, x->source), f->t.stride);
	return true;
}

/* What a read-modify-write would write if it read from its sources. */
static evr_value value_if(const struct evr_rf *t, const struct changed *c)
{
	const struct evr_event *e = evr_rf_executed(t, c->id);
	if (e->kind != EVR_RMW)
		return e->written;
	return evr_rmw_result(e->op, value_from(t, c, NULL, 0), e->expected, e->size);
}

/* Would the event, which reads from w too, write? */
static bool would_write_after(const struct evr_rf *t, const struct changed *c, const struct changed *w)
{
	if (c->event.kind != EVR_CAS)
		return c->event.kind == EVR_RMW;
	return value_from(t, c, evr_rf_executed(t, w->id), value_if(t, w)) == evr_rf_executed(t, c->id)->expected;
}

/* Rule 2: w, which writes, takes r's source, and r reads from w. */
static void reverse(struct rf *f, evr_event_id r, const struct changed *w)
{
	struct evr_rf *t = &f->t;
	const struct evr_rf_event *x = &t->events.data[r];
	if (!past_without(f, w, r))
		return;
	struct changed both[2] = { *w, change_of(t, r, ITEM_BEFORE, 0) };
	both[0].event.source = x->source;
	both[0].event.flags = EVR_RF_READS | EVR_RF_WRITES | EVR_RF_CHANGED | EVR_RF_MARKED;
	both[1].event.flags |= flags_of(would_write_after(t, &both[1], &both[0]));
	propose(f, f->node_of.data[r], f->past, both, 2);
}

/* Rule 3: the lock k takes the mutex where r has taken it. */
static void replace(struct rf *f, evr_event_id r, const struct changed *k)
{
	if (!past_without(f, k, r))
		return;
	struct changed c = *k;
	c.event.source = f->t.events.data[r].source;
	c.event.flags = EVR_RF_READS | EVR_RF_WRITES | EVR_RF_CHANGED | EVR_RF_MARKED;
	propose(f, f->node_of.data[r], f->past, &c, 1);
}

/* Does the event find the mutex as it is while r holds it, or as r leaves it? */
static bool follows_lock(const struct evr_rf *t, evr_event_id e, evr_event_id r)
{
	const struct evr_rf_event *x = &t->events.data[e];
	unsigned kind = kind_of(t, e);
	return (is_lock(kind) || kind == EVR_MUTEX_DESTROY) && x->source != NONE &&
	       t->events.data[x->source].section == r;
}

static void consider(struct rf *f, evr_event_id r, evr_event_id w)
{
	const struct evr_rf *t = &f->t;
	const struct evr_rf_event *x = &t->events.data[r], *y = &t->events.data[w];
	if (r == w || !evr_rf_covers(y, x->cell) || is_divided(t, r))
		return;
	if (x->kind == EVR_LOCK && y->kind != EVR_MUTEX_DESTROY && y->kind != EVR_MUTEX_INIT) {
		if (x->section == r && follows_lock(t, w, r)) {
			struct changed k = change_of(t, w, NONE, 0);
			replace(f, r, &k);
		}
		return;
	}
	if (!evr_rf_before(t, r, w)) {
		if (y->flags & EVR_RF_WRITES && w != x->source)
			read_other(f, r, w);
		return;
	}
	if (x->kind == EVR_LOCK) {
		if (y->kind == EVR_MUTEX_DESTROY && follows_lock(t, w, r)) {
			struct changed k = change_of(t, w, NONE, 0);
			replace(f, r, &k);
		}
		return;
	}
	if (!(x->flags & EVR_RF_WRITES) || !(y->flags & EVR_RF_READS) || y->kind == EVR_READ)
		return;
	if (y->source != r && !(is_lock(x->kind) && follows_lock(t, w, r)))
		return;
	struct changed c = change_of(t, w, x->source, 0);
	if (would_write(t, &c))
		reverse(f, r, &c);
}

/* ---- where accesses of different sizes overlap ---- */

static bool is_fresh(const struct rf *f, evr_event_id e)
{
	return e != NONE && (e >= f->own || (e >= f->block && f->t.events.data[e].flags & EVR_RF_CHANGED));
}

static bool reads_from(const struct evr_rf *t, evr_event_id e, evr_event_id source)
{
	const struct evr_rf_event *x = &t->events.data[e];
	for (uint32_t i = 0; i < x->cells; i++)
		if (evr_rf_source(x, t->sources.data, i) == source)
			return true;
	return false;
}

static bool share_a_cell(const struct evr_rf_event *x, const struct evr_rf_event *y)
{
	return x->cell < y->cell + y->cells && y->cell < x->cell + x->cells;
}

/* Might w, a read-modify-write, get other sources so that r can read from it? */
static bool can_be_resourced(struct rf *f, evr_event_id r, evr_event_id w)
{
	const struct evr_rf *t = &f->t;
	const struct evr_rf_event *x = &t->events.data[r], *y = &t->events.data[w];
	if (!(y->flags & EVR_RF_READS) || kind_of(t, w) == EVR_READ || w == r || w < f->node_of.data[r] ||
	    !share_a_cell(x, y))
		return false;
	struct changed c = copy_of(t, w, 0);
	return program_past(f, &c)[x->thread] <= (int32_t)x->index;
}

/* Those who could be the source of a cell of `reader`, besides the initial write: not after r, nor after the other one. */
static void find_sources(struct rf *f, evr_rf_ids *out, uint32_t cell, evr_event_id r, evr_event_id other)
{
	const struct evr_rf *t = &f->t;
	evr_vec_clear(out);
	evr_vec_push(out, NONE);
	for (evr_event_id i = evr_rf_last(t, t->events.data[r].location); i != NONE; i = t->events.data[i].older) {
		const struct evr_rf_event *y = &t->events.data[i];
		if (!evr_rf_covers(y, cell) || i == r || i == other)
			continue;
		bool usual = y->flags & EVR_RF_WRITES && !evr_rf_before(t, r, i) &&
			     (other == NONE || !evr_rf_before(t, other, i));
		if (usual || (other == NONE && can_be_resourced(f, r, i)))
			evr_vec_push(out, i);
	}
}

/* Go to the next way to choose one from each list. False: that was the last. */
static bool next_choice(uint32_t *chosen, const evr_rf_ids *lists, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		if (++chosen[i] < lists[i].len)
			return true;
		chosen[i] = 0;
	}
	return false;
}

#define MAX_CELLS 32

/* A way for r to read, and for one other to be given sources, so that r can read from it. */
struct assignment {
	evr_event_id sources[MAX_CELLS];
	evr_event_id resourced;              /* or NONE */
	evr_event_id its_sources[MAX_CELLS];
};

static void set_sources(struct changed *c, const evr_event_id *sources)
{
	c->sources = sources;
	c->event.sources = 0;
	c->event.source = sources[0];
}

/* Join the past of a source. False: r is in it. */
static bool join_source(struct rf *f, int32_t *past, evr_event_id source)
{
	if (source != NONE)
		evr_rf_join(past, evr_rf_past(&f->t, source), f->t.stride);
	return true;
}

static void propose_assignment(struct rf *f, evr_event_id r, const struct assignment *a)
{
	const struct evr_rf *t = &f->t;
	const struct evr_rf_event *x = &t->events.data[r];
	struct changed both[2] = { change_of(t, r, NONE, 0), change_of(t, r, NONE, 0) };
	evr_event_id sources[MAX_CELLS];
	bool two = a->resourced != NONE;
	unsigned n = two ? 2 : 1;
	int32_t *past = program_past(f, &both[0]);
	memset(past, 0, t->stride * sizeof(*past));
	if (two) {
		both[0] = change_of(t, a->resourced, NONE, EVR_RF_READS | EVR_RF_WRITES | EVR_RF_MARKED);
		program_past(f, &both[0]);
		set_sources(&both[0], a->its_sources);
		for (uint32_t i = 0; i < both[0].event.cells; i++)
			join_source(f, past, a->its_sources[i]);
		if (!would_write(t, &both[0]))
			return;
	}
	for (uint32_t i = 0; i < x->cells; i++) {
		bool from_item = two && a->sources[i] == a->resourced;
		sources[i] = from_item ? ITEM_BEFORE : a->sources[i];
		if (!from_item)
			join_source(f, past, a->sources[i]);
	}
	if (past[x->thread] > (int32_t)x->index)
		return;
	struct changed *head = &both[n - 1];
	set_sources(head, sources);
	head->event.flags |= flags_of(two ? would_write_after(t, head, &both[0]) : would_write(t, head));
	propose(f, f->node_of.data[r], past, both, n);
}

/* Is it another way than the present one, and is there something new in it? */
static bool is_new_assignment(const struct rf *f, evr_event_id r, const struct assignment *a)
{
	const struct evr_rf_event *x = &f->t.events.data[r];
	bool other = a->resourced != NONE, fresh = r >= f->own;
	for (uint32_t i = 0; i < x->cells; i++) {
		bool changed = a->sources[i] != evr_rf_source(x, f->t.sources.data, i);
		/* One that is not read from does not read from anything either; it has no sources yet. */
		changed |= !(x->flags & EVR_RF_READS);
		other |= changed;
		if (changed || a->sources[i] == a->resourced)
			fresh |= is_fresh(f, a->sources[i]);
	}
	return other && fresh;
}

/* All ways to give w other sources, while r reads from it. */
static void resource(struct rf *f, evr_event_id r, struct assignment *a, evr_event_id w)
{
	const struct evr_rf *t = &f->t;
	const struct evr_rf_event *y = &t->events.data[w];
	evr_rf_ids lists[MAX_CELLS] = { { 0 } };
	uint32_t chosen[MAX_CELLS] = { 0 };
	a->resourced = w;
	for (uint32_t i = 0; i < y->cells; i++)
		find_sources(f, &lists[i], y->cell + i, r, w);
	do {
		bool same = true;
		for (uint32_t i = 0; i < y->cells; i++) {
			a->its_sources[i] = lists[i].data[chosen[i]];
			same &= a->its_sources[i] == evr_rf_source(y, t->sources.data, i);
		}
		if (!same && is_new_assignment(f, r, a))
			propose_assignment(f, r, a);
	} while (next_choice(chosen, lists, y->cells));
	for (uint32_t i = 0; i < y->cells; i++)
		evr_vec_release(&lists[i]);
	a->resourced = NONE;
}

/* Does r, in this assignment, read all that w writes? */
static bool takes_all(const struct evr_rf *t, const struct evr_rf_event *x, const struct assignment *a, evr_event_id w)
{
	const struct evr_rf_event *y = &t->events.data[w];
	for (uint32_t cell = y->cell; cell < y->cell + y->cells; cell++)
		if (!evr_rf_covers(x, cell) || a->sources[cell - x->cell] != w)
			return false;
	return true;
}

/* At most one of the sources is given other sources; the others must be what they are, and not come after that one. */
static void try_assignment(struct rf *f, evr_event_id r, struct assignment *a)
{
	const struct evr_rf *t = &f->t;
	const struct evr_rf_event *x = &t->events.data[r];
	evr_event_id must = NONE;
	for (uint32_t i = 0; i < x->cells; i++) {
		evr_event_id w = a->sources[i];
		if (w == NONE || (t->events.data[w].flags & EVR_RF_WRITES && !evr_rf_before(t, r, w)))
			continue;
		if (must != NONE && must != w)
			return;
		must = w;
	}
	a->resourced = NONE;
	if (must == NONE && is_new_assignment(f, r, a))
		propose_assignment(f, r, a);
	for (uint32_t i = 0; i < x->cells; i++) {
		evr_event_id w = a->sources[i];
		bool fits = w != NONE && (must == NONE || must == w) && can_be_resourced(f, r, w) &&
			    (reads_from(t, w, r) || !takes_all(t, x, a, w));
		for (uint32_t k = 0; fits && k < x->cells; k++) {
			evr_event_id v = a->sources[k];
			fits = (v != w || k >= i) && (v == w || v == NONE || !evr_rf_before(t, w, v));
		}
		if (fits)
			resource(f, r, a, w);
	}
}

/* All ways for r to read, at all its cells at once: one cell, or one write, at a time would miss some. */
static void assign_sources(struct rf *f, evr_event_id r)
{
	const struct evr_rf_event *x = &f->t.events.data[r];
	evr_rf_ids lists[MAX_CELLS] = { { 0 } };
	uint32_t chosen[MAX_CELLS] = { 0 };
	struct assignment a = { .resourced = NONE };
	if (!is_divided(&f->t, r))
		return;
	EVR_ASSERT(x->cells <= MAX_CELLS);
	for (uint32_t i = 0; i < x->cells; i++)
		find_sources(f, &lists[i], x->cell + i, r, NONE);
	do {
		for (uint32_t i = 0; i < x->cells; i++)
			a.sources[i] = lists[i].data[chosen[i]];
		try_assignment(f, r, &a);
	} while (next_choice(chosen, lists, x->cells));
	for (uint32_t i = 0; i < x->cells; i++)
		evr_vec_release(&lists[i]);
}

/* An event is new among those that overlap each other. */
static void assign_all(struct rf *f, evr_event_id e)
{
	struct evr_rf *t = &f->t;
	const struct evr_rf_event *x = &t->events.data[e];
	if (e >= f->own && x->flags & EVR_RF_READS)
		assign_sources(f, e);
	for (evr_event_id i = evr_rf_last(t, x->location); i != NONE; i = t->events.data[i].older)
		if (i < f->own && f->node_of.data[i] != NONE && t->events.data[i].flags & EVR_RF_READS)
			assign_sources(f, i);
}

static void choose_other(struct rf *f, evr_event_id e)
{
	struct changed c = change_of(&f->t, e, NONE, 0);
	uint32_t choices = (uint32_t)evr_rf_executed(&f->t, e)->written, chosen = c.event.variant;
	memset(program_past(f, &c), 0, f->t.stride * sizeof(*f->past));
	for (uint32_t i = 0; i < choices; i++) {
		c.event.variant = i;
		if (i != chosen)
			propose(f, e, f->past, &c, 1);
	}
}

/* Freed memory has no location: the new event is looked at with all others. */
static void consider_frees(struct rf *f, evr_event_id e)
{
	struct evr_rf *t = &f->t;
	const struct evr_rf_event *x = &t->events.data[e];
	bool new = e >= f->own;
	bool dead = !(x->flags & (EVR_RF_READS | EVR_RF_WRITES)) && x->source != NONE;
	if (new && dead)
		find_unfreed(f, e);
	for (size_t i = 0; new && !dead && i < t->frees.len; i++)
		if (t->frees.data[i] != e)
			find_freed(f, e, t->frees.data[i]);
	for (evr_event_id i = 0; evr_rf_frees(x) && i < f->own; i++)
		if (f->node_of.data[i] != NONE && t->events.data[i].kind != EVR_FAULT && i != e)
			find_freed(f, i, e);
}

/* Who waits for a mutex to the end might have got it before the one who holds it. */
static void consider_blocked(struct rf *f, evr_thread_id thread)
{
	struct evr_rf *t = &f->t;
	const struct evr_event *e = &f->base.world->pending[thread];
	uint32_t location = evr_rf_location(t, e), cell = t->at.data[location].cell;
	evr_event_id last = evr_rf_now(t, cell), r = last == NONE ? NONE : t->events.data[last].section;
	if (r == NONE || f->node_of.data[r] == NONE)
		return;
	evr_rf_admit(t, thread);
	struct changed k = {
		NONE,
		{
			.thread = thread,
			.kind = EVR_LOCK,
			.index = (uint32_t)t->of_thread[thread].len,
			.location = location,
			.cell = cell,
			.cells = 1,
			.source = NONE,
			.afters = (uint32_t)t->waiting[thread].len,
		},
		t->waiting[thread].data,
		NULL,
	};
	if (t->events.data[r].kind == EVR_LOCK)
		replace(f, r, &k);
	else
		reverse(f, r, &k);
}

/* The new-source-detection phase. */
static void find_branches(struct rf *f)
{
	struct evr_rf *t = &f->t;
	const struct evr_world *w = f->base.world;
	for (evr_event_id e = f->block; e < t->events.len; e++) {
		const struct evr_rf_event *x = &t->events.data[e];
		bool new = e >= f->own;
		if (!new && !(x->flags & EVR_RF_CHANGED))
			continue;
		if (new && x->kind == EVR_CHOOSE && f->node_of.data[e] != NONE)
			choose_other(f, e);
		if (EVR_UNLIKELY(t->frees.len))
			consider_frees(f, e);
		if (x->location == EVR_NO_LOCATION)
			continue;
		bool reads = new && x->flags & EVR_RF_READS;
		if (EVR_UNLIKELY(evr_rf_whole(t, x->location)->divided))
			assign_all(f, e);
		for (evr_event_id i = evr_rf_last(t, x->location); i != NONE; i = t->events.data[i].older) {
			if (reads)
				consider(f, e, i);
			if (i < f->own && f->node_of.data[i] != NONE && t->events.data[i].flags & EVR_RF_READS)
				consider(f, i, e);
		}
		if (reads && x->source != NONE && x->kind != EVR_LOCK && !is_divided(t, e))
			read_other(f, e, NONE);
	}
	for (unsigned i = 0; i < w->threads; i++)
		if (w->waiting[i] && w->pending[i].kind == EVR_LOCK)
			consider_blocked(f, (evr_thread_id)i);
}

/* ---- the next execution ---- */

/* Could the event have come about in another way? */
static bool has_node(const struct rf *f, evr_event_id e)
{
	const struct evr_rf_event *x = &f->t.events.data[e];
	return x->flags & EVR_RF_READS || x->source != NONE ||
	       (x->kind == EVR_CHOOSE && evr_rf_executed(&f->t, e)->written > 1);
}

/* Where in the execution's trace are those who failed before it was their turn? */
static void find_failures(struct rf *f)
{
	struct evr_rf *t = &f->t;
	for (size_t k = 0; k < t->place.len; k++)
		for (size_t i = t->trace->events.len; t->place.data[k] == NONE && i-- > 0;)
			if (t->trace->events.data[i].kind == EVR_FAULT &&
			    t->trace->events.data[i].thread == f->steps.data[k].actor)
				t->place.data[k] = (evr_event_id)i;
}

/*
 * Is what was asked for what came? Whether an access fails cannot always be foreseen. What the branch is about comes last, so
 * that nothing depends on it; then it is taken as it is. If anything else is not as it should be, nothing is learned from this
 * execution.
 */
static bool is_as_asked(struct rf *f)
{
	struct evr_rf *t = &f->t;
	for (size_t k = 0; k < t->order.len; k++) {
		evr_event_id id = t->order.data[k];
		if (id < f->block)
			continue;
		if (k >= t->place.len || t->place.data[k] == NONE)
			return false;
		const struct evr_event *e = &t->trace->events.data[t->place.data[k]];
		struct evr_rf_event x = t->events.data[id];
		bool writes = evr_event_writes(e) && e->kind != EVR_FREE;
		if (e->thread == x.thread && e->kind == x.kind && writes == !!(x.flags & EVR_RF_WRITES))
			continue;
		if (id + 1 < t->events.len || e->thread != x.thread || e->kind != EVR_FAULT)
			return false;
		if (x.cells > 1)
			return false;
		x.kind = EVR_FAULT;
		x.flags = (uint8_t)((x.flags & ~EVR_RF_WRITES) | EVR_RF_READS);
		/* What it came after stays where it is until it is overwritten by the same. */
		evr_rf_cut(t, id);
		evr_rf_append(t, &x, t->afters.data, NULL);
	}
	return true;
}

/* Take in the execution, and give its new events nodes. */
static bool follow(struct rf *f)
{
	struct evr_rf *t = &f->t;
	t->place.len = f->depth;
	if (EVR_UNLIKELY(t->frees.len))
		find_failures(f);
	if (!is_as_asked(f))
		return false;
	f->own = (evr_event_id)t->events.len;
	evr_rf_follow(t);
	f->change.prefix = (evr_event_id)t->events.len; /* numbers are those of the trace */
	evr_vec_reserve(&f->nodes, t->events.len + 1);
	evr_vec_reserve(&f->node_of, t->events.len);
	for (evr_event_id e = f->own; e < t->events.len; e++) {
		f->nodes.data[e] = (struct node){ NONE, NONE };
		f->node_of.data[e] = NONE;
		const struct evr_rf_event *x = &t->events.data[e];
		if (x->location != EVR_NO_LOCATION || x->kind == EVR_FREE)
			f->node_of.data[e] = e;
		if (!has_node(f, e))
			continue;
		struct key k = { 0 };
		add_to_key(f, &k, x, t->sources.data);
		f->node_of.data[e] = e;
		note_branch(f, e, &k);
	}
	f->nodes.len = f->node_of.len = t->events.len;
	return true;
}

/* Not a trace of its own after all. */
static void abandon(struct rf *f)
{
	f->base.redundant++;
	f->own = (evr_event_id)f->t.events.len;
}

/* How much of the last execution's trace will be the same in this order, which is new from this event on? */
static size_t common_prefix(const struct rf *f, const evr_rf_ids *order, evr_event_id new)
{
	const struct evr_rf *t = &f->t;
	size_t k = 0;
	while (k < t->order.len && order->data[k] == t->order.data[k] && order->data[k] < new)
		k++;
	return k < t->place.len ? t->place.data[k] : t->trace->events.len;
}

/* Run the events of the trace in that order. */
static void run_in_order(struct rf *f, const evr_rf_ids *order)
{
	struct evr_rf *t = &f->t;
	evr_vec_reserve(&t->order, order->len);
	evr_vec_reserve(&t->place, order->len);
	evr_vec_clear(&f->steps);
	for (size_t k = 0; k < order->len; k++) {
		const struct evr_rf_event *x = &t->events.data[order->data[k]];
		t->order.data[k] = order->data[k];
		evr_vec_push(&f->steps, (struct evr_step){ x->thread, x->variant });
	}
	t->order.len = t->place.len = order->len;
}

static void go_on(struct rf *f, evr_event_id node)
{
	struct evr_rf *t = &f->t;
	struct node *n = &f->nodes.data[node];
	uint32_t i = n->schedules;
	struct schedule *s = &f->schedules.data[i];
	n->schedules = s->next;
	s->next = f->free_schedule;
	f->free_schedule = i;
	f->base.prefix = common_prefix(f, &s->order, node);
	evr_rf_cut(t, node);
	f->oracle->ops->cut(f->oracle, node);
	f->block = node;
	f->nodes.len = node + 1;
	f->node_of.len = node;
	for (size_t k = 0; k < s->items.len; k++) {
		const struct evr_rf_event *x = &s->items.data[k];
		evr_rf_append(t, x, s->afters.data, s->sources.data);
		bool open = !(x->flags & EVR_RF_MARKED) && x->kind != EVR_CHOOSE;
		evr_vec_push(&f->node_of, open ? node : NONE);
		if (k)
			evr_vec_push(&f->nodes, (struct node){ NONE, NONE });
	}
	run_in_order(f, &s->order);
}

/* ---- loops that wait ---- */

/* The thread looks again, at the end of all, and finds what it found. */
static void look_again(struct rf *f, evr_event_id read, uint32_t index)
{
	struct evr_rf *t = &f->t;
	struct key unused = { 0 };
	struct changed c = copy_of(t, read, EVR_RF_READS);
	evr_rf_ids all = { 0 };
	for (unsigned i = 0; i < t->threads; i++)
		if (i != c.event.thread && t->of_thread[i].len)
			evr_vec_push(&all, evr_vec_last(&t->of_thread[i]));
	c.id = NONE;
	c.event.index = index;
	c.event.after = 0;
	c.event.afters = (uint32_t)all.len;
	c.afters = all.data;
	add_item(f, &c, &unused);
	evr_vec_release(&all);
}

/*
 * A loop waits in vain if it has seen the last write of all, and which that is, the trace does not say. If it can be, run the
 * trace in such an order.
 */
static bool settle(struct rf *f)
{
	struct evr_rf *t = &f->t;
	struct evr_rf_change *c = &f->change;
	c->prefix = (evr_event_id)t->events.len;
	c->changed = 0;
	c->items.len = c->from.len = c->afters.len = c->sources.len = c->number.len = 0;
	for (unsigned i = 0; i < t->threads; i++) {
		evr_event_id since = f->base.world->await[i];
		uint32_t index = (uint32_t)t->of_thread[i].len;
		for (size_t k = 0; since != NONE && k < t->of_thread[i].len; k++) {
			evr_event_id e = t->of_thread[i].data[k];
			if (t->place.data[t->rank.data[e]] >= since && t->events.data[e].kind == EVR_READ)
				look_again(f, e, index++);
		}
	}
	if (!f->oracle->ops->consistent(f->oracle, c))
		return false;
	size_t n = 0;
	for (size_t k = 0; k < c->order.len; k++)
		if (c->order.data[k] < c->prefix)
			c->order.data[n++] = c->order.data[k];
	c->order.len = n;
	/* It may also be that the memory is not there any more. */
	if (!memcmp(c->order.data, t->order.data, n * sizeof(*c->order.data)))
		return false;
	f->base.prefix = common_prefix(f, &c->order, c->prefix);
	run_in_order(f, &c->order);
	return true;
}

static bool advance(struct evr_engine *e)
{
	struct rf *f = (struct rf *)e;
	bool fine = follow(f);
	e->again = f->mixes != f->t.locations.mixes;
	if (e->again)
		return true;
	if (!fine)
		abandon(f);
	else if (f->t.failure)
		e->failure = f->t.failure;
	else if (!f->settling)
		find_branches(f);
	f->depth = 0;
	if (e->failure)
		return false;
	e->rerun = f->settling = !f->settling && e->world->unsettled && settle(f);
	if (f->settling)
		return true;
	for (evr_event_id node = (evr_event_id)f->nodes.len; node-- > 0;) {
		if (f->nodes.data[node].schedules != NONE) {
			go_on(f, node);
			return true;
		}
		forget_branches(f, &f->nodes.data[node]);
	}
	return false;
}

/* A restart makes a new oracle, which begins at 0. */
static void stats(const struct evr_engine *e, struct evr_stats *s)
{
	const struct evr_oracle *o = ((const struct rf *)e)->oracle;
	evr_stats_put(s, EVR_STAT_QUESTIONS, o->asked);
	evr_stats_put(s, EVR_STAT_INSERTED, o->inserted);
	evr_stats_put(s, EVR_STAT_SATURATED, o->saturated);
	evr_stats_put(s, EVR_STAT_GUIDED, o->guided);
	evr_stats_put(s, EVR_STAT_DECIDED, o->decided);
}

const struct evr_engine_ops evr_engine_rf = {
	.name = "rf",
	.summary = "one execution for each reads-from trace: who reads from whom",
	.models = 1,
	.exhaustive = true,
	.classes = "rf",
	.create = create,
	.destroy = destroy,
	.restart = restart,
	.next = next,
	.advance = advance,
	.stats = stats,
};
