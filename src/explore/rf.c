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
	evr_rf_ids afters, order;
	uint32_t next;
};

/* A branch that was asked for at a node, whatever came of it: two hashes of its events and their sources. */
struct key {
	uint64_t one, two;
	uint32_t next;
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
	uint32_t free_schedule, free_key;
	struct evr_rf_change change;
	int32_t *past; /* room for a clock */
	uint32_t stride;
};

/* An event that is to be changed, or is yet to come. */
struct changed {
	evr_event_id id; /* NONE: it is a pending one */
	struct evr_rf_event event;
	const evr_event_id *afters;
};

static void forget(struct rf *f)
{
	struct evr_world *w = f->base.world;
	evr_rf_init(&f->t, &w->trace);
	f->oracle = w->model->oracle->create(&f->t);
	evr_vec_clear(&f->steps);
	evr_vec_clear(&f->nodes);
	evr_vec_clear(&f->node_of);
	evr_vec_clear(&f->keys);
	f->free_key = NONE;
	f->free_schedule = NONE;
	for (size_t i = 0; i < f->schedules.len; i++) {
		f->schedules.data[i].next = f->free_schedule;
		f->free_schedule = (uint32_t)i;
	}
	f->depth = 0;
	f->block = 0;
	f->base.prefix = 0;
	f->base.rerun = false;
}

static void release(struct rf *f)
{
	f->oracle->ops->destroy(f->oracle);
	evr_rf_release(&f->t);
}

static struct evr_engine *create(struct evr_world *w)
{
	struct rf *f = evr_alloc(sizeof(*f));
	f->base.ops = &evr_engine_rf;
	f->base.world = w;
	forget(f);
	return &f->base;
}

static void destroy(struct evr_engine *e)
{
	struct rf *f = (struct rf *)e;
	release(f);
	for (size_t i = 0; i < f->schedules.len; i++) {
		evr_vec_release(&f->schedules.data[i].items);
		evr_vec_release(&f->schedules.data[i].afters);
		evr_vec_release(&f->schedules.data[i].order);
	}
	evr_vec_release(&f->schedules);
	evr_vec_release(&f->keys);
	evr_vec_release(&f->nodes);
	evr_vec_release(&f->node_of);
	evr_vec_release(&f->steps);
	evr_vec_release(&f->change.items);
	evr_vec_release(&f->change.from);
	evr_vec_release(&f->change.afters);
	evr_vec_release(&f->change.number);
	evr_vec_release(&f->change.order);
	free(f->past);
	free(f);
}

static void restart(struct evr_engine *e)
{
	struct rf *f = (struct rf *)e;
	release(f);
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
	if (EVR_LIKELY(f->depth < f->steps.len)) {
		f->t.place.data[f->depth] = (evr_event_id)e->world->trace.events.len;
		return f->steps.data[f->depth++];
	}
	return new_step(f);
}

/* ---- branches ---- */

static uint64_t identity(const struct evr_rf_event *x)
{
	return (uint64_t)x->thread << 32 | x->index;
}

static void add_to_key(struct key *k, const struct evr_rf_event *x, const struct evr_rf_event *source)
{
	/* An event has a source or a variant, not both. */
	uint64_t way = source ? ~identity(source) : x->variant;
	uint64_t one = evr_hash64(identity(x) ^ evr_hash64(way + 1));
	k->one += one;
	k->two += evr_hash64(one ^ 0x9e3779b97f4a7c15);
}

/* Is this branch new at the node? Then it is noted. */
static bool note_branch(struct rf *f, struct node *n, struct key k)
{
	for (uint32_t i = n->keys; i != NONE; i = f->keys.data[i].next)
		if (f->keys.data[i].one == k.one && f->keys.data[i].two == k.two)
			return false;
	uint32_t i = f->free_key;
	if (i == NONE) {
		i = (uint32_t)f->keys.len;
		evr_vec_push(&f->keys, k);
	} else {
		f->free_key = f->keys.data[i].next;
		f->keys.data[i] = k;
	}
	f->keys.data[i].next = n->keys;
	n->keys = i;
	return true;
}

static void forget_branches(struct rf *f, struct node *n)
{
	while (n->keys != NONE) {
		uint32_t i = n->keys;
		n->keys = f->keys.data[i].next;
		f->keys.data[i].next = f->free_key;
		f->free_key = i;
	}
}

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

static void add_item(struct rf *f, const struct evr_rf_event *x, evr_event_id id, const evr_event_id *afters, uint8_t flags,
		     struct key *k)
{
	struct evr_rf_change *c = &f->change;
	evr_event_id number = (evr_event_id)(c->prefix + c->items.len);
	evr_vec_push(&c->items, *x);
	evr_vec_push(&c->from, id);
	struct evr_rf_event *y = &evr_vec_last(&c->items);
	y->flags = flags;
	y->source = x->source == ITEM_BEFORE ? number - 1 : number_of(c, x->source);
	y->after = (uint32_t)c->afters.len;
	for (uint32_t i = 0; i < x->afters; i++)
		evr_vec_push(&c->afters, number_of(c, afters[i]));
	if (id != NONE)
		c->number.data[id - c->prefix] = number;
	add_to_key(k, y, numbered(f, y->source));
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
	s->items.len = s->afters.len = s->order.len = 0;
	evr_vec_reserve(&s->items, c->items.len);
	memcpy(s->items.data, c->items.data, c->items.len * sizeof(*c->items.data));
	s->items.len = c->items.len;
	for (size_t k = 0; k < c->afters.len; k++)
		evr_vec_push(&s->afters, c->afters.data[k]);
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
	struct key k = { 0, 0, NONE };
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
	c->items.len = c->from.len = c->afters.len = 0;
	evr_vec_reserve(&c->number, last - node);
	c->number.len = last - node;
	for (evr_event_id i = node; i < last; i++)
		c->number.data[i - node] = NONE;
	for (evr_event_id i = node; i < end; i++) {
		const struct evr_rf_event *x = &t->events.data[i];
		if ((int32_t)x->index < past[x->thread])
			add_item(f, x, i, &t->afters.data[x->after],
				 (x->flags & (EVR_RF_READS | EVR_RF_WRITES)) | EVR_RF_MARKED, &k);
	}
	for (unsigned i = 0; i < n; i++)
		add_item(f, &changed[i].event, changed[i].id, changed[i].afters, changed[i].event.flags, &k);
	if (!note_branch(f, &f->nodes.data[node], k))
		return;
	if (f->oracle->ops->consistent(f->oracle, c))
		add_schedule(f, &f->nodes.data[node]);
}

/* ---- other sources ---- */

static bool is_lock(const struct evr_rf_event *x)
{
	return x->kind == EVR_LOCK || x->kind == EVR_TRYLOCK || x->kind == EVR_TIMEDLOCK;
}

static struct changed change_of(const struct evr_rf *t, evr_event_id id, evr_event_id source, uint8_t flags)
{
	const struct evr_rf_event *x = &t->events.data[id];
	struct changed c = { id, *x, &t->afters.data[x->after] };
	c.event.source = source;
	c.event.flags = (uint8_t)(flags | EVR_RF_CHANGED);
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
	evr_rf_program_past(&f->t, c->event.thread, c->event.index, c->afters, c->event.afters, f->past);
	return f->past;
}

/* What the location holds before anybody writes to it: what the first one there found. */
static evr_value initial_value(const struct evr_rf *t, uint32_t location)
{
	evr_event_id first = NONE;
	for (evr_event_id i = t->at.data[location].last; i != NONE; i = t->events.data[i].older)
		if (first == NONE || t->rank.data[i] < t->rank.data[first])
			first = i;
	return evr_rf_executed(t, first)->read;
}

static evr_value value_of(const struct evr_rf *t, uint32_t location, evr_event_id source)
{
	return source == NONE ? initial_value(t, location) : evr_rf_executed(t, source)->written;
}

/* Would the event, which reads, write if it read from this one? */
static bool would_write(const struct evr_rf *t, evr_event_id id, evr_event_id source)
{
	const struct evr_rf_event *x = &t->events.data[id];
	switch (x->kind) {
	case EVR_READ:
		return false;
	case EVR_CAS:
		return value_of(t, x->location, source) == evr_rf_executed(t, id)->expected;
	case EVR_TRYLOCK:
	case EVR_TIMEDLOCK:
		return source == NONE || !t->events.data[source].depth;
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
		for (evr_event_id i = t->at.data[x->location].last; i != NONE; i = t->events.data[i].older) {
			const struct evr_rf_event *y = &t->events.data[i];
			if (y->flags & EVR_RF_WRITES && past[y->thread] > (int32_t)y->index)
				return;
		}
		memset(f->past, 0, t->stride * sizeof(*f->past));
	} else {
		const struct evr_rf_event *y = &t->events.data[w];
		if (y->next_write != NONE && past[y->thread] > (int32_t)t->events.data[y->next_write].index)
			return;
		past = evr_rf_past(t, w);
	}
	c.event.flags |= flags_of(would_write(t, r, w));
	propose(f, f->node_of.data[r], past, &c, 1);
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

/* What a read-modify-write would write if it read from this one. */
static evr_value value_if(const struct evr_rf *t, evr_event_id id, evr_event_id source)
{
	const struct evr_event *e = evr_rf_executed(t, id);
	if (e->kind != EVR_RMW)
		return e->written;
	return evr_rmw_result(e->op, value_of(t, t->events.data[id].location, source), e->expected, e->size);
}

/* Rule 2: w, which writes, takes r's source, and r reads from w. */
static void reverse(struct rf *f, evr_event_id r, const struct changed *w)
{
	struct evr_rf *t = &f->t;
	const struct evr_rf_event *x = &t->events.data[r];
	if (!past_without(f, w, r))
		return;
	struct changed both[2] = { *w, change_of(t, r, ITEM_BEFORE, 0) };
	bool writes = true;
	if (is_lock(x))
		writes = false;
	else if (x->kind == EVR_CAS)
		writes = value_if(t, w->id, x->source) == evr_rf_executed(t, r)->expected;
	both[0].event.source = x->source;
	both[0].event.flags = EVR_RF_READS | EVR_RF_WRITES | EVR_RF_CHANGED | EVR_RF_MARKED;
	both[1].event.flags |= flags_of(writes);
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
static bool follows_lock(const struct evr_rf *t, const struct evr_rf_event *x, evr_event_id r)
{
	return is_lock(x) && x->source != NONE && t->events.data[x->source].section == r;
}

static void consider(struct rf *f, evr_event_id r, evr_event_id w)
{
	const struct evr_rf *t = &f->t;
	const struct evr_rf_event *x = &t->events.data[r], *y = &t->events.data[w];
	if (r == w)
		return;
	if (x->kind == EVR_LOCK) {
		if (x->section == r && follows_lock(t, y, r)) {
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
	if (!(x->flags & EVR_RF_WRITES) || !(y->flags & EVR_RF_READS) || y->kind == EVR_READ)
		return;
	if (y->source != r && !(is_lock(x) && follows_lock(t, y, r)))
		return;
	if (y->kind == EVR_CAS && !would_write(t, w, x->source))
		return;
	struct changed c = change_of(t, w, NONE, 0);
	reverse(f, r, &c);
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

/* Who waits for a mutex to the end might have got it before the one who holds it. */
static void consider_blocked(struct rf *f, evr_thread_id thread)
{
	struct evr_rf *t = &f->t;
	const struct evr_event *e = &f->base.world->pending[thread];
	uint32_t location = evr_locations_find(&t->locations, e->address, e->size);
	if (location >= t->at.len || t->at.data[location].followed != t->executions)
		return;
	evr_event_id r = t->events.data[t->at.data[location].now].section;
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
			.source = NONE,
			.afters = (uint32_t)t->waiting[thread].len,
		},
		t->waiting[thread].data,
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
		if (x->location == EVR_NO_LOCATION)
			continue;
		bool reads = new && x->flags & EVR_RF_READS;
		for (evr_event_id i = t->at.data[x->location].last; i != NONE; i = t->events.data[i].older) {
			if (reads)
				consider(f, e, i);
			if (i < f->own && f->node_of.data[i] != NONE)
				consider(f, i, e);
		}
		if (reads && x->source != NONE && x->kind != EVR_LOCK)
			read_other(f, e, NONE);
	}
	for (unsigned i = 0; i < w->threads; i++)
		if (w->waiting[i] && w->pending[i].kind == EVR_LOCK)
			consider_blocked(f, (evr_thread_id)i);
}

/* ---- the next execution ---- */

static bool has_node(const struct rf *f, evr_event_id e)
{
	const struct evr_rf_event *x = &f->t.events.data[e];
	return x->flags & EVR_RF_READS || (x->kind == EVR_CHOOSE && evr_rf_executed(&f->t, e)->written > 1);
}

/* Take in the execution, and give its new reads nodes. */
static void follow(struct rf *f)
{
	struct evr_rf *t = &f->t;
	f->own = (evr_event_id)t->events.len;
	t->place.len = f->depth;
	evr_rf_follow(t);
	evr_vec_reserve(&f->nodes, t->events.len + 1);
	evr_vec_reserve(&f->node_of, t->events.len);
	for (evr_event_id e = f->own; e < t->events.len; e++) {
		f->nodes.data[e] = (struct node){ NONE, NONE };
		f->node_of.data[e] = NONE;
		if (!has_node(f, e))
			continue;
		const struct evr_rf_event *x = &t->events.data[e];
		struct key k = { 0, 0, NONE };
		add_to_key(&k, x, x->source == NONE ? NULL : &t->events.data[x->source]);
		f->node_of.data[e] = e;
		note_branch(f, &f->nodes.data[e], k);
	}
	f->nodes.len = f->node_of.len = t->events.len;
}

/* The first place where the order is another than that of the last execution. */
static size_t first_difference(const struct rf *f, const evr_rf_ids *order, evr_event_id node)
{
	size_t k = 0;
	while (k < f->t.order.len && order->data[k] == f->t.order.data[k] && order->data[k] < node)
		k++;
	return k;
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
	size_t same = first_difference(f, &s->order, node);
	f->base.prefix = same < t->place.len ? t->place.data[same] : t->trace->events.len;
	evr_rf_cut(t, node);
	f->oracle->ops->cut(f->oracle, node);
	f->block = node;
	f->nodes.len = node + 1;
	f->node_of.len = node;
	for (size_t k = 0; k < s->items.len; k++) {
		const struct evr_rf_event *x = &s->items.data[k];
		evr_rf_append(t, x, &s->afters.data[x->after]);
		bool open = !(x->flags & EVR_RF_MARKED) && x->kind != EVR_CHOOSE;
		evr_vec_push(&f->node_of, open ? node : NONE);
		if (k)
			evr_vec_push(&f->nodes, (struct node){ NONE, NONE });
	}
	evr_vec_reserve(&t->order, s->order.len);
	evr_vec_reserve(&t->place, s->order.len);
	evr_vec_clear(&f->steps);
	for (size_t k = 0; k < s->order.len; k++) {
		const struct evr_rf_event *x = &t->events.data[s->order.data[k]];
		t->order.data[k] = s->order.data[k];
		evr_vec_push(&f->steps, (struct evr_step){ x->thread, x->variant });
	}
	t->order.len = t->place.len = s->order.len;
}

static bool advance(struct evr_engine *e)
{
	struct rf *f = (struct rf *)e;
	follow(f);
	if (f->t.failure) {
		e->failure = f->t.failure;
		return false;
	}
	find_branches(f);
	f->depth = 0;
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
