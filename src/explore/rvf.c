/*
 * Engine `rvf`: at most one execution for each reads-value-from class (paper 001, Algorithm 2). docs/engines/rvf.md tells the
 * story.
 *
 * The search goes down a tree. At a node, all threads are about to read; each read in turn (mutate) is given each value that it
 * can have, by the writes that are there (its good writes), and for each value that has a witness (explore/verify_sc.h) the search
 * goes on: with what follows the read, up to the next reads. Causal maps keep a read from getting what it was given elsewhere;
 * backtrack signals tell whether a node's other reads need a turn at all.
 *
 * If a witness is the order in which events are being executed already, the execution just goes on. Otherwise it is abandoned, and
 * the witness is run from the start.
 */
#include "event/mutex.h"

#include "explore/engine.h"
#include "explore/verify_sc.h"

#include <stdlib.h>
#include <string.h>

#define NONE EVR_NO_EVENT
#define PATIENCE 64 /* the closure costs about as much as so many dead ends */

/* What a thread is about to do, in the terms of the search. */
enum turn {
	EXTENDS, /* it reads nothing that others write: at once */
	READS,
	CHOOSES,
	WAITS, /* for a mutex */
};

/* An event that is about to take place at a node. */
struct pending {
	evr_thread_id thread;
	uint8_t kind, op, flags;
	uint32_t size, location, past;
	evr_value written, expected; /* the operands */
	evr_value initial;           /* what is there, if nobody has accessed it yet */
};

struct node {
	evr_event_id events;    /* of X */
	uint32_t order;         /* where they are, as they were executed, in `orders` */
	uint32_t pasts;         /* how many there are */
	uint32_t counts;        /* in `words`: how many events each thread has; then the causal map */
	unsigned threads;       /* that these speak of */
	uint32_t first, end;    /* of `mutate`: what is left; the first may be `reading` */
	uint32_t value;         /* the next to be tried, in the order of list_values() */
	evr_event_id active;    /* the write that the read finds if it comes last */
	uint32_t above;         /* if `asks`: the next one up that asks for the same location */
	bool reading, asks, wrote, backtrack;
	bool has_child; /* or the execution is complete */
};

struct value {
	evr_value value;
	bool unset;
};

struct rvf {
	struct evr_engine base;
	struct evr_rvf x;
	struct evr_verify verify;
	EVR_VEC(struct node) nodes;
	EVR_VEC(struct pending) mutate;
	EVR_VEC(uint32_t) words;
	evr_rvf_ids orders, asking; /* by location: the deepest node whose read is of it */
	evr_rvf_ids sources;        /* what a read may read from */
	EVR_VEC(struct value) values;
	/* This execution. */
	uint32_t line;  /* its events are in `orders` from here on */
	size_t depth;   /* how many it has made */
	size_t planned; /* how many it was told to make */
	evr_event_id seen; /* how much of its trace has been taken in */
	evr_event_id place; /* where the event of the last step is in the trace */
	evr_rvf_ids places; /* of the events of all steps */
	evr_steps steps;
	bool has_plan; /* for the next one */
	bool complete; /* it has come to its end */
	/* What is still to be asked about it: see look_again(). */
	struct evr_rvf relaxed;
	evr_rvf_ids awaited;
	evr_rvf_pairs uses;
	uint32_t count[EVR_MAX_THREADS], past[EVR_MAX_THREADS];
	bool joined[EVR_MAX_THREADS]; /* `coming` is what its next event comes after */
	struct evr_rvf_past *coming;
	uint32_t mixes;
};

static struct node *top(struct rvf *f)
{
	return &evr_vec_last(&f->nodes);
}

static uint32_t *counts_of(struct rvf *f, const struct node *n)
{
	return &f->words.data[n->counts];
}

/* By thread: the node whose counts say what its pending read must not read from, or EVR_NO_EVENT. The paper's C. */
static uint32_t *causal_of(struct rvf *f, const struct node *n)
{
	return &f->words.data[n->counts + n->threads];
}

/* ---- an execution is followed ---- */

static void begin_execution(struct rvf *f)
{
	f->depth = f->seen = 0;
	f->place = NONE;
	f->planned = f->x.events.len;
	evr_vec_clear(&f->places);
	evr_vec_clear(&f->steps);
	memset(f->count, 0, sizeof(f->count));
	memset(f->past, 0, sizeof(f->past));
	memset(f->joined, 0, sizeof(f->joined));
}

/* What comes before the thread's next event. */
static struct evr_rvf_past *past_of(struct rvf *f, evr_thread_id t)
{
	return f->joined[t] ? &f->coming[t] : &f->x.pasts.data[f->past[t]];
}

static void comes_after(struct rvf *f, evr_thread_id t, evr_thread_id other)
{
	struct evr_rvf_past *to = &f->coming[t], *from = past_of(f, other);
	if (!f->joined[t])
		*to = f->x.pasts.data[f->past[t]];
	for (unsigned i = 0; i < f->base.world->threads; i++)
		if (to->count[i] < from->count[i])
			to->count[i] = from->count[i];
	if (to->count[other] < f->count[other])
		to->count[other] = f->count[other];
	f->joined[t] = true;
}

/* Where in `pasts` that is. */
static uint32_t keep_past(struct rvf *f, evr_thread_id t)
{
	if (!f->joined[t])
		return f->past[t];
	evr_vec_push(&f->x.pasts, f->coming[t]);
	return (uint32_t)f->x.pasts.len - 1;
}

/* An event on x, of another thread than theirs, tells the reads above that there is more to read from, or to write before. */
static void signal_reads(struct rvf *f, const struct evr_rvf_event *y)
{
	bool writes = y->flags & EVR_RVF_WRITES;
	for (uint32_t i = f->asking.data[y->location]; i != NONE; i = f->nodes.data[i].above) {
		struct node *n = &f->nodes.data[i];
		if (f->mutate.data[n->first].thread != y->thread && (writes || n->wrote))
			n->backtrack = true;
	}
}

static void admit_locations(struct rvf *f)
{
	while (f->asking.len < f->x.at.len)
		evr_vec_push(&f->asking, NONE);
}

/* A mutex that its thread holds is its own concern. */
static bool is_own(const struct evr_event *e)
{
	const struct evr_mutex *m = evr_mutex_at(e->address);
	switch (e->kind) {
	case EVR_LOCK:
	case EVR_TRYLOCK:
	case EVR_TIMEDLOCK:
		return e->expected == e->thread + 1u;
	case EVR_UNLOCK:
		return e->read != 0 || m->lock;
	default:
		return e->kind != EVR_WRITE && e->kind != EVR_MUTEX_INIT;
	}
}

/* An event that extends the execution: it joins X. */
static void take_in_new(struct rvf *f, const struct evr_event *e)
{
	struct evr_rvf_event y = {
		.thread = e->thread,
		.kind = e->kind,
		.flags = f->joined[e->thread] ? EVR_RVF_FIRST : 0,
		.index = f->count[e->thread],
		.past = keep_past(f, e->thread),
		.location = EVR_NO_LOCATION,
		.address = e->address,
		.size = e->size,
		.written = e->kind == EVR_WRITE ? e->written : EVR_RVF_FREE,
	};
	if (!is_own(e)) {
		y.flags |= EVR_RVF_WRITES;
		y.location = evr_rvf_location(&f->x, e);
		admit_locations(f);
		struct evr_rvf_location *l = &f->x.at.data[y.location];
		if (l->last == NONE)
			l->initial = e->kind == EVR_WRITE ? e->read : EVR_RVF_FREE;
		l->unset |= e->kind == EVR_WRITE && e->op == EVR_FRESH;
		signal_reads(f, &y);
	}
	evr_rvf_append(&f->x, &y);
	evr_vec_push(&f->orders, (evr_event_id)f->x.events.len - 1);
}

static const char freed_memory[] =
	"memory was used after it was freed, and engine rvf cannot go on from there: use -e rf";

/* In another order the memory would have been there, and the thread would have gone on: no value that is read tells the two apart. */
static bool meets_freed(struct rvf *f, const struct evr_event *e)
{
	const struct evr_rvf *x = &f->x;
	for (size_t i = 0; e->kind == EVR_FAULT && e->read && i < x->frees.len; i++) {
		const struct evr_rvf_event *y = &x->events.data[x->frees.data[i]];
		if (y->thread != e->thread && past_of(f, e->thread)->count[y->thread] <= y->index &&
		    evr_overlap(e->address, e->size, y->address, y->size))
			return true;
	}
	return false;
}

/* One that it was told to make. */
static void take_in_planned(struct rvf *f, const struct evr_event *e)
{
	evr_event_id id = f->orders.data[f->line + f->depth - 1];
	struct evr_rvf_event *y = &f->x.events.data[id];
	bool mutex = evr_kind_is_mutex(y->kind), as_planned = e->thread == y->thread && e->kind == y->kind;
	if (e->kind == EVR_FAULT && y->kind == EVR_FAULT)
		return;
	if (e->kind == EVR_FAULT && e->thread == y->thread && id + 1 == f->x.events.len) {
		y->kind = EVR_FAULT;
		y->flags &= (uint8_t)~EVR_RVF_WRITES;
		if (y->location != EVR_NO_LOCATION)
			f->x.at.data[y->location].unset |= !mutex;
		return;
	}
	if (as_planned && y->flags & EVR_RVF_READS)
		as_planned = mutex ? !e->read == !!(y->flags & EVR_RVF_WRITES) : e->read == y->read;
	if (as_planned && !mutex && y->flags & EVR_RVF_WRITES)
		as_planned = e->written == y->written;
	if (!as_planned && (e->kind == EVR_FAULT || y->kind == EVR_FAULT))
		f->base.failure = freed_memory;
	else if (!as_planned)
		f->base.failure = "an event is not what it should be in this order: is the program deterministic?";
}

static void take_in(struct rvf *f)
{
	const struct evr_trace *t = &f->base.world->trace;
	for (; f->seen < t->events.len; f->seen++) {
		const struct evr_event *e = &t->events.data[f->seen];
		if (EVR_UNLIKELY(meets_freed(f, e))) {
			f->base.failure = freed_memory;
		} else if (f->seen == f->place) {
			if (f->depth > f->planned)
				take_in_new(f, e);
			else
				take_in_planned(f, e);
			f->past[e->thread] = f->x.events.data[f->orders.data[f->line + f->depth - 1]].past;
			f->joined[e->thread] = false;
			f->count[e->thread]++;
		} else if (e->kind == EVR_CREATE) {
			comes_after(f, (evr_thread_id)e->expected, e->thread);
		} else if (e->kind == EVR_JOIN) {
			comes_after(f, e->thread, (evr_thread_id)e->expected);
		}
	}
}

static struct evr_step take_step(struct rvf *f, evr_thread_id thread, uint32_t variant)
{
	struct evr_step s = { thread, variant };
	f->place = (evr_event_id)f->base.world->trace.events.len;
	evr_vec_push(&f->places, f->place);
	evr_vec_push(&f->steps, s);
	f->depth++;
	return s;
}

/* ---- nodes ---- */

static enum turn turn_of(const struct rvf *f, evr_thread_id t)
{
	const struct evr_event *e = &f->base.world->pending[t];
	switch (e->kind) {
	case EVR_LOCK:
	case EVR_TRYLOCK:
	case EVR_TIMEDLOCK:
		if (evr_mutex_held_by(evr_mutex_at(e->address), t))
			return EXTENDS;
		return e->kind == EVR_LOCK && evr_mutex_at(e->address)->lock ? WAITS : READS;
	case EVR_READ:
	case EVR_RMW:
	case EVR_CAS:
	case EVR_MUTEX_DESTROY:
		return READS;
	case EVR_CHOOSE:
		return CHOOSES;
	default:
		return EXTENDS;
	}
}

/* A thread whose turn it is in this way, from `from` on; EVR_NO_THREAD: none. */
static evr_thread_id find_turn(const struct rvf *f, enum turn turn, unsigned from)
{
	const struct evr_world *w = f->base.world;
	for (unsigned t = from; t < w->threads; t++)
		if (w->waiting[t] && turn_of(f, (evr_thread_id)t) == turn)
			return (evr_thread_id)t;
	return EVR_NO_THREAD;
}

static evr_value mutex_state(const struct evr_mutex *m)
{
	return m->kind == EVR_MUTEX_DESTROYED ? EVR_RVF_DESTROYED : m->lock ? EVR_RVF_HELD : EVR_RVF_FREE;
}

static void add_mutation(struct rvf *f, evr_thread_id t)
{
	const struct evr_event *e = &f->base.world->pending[t];
	struct pending p = {
		.thread = t,
		.kind = e->kind,
		.op = e->op,
		.flags = f->joined[t] ? EVR_RVF_FIRST : 0,
		.size = e->size,
		.location = EVR_NO_LOCATION,
		.past = keep_past(f, t),
		.written = e->written,
		.expected = e->expected,
	};
	if (e->kind != EVR_CHOOSE) {
		p.flags |= EVR_RVF_READS;
		p.location = evr_rvf_location(&f->x, e);
		admit_locations(f);
		p.initial = evr_event_is_mutex(e) ? mutex_state(evr_mutex_at(e->address))
						  : evr_memory_load(e->address, e->size);
	}
	evr_vec_push(&f->mutate, p);
}

/* Those that were not tried above come first: only for these signals are of use. A choice comes before all. */
static void add_mutations(struct rvf *f, struct node *n)
{
	const struct evr_world *w = f->base.world;
	const uint32_t *causal = causal_of(f, n);
	evr_thread_id t = find_turn(f, CHOOSES, 0);
	if (t != EVR_NO_THREAD) {
		add_mutation(f, t);
		return;
	}
	for (unsigned i = 0; i < w->threads; i++)
		if (w->waiting[i] && turn_of(f, (evr_thread_id)i) == READS && causal[i] == NONE)
			add_mutation(f, (evr_thread_id)i);
	for (unsigned i = 0; i < w->threads; i++)
		if (w->waiting[i] && turn_of(f, (evr_thread_id)i) == READS && causal[i] != NONE)
			add_mutation(f, (evr_thread_id)i);
}

/* The causal map of a new node is its parent's, but for the thread whose read brought it here. */
static void inherit(struct rvf *f, const struct node *n)
{
	const struct node *parent = f->nodes.len ? top(f) : NULL;
	evr_vec_reserve(&f->words, f->words.len + 2u * n->threads);
	memcpy(counts_of(f, n), f->count, n->threads * sizeof(*f->count));
	for (unsigned t = 0; t < n->threads; t++)
		causal_of(f, n)[t] = parent && t < parent->threads ? causal_of(f, parent)[t] : NONE;
	if (parent)
		causal_of(f, n)[f->mutate.data[parent->first].thread] = NONE;
	f->words.len += 2u * n->threads;
}

/* A lock that waits could have come before whoever holds the mutex. */
static void signal_holders(struct rvf *f)
{
	for (evr_thread_id t = find_turn(f, WAITS, 0); t != EVR_NO_THREAD; t = find_turn(f, WAITS, t + 1u)) {
		const struct evr_event *e = &f->base.world->pending[t];
		uint32_t location = evr_rvf_location(&f->x, e);
		admit_locations(f);
		for (uint32_t i = f->asking.data[location]; i != NONE; i = f->nodes.data[i].above) {
			struct node *n = &f->nodes.data[i];
			if (n->wrote && f->mutate.data[n->first].thread + 1 == evr_mutex_at(e->address)->owner) {
				n->backtrack = true;
				break;
			}
		}
	}
}

/* All threads are about to read, choose, or wait. */
static struct node *add_node(struct rvf *f)
{
	struct node n = {
		.events = (evr_event_id)f->x.events.len,
		.order = f->line,
		.counts = (uint32_t)f->words.len,
		.threads = f->base.world->threads,
		.first = (uint32_t)f->mutate.len,
		.backtrack = true,
	};
	signal_holders(f);
	inherit(f, &n);
	add_mutations(f, &n);
	n.pasts = (uint32_t)f->x.pasts.len;
	n.end = (uint32_t)f->mutate.len;
	evr_vec_push(&f->nodes, n);
	return top(f);
}

/* Forget what was done below. */
static void cut_to(struct rvf *f, struct node *n)
{
	evr_rvf_cut(&f->x, n->events);
	f->x.pasts.len = n->pasts;
	f->orders.len = n->order + n->events;
	f->mutate.len = n->end;
	f->words.len = n->counts + 2u * n->threads;
	if (n->asks)
		f->asking.data[f->mutate.data[n->first].location] = n->above;
	n->asks = false;
}

/* ---- the values of a read ---- */

/* Is the write overwritten before the read, in program order? */
static bool is_hidden(const struct rvf *f, const struct node *n, const struct pending *p, evr_event_id w)
{
	const struct evr_rvf *x = &f->x;
	const uint32_t *past = x->pasts.data[p->past].count;
	for (evr_event_id i = x->at.data[p->location].last; i != NONE; i = x->events.data[i].older) {
		const struct evr_rvf_event *y = &x->events.data[i];
		uint32_t known = y->thread == p->thread ? f->words.data[n->counts + p->thread] : past[y->thread];
		if (i != w && y->flags & EVR_RVF_WRITES && y->index < known &&
		    (w == NONE || evr_rvf_po(x, &x->events.data[w], y)))
			return true;
	}
	return false;
}

/* The paper's F_r. */
static void list_sources(struct rvf *f, const struct node *n, const struct pending *p)
{
	const struct evr_rvf *x = &f->x;
	uint32_t map = f->words.data[n->counts + n->threads + p->thread];
	const struct node *tried = map == NONE ? NULL : &f->nodes.data[map];
	evr_vec_clear(&f->sources);
	for (evr_event_id i = x->at.data[p->location].last; i != NONE; i = x->events.data[i].older) {
		const struct evr_rvf_event *y = &x->events.data[i];
		bool forbidden =
			tried && y->thread < tried->threads && y->index < f->words.data[tried->counts + y->thread];
		if (y->flags & EVR_RVF_WRITES && !forbidden && !is_hidden(f, n, p, i))
			evr_vec_push(&f->sources, i);
	}
	if (!tried && !is_hidden(f, n, p, NONE))
		evr_vec_push(&f->sources, NONE);
}

static struct value value_from(const struct rvf *f, const struct pending *p, evr_event_id source)
{
	const struct evr_rvf_location *l = &f->x.at.data[p->location];
	if (source != NONE)
		return (struct value){ f->x.events.data[source].written, false };
	return l->last == NONE ? (struct value){ p->initial, false } : (struct value){ l->initial, l->unset };
}

static bool same_value(struct value a, struct value b)
{
	return a.value == b.value && a.unset == b.unset;
}

static void add_value(struct rvf *f, const struct pending *p, struct value v)
{
	if (p->kind == EVR_LOCK && v.value == EVR_RVF_HELD)
		return;
	for (size_t i = 0; i < f->values.len; i++)
		if (same_value(f->values.data[i], v))
			return;
	evr_vec_push(&f->values, v);
}

/* The paper's D_r: first what the read finds if it comes last, for that needs no search. */
static void list_values(struct rvf *f, const struct node *n, const struct pending *p)
{
	evr_vec_clear(&f->values);
	list_sources(f, n, p);
	for (size_t i = 0; i < f->sources.len; i++)
		if (f->sources.data[i] == n->active)
			add_value(f, p, value_from(f, p, n->active));
	for (size_t i = 0; i < f->sources.len; i++)
		add_value(f, p, value_from(f, p, f->sources.data[i]));
}

static evr_event_id find_active(const struct rvf *f, const struct node *n, const struct pending *p)
{
	for (size_t i = n->events; i-- > 0;) {
		evr_event_id e = f->orders.data[n->order + i];
		const struct evr_rvf_event *y = &f->x.events.data[e];
		if (y->location == p->location && y->flags & EVR_RVF_WRITES)
			return e;
	}
	return NONE;
}

/* What the event does if it reads this. */
static void set_written(const struct pending *p, struct evr_rvf_event *y)
{
	bool writes = true;
	switch (p->kind) {
	case EVR_RMW:
		y->written = evr_rmw_result(p->op, y->read, p->written, p->size);
		break;
	case EVR_CAS:
		y->written = p->written;
		writes = y->read == p->expected;
		break;
	case EVR_LOCK:
	case EVR_TRYLOCK:
	case EVR_TIMEDLOCK:
		y->written = EVR_RVF_HELD;
		writes = y->read == EVR_RVF_FREE;
		break;
	case EVR_MUTEX_DESTROY:
		y->written = EVR_RVF_DESTROYED;
		writes = y->read == EVR_RVF_FREE;
		break;
	default:
		writes = false;
	}
	if (writes)
		y->flags |= EVR_RVF_WRITES;
}

static void append_pending(struct rvf *f, const struct node *n, const struct pending *p, struct value v)
{
	struct evr_rvf_event y = {
		.thread = p->thread,
		.kind = p->kind,
		.flags = p->flags,
		.index = f->words.data[n->counts + p->thread],
		.past = p->past,
		.location = p->location,
		.read = v.value,
	};
	if (p->location != EVR_NO_LOCATION) {
		set_written(p, &y);
		if (f->x.at.data[p->location].last == NONE)
			f->x.at.data[p->location].initial = p->initial;
	}
	evr_rvf_append(&f->x, &y);
}

/* ---- the next child ---- */

/* The new event comes last, in the order that is there. */
static void go_on(struct rvf *f, const struct node *n)
{
	f->line = n->order;
	evr_vec_push(&f->orders, n->events);
}

static bool find_witness(struct rvf *f, const struct node *n)
{
	evr_event_id read = n->events;
	if (evr_rvf_is_good(&f->x, read, n->active)) {
		go_on(f, n);
		return true;
	}
	if (!evr_verify_sc(&f->verify, &f->x, &f->orders.data[n->order], n->events))
		return false;
	f->line = (uint32_t)f->orders.len;
	for (size_t i = 0; i < f->verify.order.len; i++)
		evr_vec_push(&f->orders, f->verify.order.data[i]);
	return true;
}

/* Give the read its next value. False: there is none. */
static bool read_next(struct rvf *f, struct node *n, const struct pending *p)
{
	list_values(f, n, p);
	while (n->value < f->values.len) {
		struct value v = f->values.data[n->value++];
		append_pending(f, n, p, v);
		for (size_t i = 0; i < f->sources.len; i++)
			if (same_value(value_from(f, p, f->sources.data[i]), v))
				evr_rvf_add_good(&f->x, f->sources.data[i]);
		if (find_witness(f, n))
			return true;
		evr_rvf_cut(&f->x, n->events);
	}
	return false;
}

static bool take_next(struct rvf *f, struct node *n, const struct pending *p)
{
	if (p->kind != EVR_CHOOSE)
		return read_next(f, n, p);
	if (n->value >= (uint32_t)p->written)
		return false;
	append_pending(f, n, p, (struct value){ n->value++, false });
	go_on(f, n);
	return true;
}

/* The child has been found: from now on the node waits for signals. */
static void ask(struct rvf *f, struct node *n, const struct pending *p)
{
	const struct evr_rvf_event *y = &evr_vec_last(&f->x.events);
	n->has_child = true;
	if (p->location == EVR_NO_LOCATION)
		return;
	if (p->kind != EVR_READ)
		signal_reads(f, y);
	n->wrote = y->flags & EVR_RVF_WRITES;
	n->above = f->asking.data[p->location];
	n->asks = true;
	f->asking.data[p->location] = (uint32_t)(n - f->nodes.data);
}

static bool next_child(struct rvf *f, struct node *n)
{
	for (; n->first < n->end; n->first++) {
		const struct pending *p = &f->mutate.data[n->first];
		uint32_t *causal = &causal_of(f, n)[p->thread];
		if (!n->reading) {
			if (!n->backtrack)
				return false;
			if (*causal == NONE && !(f->verify.off & EVR_RVF_SIGNALS))
				n->backtrack = false;
			n->value = 0;
			n->reading = true;
			n->active = p->location == EVR_NO_LOCATION ? NONE : find_active(f, n, p);
		}
		if (take_next(f, n, p)) {
			ask(f, n, p);
			return true;
		}
		n->reading = false;
		*causal = (uint32_t)(n - f->nodes.data);
	}
	return false;
}

/* Go down, or up as far as necessary and down. False: all has been explored. */
static bool find_child(struct rvf *f)
{
	while (f->nodes.len) {
		struct node *n = top(f);
		cut_to(f, n);
		if (next_child(f, n))
			return true;
		f->base.redundant += !n->has_child;
		f->nodes.len--;
	}
	return false;
}

/* ---- what a complete execution does not tell ---- */

/* Memory might be freed before an event that has accessed it. */
static void find_uses(struct rvf *f)
{
	const struct evr_rvf *x = &f->x;
	for (size_t i = 0; i < x->frees.len; i++) {
		const struct evr_rvf_event *y = &x->events.data[x->frees.data[i]];
		for (uint32_t k = f->line; x->frees.data[i] != f->orders.data[k]; k++) {
			const struct evr_rvf_event *z = &x->events.data[f->orders.data[k]];
			if (evr_rvf_touches(x, z, y) && !evr_rvf_po(x, z, y))
				evr_vec_push(&f->uses, (struct evr_rvf_pair){ x->frees.data[i], f->orders.data[k] });
		}
	}
}

/* The reads of loops that wait. */
static void find_awaited(struct rvf *f)
{
	const struct evr_world *w = f->base.world;
	for (size_t k = 0; w->unsettled && k < f->places.len; k++) {
		evr_event_id e = f->orders.data[f->line + k], since = w->await[f->x.events.data[e].thread];
		if (f->x.events.data[e].kind == EVR_READ && since != NONE && f->places.data[k] >= since)
			evr_vec_push(&f->awaited, e);
	}
}

static void find_questions(struct rvf *f)
{
	find_awaited(f);
	find_uses(f);
	if (f->awaited.len || f->uses.len)
		evr_rvf_relax(&f->relaxed, &f->x);
}

/* They see the last writes of all. */
static void come_last(struct rvf *f)
{
	const struct evr_rvf *x = &f->x;
	for (size_t k = 0; k < f->awaited.len; k++) {
		evr_event_id r = f->awaited.data[k];
		for (evr_event_id i = x->at.data[x->events.data[r].location].last; i != NONE;
		     i = x->events.data[i].older)
			if (x->events.data[i].flags & EVR_RVF_WRITES)
				evr_vec_push(&f->verify.pairs, (struct evr_rvf_pair){ i, r });
	}
	evr_vec_clear(&f->awaited);
}

static bool find_other_order(struct rvf *f)
{
	bool found = evr_verify_sc(&f->verify, &f->relaxed, &f->orders.data[f->line], f->x.events.len);
	evr_vec_clear(&f->verify.pairs);
	if (!found)
		return false;
	f->line = (uint32_t)f->orders.len;
	for (size_t i = 0; i < f->verify.order.len; i++)
		evr_vec_push(&f->orders, f->verify.order.data[i]);
	return true;
}

/*
 * Whether a loop waits in vain, and whether memory is freed before it is used, depends on the order of the events. If there is one
 * that shows it, in which the threads do what they did in this execution, run it.
 */
static bool look_again(struct rvf *f)
{
	if (f->awaited.len) {
		come_last(f);
		if (find_other_order(f))
			return true;
	}
	while (f->uses.len) {
		evr_vec_push(&f->verify.pairs, f->uses.data[--f->uses.len]);
		if (find_other_order(f))
			return true;
	}
	return false;
}

/* ---- the engine ---- */

/* Only reads are left, if anything. False: the execution ends here. */
static bool go_down(struct rvf *f)
{
	struct node *n = add_node(f);
	uint32_t line = f->line;
	f->complete = n->has_child = n->first == n->end;
	f->has_plan = !f->complete && next_child(f, n);
	f->base.abandoned = !f->complete && (!f->has_plan || f->line != line);
	if (!f->has_plan || f->base.abandoned)
		return false;
	f->has_plan = false;
	f->planned = f->x.events.len;
	return true;
}

static struct evr_step next(struct evr_engine *e)
{
	struct rvf *f = (struct rvf *)e;
	const struct evr_step end = { .actor = EVR_NO_ACTOR };
	take_in(f);
	if (EVR_UNLIKELY(f->x.locations.mixes != f->mixes))
		e->failure = "memory is accessed in different sizes, which engine rvf does not know: use -e rf";
	if (e->failure) {
		e->abandoned = true;
		return end;
	}
	if (f->depth >= f->planned) {
		evr_thread_id t = find_turn(f, EXTENDS, 0);
		if (t != EVR_NO_THREAD)
			return take_step(f, t, 0);
		if (e->rerun || !go_down(f))
			return end;
	}
	const struct evr_rvf_event *y = &f->x.events.data[f->orders.data[f->line + f->depth]];
	return take_step(f, y->thread, y->kind == EVR_CHOOSE ? (uint32_t)y->read : 0);
}

/* How much of the last execution will be repeated? */
static size_t common_prefix(const struct rvf *f)
{
	size_t k = 0;
	for (; k < f->steps.len && k < f->x.events.len; k++) {
		const struct evr_rvf_event *y = &f->x.events.data[f->orders.data[f->line + k]];
		if (f->steps.data[k].actor != y->thread ||
		    (y->kind == EVR_CHOOSE && f->steps.data[k].variant != (uint32_t)y->read))
			break;
	}
	return k < f->places.len ? f->places.data[k] : f->base.world->trace.events.len;
}

static bool advance(struct evr_engine *e)
{
	struct rvf *f = (struct rvf *)e;
	if (f->complete && !e->rerun)
		find_questions(f);
	f->complete = e->abandoned = false;
	if (e->failure)
		return false;
	e->rerun = look_again(f);
	if (!e->rerun && !f->has_plan && !find_child(f))
		return false;
	f->has_plan = false;
	e->prefix = common_prefix(f);
	begin_execution(f);
	return true;
}

static void begin(struct rvf *f)
{
	evr_vec_clear(&f->nodes);
	evr_vec_clear(&f->mutate);
	evr_vec_clear(&f->words);
	evr_vec_clear(&f->orders);
	evr_vec_clear(&f->asking);
	admit_locations(f);
	f->verify.patience = PATIENCE;
	f->verify.off = f->base.world->heuristics_off;
	f->verify.asked = f->verify.states = f->verify.filtered = f->verify.refuted = 0;
	f->mixes = f->x.locations.mixes;
	f->line = 0;
	f->has_plan = f->complete = false;
	evr_vec_clear(&f->awaited);
	evr_vec_clear(&f->uses);
	f->base.prefix = 0;
	f->base.abandoned = f->base.rerun = false;
	/* What was not as planned may have been so because more memory is shared than was known. */
	f->base.failure = NULL;
	begin_execution(f);
}

static struct evr_engine *create(struct evr_world *w)
{
	struct rvf *f = evr_alloc(sizeof(*f));
	f->base.ops = &evr_engine_rvf;
	f->base.world = w;
	f->coming = evr_alloc(EVR_MAX_THREADS * sizeof(*f->coming));
	evr_rvf_init(&f->x);
	evr_rvf_init(&f->relaxed);
	begin(f);
	return &f->base;
}

static void destroy(struct evr_engine *e)
{
	struct rvf *f = (struct rvf *)e;
	evr_rvf_release(&f->x);
	evr_rvf_release(&f->relaxed);
	evr_vec_release(&f->awaited);
	evr_vec_release(&f->uses);
	evr_verify_release(&f->verify);
	evr_vec_release(&f->nodes);
	evr_vec_release(&f->mutate);
	evr_vec_release(&f->words);
	evr_vec_release(&f->orders);
	evr_vec_release(&f->asking);
	evr_vec_release(&f->sources);
	evr_vec_release(&f->values);
	evr_vec_release(&f->places);
	evr_vec_release(&f->steps);
	free(f->coming);
	free(f);
}

static void restart(struct evr_engine *e)
{
	struct rvf *f = (struct rvf *)e;
	evr_rvf_clear(&f->x);
	begin(f);
}

static void stats(const struct evr_engine *e, struct evr_stats *s)
{
	const struct evr_verify *v = &((const struct rvf *)e)->verify;
	evr_stats_put(s, EVR_STAT_QUESTIONS, v->asked);
	evr_stats_put(s, EVR_STAT_STATES, v->states);
	evr_stats_put(s, EVR_STAT_REFUTED, v->refuted);
	evr_stats_put(s, EVR_STAT_CLOSED, v->filtered);
}

const struct evr_engine_ops evr_engine_rvf = {
	.name = "rvf",
	.summary = "at most one execution for each reads-value-from class: what is read",
	.models = 1u, /* sc */
	.values_only = true,
	.exhaustive = true,
	.classes = "rvf",
	.create = create,
	.destroy = destroy,
	.restart = restart,
	.next = next,
	.advance = advance,
	.stats = stats,
};
