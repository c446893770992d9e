/*
 * The oracles of TSO and PSO. A buffered store takes place twice: when its thread makes it, which only the thread itself can see,
 * and when it takes effect. The second is what others see, so a trace is saturated as under SC, with
 *
 *   - stores, as they take effect, in threads of their own, the buffers: one for each thread under TSO, and under PSO one for
 *     each group of a thread's stores of which every two must take effect in their order;
 *   - an order from what a thread has done to its later stores, but not from a store to what the thread does afterwards, unless that
 *     flushes, or reads the same memory and not from the thread's own buffer.
 *
 * When a thread makes a store does not matter, as long as it is in program order: a witness says when stores take effect, and
 * they are made right before, or before the thread's next event. So each event of the trace is one here, too.
 *
 * Invariant: the threads of the saturation are the program's threads and their buffers, and what it orders holds in every execution of the
 * trace.
 */
#include "model/effects.h"
#include "model/insertion.h"
#include "model/pso_hidden.h"
#include "model/witness.h"

#include <stdlib.h>
#include <string.h>

#define NONE EVR_NO_EVENT

/* What is known of an event that is saturated, besides; of its thread, up to it. */
struct split {
	evr_event_id last_unbuffered; /* the last one that is no buffered store */
	evr_event_id barrier; /* stores before this take effect before any later store does */
	evr_event_id drain;   /* and these before anything that comes after `last_unbuffered` */
	uint32_t afters;      /* how many of the thread's `afters` are there */
	evr_thread_id thread;
};

struct thread {
	evr_thread_id chain; /* of its events but buffered stores: a thread of the saturated ones, as each buffer is */
	EVR_VEC(evr_thread_id) buffers;
	evr_rf_ids events;
	evr_rf_ids afters; /* what its stores come after, other than its own events */
	uint32_t made; /* while a run is written down: how many events it has made */
};

struct buffers {
	struct evr_oracle base;
	bool fifo;
	struct evr_saturation s;
	struct evr_witness w;
	EVR_VEC(struct thread) threads;
	EVR_VEC(struct split) splits;
	evr_rf_ids before; /* the event that is being saturated: what must be before it */
	evr_rf_ids nodes; /* a witness */
	struct evr_pso_hidden hidden;
	struct evr_effects effects;
};

#define NO_CHAIN ((evr_thread_id)0xffff)

static struct evr_oracle *create(const struct evr_rf *trace, const struct evr_oracle_ops *ops, bool fifo)
{
	struct buffers *o = evr_alloc(sizeof(*o));
	o->base.ops = ops;
	o->base.trace = trace;
	o->fifo = fifo;
	evr_saturation_init(&o->s, trace);
	evr_witness_init(&o->w, &o->s);
	return &o->base;
}

static struct evr_oracle *create_tso(const struct evr_rf *trace)
{
	return create(trace, &evr_oracle_tso, true);
}

static struct evr_oracle *create_pso(const struct evr_rf *trace)
{
	return create(trace, &evr_oracle_pso, false);
}

static void destroy(struct evr_oracle *base)
{
	struct buffers *o = (struct buffers *)base;
	for (size_t i = 0; i < o->threads.len; i++) {
		evr_vecs_release(&o->threads.data[i].buffers, &o->threads.data[i].events, &o->threads.data[i].afters);
	}
	evr_vecs_release(&o->threads, &o->splits, &o->before, &o->nodes);
	evr_pso_hidden_release(&o->hidden);
	evr_effects_release(&o->effects);
	evr_saturation_release(&o->s);
	evr_witness_release(&o->w);
	free(o);
}

/* ---- threads and buffers ---- */

static struct thread *thread_of(struct buffers *o, evr_thread_id t)
{
	while (o->threads.len <= t)
		evr_vec_push(&o->threads, (struct thread){ .chain = NO_CHAIN });
	return &o->threads.data[t];
}

static evr_thread_id new_chain(struct buffers *o, evr_thread_id owner)
{
	evr_vec_push(&o->s.owner, owner);
	return (evr_thread_id)(o->s.owner.len - 1);
}

static evr_thread_id chain_of(struct buffers *o, evr_thread_id thread)
{
	struct thread *t = thread_of(o, thread);
	if (t->chain == NO_CHAIN)
		t->chain = new_chain(o, thread);
	return t->chain;
}

/* The last event of a chain whose number is below that, or NONE. */
static evr_event_id last_below(const struct buffers *o, evr_thread_id chain, evr_event_id number)
{
	const evr_rf_ids *ids = &o->s.of_thread[chain];
	size_t low = 0, high = ids->len;
	if (high && ids->data[high - 1] < number)
		return ids->data[high - 1];
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (ids->data[middle] < number)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? ids->data[low - 1] : NONE;
}

/* Stores of the thread with numbers below that must be before the event that is being saturated. */
static void after_stores(struct buffers *o, const struct thread *t, evr_event_id number)
{
	for (size_t i = 0; i < t->buffers.len; i++) {
		evr_event_id last = last_below(o, t->buffers.data[i], number);
		if (last != NONE)
			evr_vec_push(&o->before, last);
	}
}

/* The last store of the thread to the cell, or NONE. */
static evr_event_id last_store(const struct buffers *o, evr_thread_id thread, uint32_t cell)
{
	evr_event_id last = NONE;
	if (cell >= o->s.at.len)
		return NONE;
	const struct evr_saturated_cell *l = &o->s.at.data[cell];
	for (size_t i = 0; i < l->writes.len; i++) {
		const struct evr_thread_writes *w = &l->writes.data[i];
		if (!w->ids.len || o->s.owner.data[w->thread] != thread)
			continue;
		evr_event_id id = evr_vec_last(&w->ids);
		if (last == NONE || id > last)
			last = id;
	}
	return last != NONE && o->s.events.data[last].flags & EVR_RF_BUFFERED ? last : NONE;
}

static bool overlap(const struct evr_rf_event *x, const struct evr_rf_event *y)
{
	return x->cell < y->cell + y->cells && y->cell < x->cell + x->cells;
}

/* A buffer of the thread whose last store must take effect before this one does. */
static evr_thread_id buffer_for(struct buffers *o, const struct evr_rf_event *x, evr_event_id barrier)
{
	struct thread *t = thread_of(o, x->thread);
	for (size_t i = 0; i < t->buffers.len; i++) {
		/* One that is there only since now. */
		if (t->buffers.data[i] >= o->s.clocks.width)
			return t->buffers.data[i];
		const evr_rf_ids *ids = &o->s.of_thread[t->buffers.data[i]];
		if (!ids->len || o->fifo || evr_vec_last(ids) < barrier ||
		    overlap(&o->s.events.data[evr_vec_last(ids)], x))
			return t->buffers.data[i];
	}
	evr_vec_push(&t->buffers, new_chain(o, x->thread));
	return evr_vec_last(&t->buffers);
}

/* ---- saturation ---- */

static void rewind_buffers(struct buffers *o, evr_event_id n)
{
	while (o->splits.len > n) {
		struct thread *t = &o->threads.data[evr_vec_last(&o->splits).thread];
		t->events.len--;
		t->afters.len = t->events.len ? o->splits.data[evr_vec_last(&t->events)].afters : 0;
		o->splits.len--;
	}
	evr_saturation_rewind(&o->s, n);
}

static void rewind_to(struct evr_oracle *base, evr_event_id n)
{
	rewind_buffers((struct buffers *)base, n);
}

/* Program order from another thread: a thread is created, or joined, when its stores, up to this event, have taken effect. */
static void after_event(struct buffers *o, evr_event_id e)
{
	const struct split *x = &o->splits.data[e];
	if (x->last_unbuffered != NONE)
		evr_vec_push(&o->before, x->last_unbuffered);
	after_stores(o, thread_of(o, x->thread), e + 1);
}

/* What the thread's own buffer has to do with a read. False: it cannot read from there. */
static bool after_own_stores(struct buffers *o, const struct evr_rf_event *x, const evr_event_id *sources)
{
	for (uint32_t i = 0; i < x->cells; i++) {
		evr_event_id own_store = last_store(o, x->thread, x->cell + i), source = evr_rf_source(x, sources, i);
		if (source == own_store)
			continue;
		if (source != NONE && o->s.events.data[source].flags & EVR_RF_BUFFERED &&
		    o->splits.data[source].thread == x->thread)
			return false;
		if (own_store != NONE)
			evr_vec_push(&o->before, own_store);
	}
	return true;
}

/* What is known of x, the next event of its thread, from the one before. */
static struct split next_split(const struct buffers *o, const struct thread *t, const struct evr_rf_event *x)
{
	evr_event_id id = (evr_event_id)o->splits.len;
	struct split y = { NONE, 0, 0, 0, x->thread };
	if (t->events.len) {
		evr_event_id last = evr_vec_last(&t->events);
		y = o->splits.data[last];
		/* What `last_unbuffered` has waited for is behind it. */
		if (y.last_unbuffered == last)
			y.drain = 0;
	}
	if (x->flags & EVR_RF_FLUSHES)
		y.drain = y.barrier = id;
	else if (x->flags & EVR_RF_RELEASES && !(x->flags & EVR_RF_BUFFERED))
		y.barrier = id;
	return y;
}

/* Everything that must be before a store, besides `afters`, when it takes effect. */
static void after_for_store(struct buffers *o, const struct thread *t, const struct evr_rf_event *x,
			    const struct split *y, evr_event_id barrier)
{
	if (y->last_unbuffered != NONE)
		evr_vec_push(&o->before, y->last_unbuffered);
	after_stores(o, t, barrier);
	for (uint32_t i = 0; i < x->cells; i++) {
		evr_event_id own_store = last_store(o, x->thread, x->cell + i);
		if (own_store != NONE)
			evr_vec_push(&o->before, own_store);
	}
}

/* What the thread's stores come after, its next event does, too. */
static void after_others(struct buffers *o, struct thread *t, const struct evr_rf_event *x, const struct split *y,
			 const evr_event_id *afters)
{
	evr_vec_clear(&o->before);
	for (uint32_t i = 0; i < x->afters; i++)
		after_event(o, afters[x->after + i]);
	for (size_t i = 0; x->flags & EVR_RF_BUFFERED && i < o->before.len; i++)
		evr_vec_push(&t->afters, o->before.data[i]);
	for (size_t i = y->last_unbuffered == NONE ? 0 : o->splits.data[y->last_unbuffered].afters; i < t->afters.len;
	     i++)
		evr_vec_push(&o->before, t->afters.data[i]);
}

enum pushed { POSSIBLE, IMPOSSIBLE, WIDER };

static enum pushed push(struct buffers *o, const struct evr_rf_event *x, const evr_event_id *afters,
			const evr_event_id *sources)
{
	struct thread *t = thread_of(o, x->thread);
	evr_event_id id = (evr_event_id)o->splits.len;
	struct split y = next_split(o, t, x);
	bool store = x->flags & EVR_RF_BUFFERED, possible = true;
	evr_event_id barrier = x->flags & EVR_RF_RELEASES ? id : y.barrier;
	evr_thread_id chain = store ? buffer_for(o, x, barrier) : chain_of(o, x->thread);
	if (o->s.owner.len > o->s.clocks.width)
		return WIDER;
	after_others(o, t, x, &y, afters);
	if (store) {
		after_for_store(o, t, x, &y, barrier);
	} else {
		after_stores(o, t, y.drain);
		if (x->flags & EVR_RF_READS)
			possible = after_own_stores(o, x, sources);
		y.last_unbuffered = id;
	}
	y.afters = (uint32_t)t->afters.len;
	evr_vec_push(&t->events, id);
	evr_vec_push(&o->splits, y);
	struct evr_rf_event node = *x;
	node.thread = chain;
	node.index = (uint32_t)o->s.of_thread[chain].len;
	node.after = 0;
	node.afters = (uint32_t)o->before.len;
	possible = evr_saturation_push(&o->s, &node, o->before.data, sources) && possible;
	return possible ? POSSIBLE : IMPOSSIBLE;
}

static bool saturate(struct buffers *o, const struct evr_rf_change *c)
{
	const struct evr_rf *t = o->base.trace;
	rewind_buffers(o, c->prefix);
	for (size_t i = o->splits.len; i < c->prefix + c->items.len; i++) {
		bool old = i < c->prefix;
		const struct evr_rf_event *x = old ? &t->events.data[i] : &c->items.data[i - c->prefix];
		switch (push(o, x, old ? t->afters.data : c->afters.data, old ? t->sources.data : c->sources.data)) {
		case WIDER:
			rewind_buffers(o, 0);
			evr_saturation_widen(&o->s, o->s.clocks.width ? 2 * o->s.clocks.width : EVR_CLOCK_LANES);
			i = (size_t)-1; /* from the start */
			break;
		case IMPOSSIBLE:
			if (old)
				evr_bug("an execution that was run cannot be");
			return false;
		case POSSIBLE:
			break;
		}
	}
	return true;
}

/* ---- the answer ---- */

/* The witness as the threads' steps: stores are made when they take effect, or something else comes after them. */
static void write_run(struct buffers *o, evr_rf_ids *order)
{
	evr_vec_clear(order);
	for (size_t i = 0; i < o->threads.len; i++)
		o->threads.data[i].made = 0;
	for (size_t k = 0; k < o->nodes.len; k++) {
		evr_event_id e = o->nodes.data[k];
		struct thread *t = &o->threads.data[o->splits.data[e].thread];
		while (t->made < t->events.len && t->events.data[t->made] <= e)
			evr_vec_push(order, t->events.data[t->made++]);
		if (o->s.events.data[e].flags & EVR_RF_BUFFERED)
			evr_vec_push(order, e | EVR_RF_UPDATE);
	}
}

/* What is saturated: can it happen? */
static bool find_witness(struct buffers *o, struct evr_rf_change *c)
{
	bool fine = evr_witness_find(&o->w, &o->base, c, &o->nodes);
	if (fine)
		write_run(o, &c->order);
	return fine;
}

static bool consistent(struct evr_oracle *base, struct evr_rf_change *c)
{
	struct buffers *o = (struct buffers *)base;
	bool fine = false;
	base->asked++;
	if (evr_oracle_insert(base->trace, c)) {
		base->inserted++;
		return true;
	}
	if (saturate(o, c))
		fine = find_witness(o, c);
	else
		base->saturated++;
	rewind_buffers(o, c->prefix);
	return fine;
}

static bool update_after_free(struct evr_oracle *base, struct evr_rf_change *c, evr_event_id store, evr_event_id free)
{
	struct buffers *o = (struct buffers *)base;
	saturate(o, c);
	if (evr_saturation_before(&o->s, store, free))
		return false;
	base->asked++;
	bool fine = evr_saturation_order(&o->s, free, store);
	base->saturated += !fine;
	fine = fine && find_witness(o, c);
	rewind_buffers(o, c->prefix - 1);
	return fine;
}

static bool may_read(struct evr_oracle *base, evr_event_id r, evr_event_id w, const int32_t *past, evr_event_id node)
{
	return evr_pso_may_read(&((struct buffers *)base)->hidden, base->trace, r, w, past, node);
}

static bool is_overwritten(const struct evr_oracle *base, evr_event_id w, evr_event_id y)
{
	return evr_pso_is_overwritten(base->trace, w, y);
}

static bool consistent_in_order(struct evr_oracle *base, struct evr_rf_change *c)
{
	bool fine = evr_effects_order(&((struct buffers *)base)->effects, base->trace, c);
	base->asked++;
	base->saturated += !fine;
	base->inserted += fine;
	return fine;
}

const struct evr_oracle_ops evr_oracle_tso = {
	.create = create_tso,
	.destroy = destroy,
	.rewind = rewind_to,
	.consistent = consistent,
	.consistent_in_order = consistent_in_order,
};

/* A store may take effect after a later one that others know of. */
const struct evr_oracle_ops evr_oracle_pso = {
	.create = create_pso,
	.destroy = destroy,
	.rewind = rewind_to,
	.consistent = consistent,
	.consistent_in_order = consistent_in_order,
	.may_read = may_read,
	.is_overwritten = is_overwritten,
	.update_after_free = update_after_free,
};
