/*
 * A graph with a given modification order, where an execution is an order in which events take effect: under SC, program order, reads-from, modification order and
 * from-reads must have no cycle. Then any order that respects them is an execution. Events are put in order one after the other, each behind all that must
 * come before it.
 *
 * A buffered store is two nodes: when its thread makes it, and when it takes effect. The second is in the modification order. It comes behind what the buffer holds
 * before it (under TSO all earlier stores, under PSO those to the same location, and all before a release), and before whatever flushes. A load
 * that reads another thread's store comes behind its own thread's stores to the location; one that reads its own thread's store, which must be the
 * last, may come before that takes effect.
 *
 * Invariant: the edges into a node are a list, as `first` and `next` say. Nodes from `total` on are stores that take effect.
 */
#include "model/effects.h"

#define NONE EVR_NO_EVENT

void evr_effects_release(struct evr_effects *o)
{
	evr_vecs_release(&o->first, &o->edges, &o->writes, &o->readers, &o->reads, &o->store_before, &o->stack,
			 &o->colour);
}

static void add_edge(struct evr_effects *o, evr_event_id from, evr_event_id to)
{
	if (from == NONE || from == to)
		return;
	evr_vec_push(&o->edges, (struct evr_effect_edge){ from, o->first.data[to] });
	o->first.data[to] = (uint32_t)o->edges.len - 1;
}

/* When the event is seen by others. */
static evr_event_id effect(const struct evr_effects *o, const struct evr_rf_event *x, evr_event_id n)
{
	return x->flags & EVR_RF_BUFFERED ? o->total + n : n;
}

/* All stores of the thread before n take effect before that node. */
static void after_stores(struct evr_effects *o, evr_thread_id thread, evr_event_id n, evr_event_id node)
{
	for (evr_event_id s = o->last_store[thread]; s != NONE; s = o->store_before.data[s])
		if (s < n)
			add_edge(o, o->total + s, node);
}

/* The store comes behind those that its buffer holds before it. */
static void add_store(struct evr_effects *o, const struct evr_rf *t, const struct evr_rf_change *c, evr_event_id n)
{
	const struct evr_rf_event *x = evr_rf_numbered(t, c, n);
	evr_event_id barrier = o->barrier[x->thread];
	add_edge(o, n, o->total + n);
	for (evr_event_id s = o->last_store[x->thread]; s != NONE; s = o->store_before.data[s])
		if (!t->reorders_stores || x->flags & EVR_RF_RELEASES || (barrier != NONE && s < barrier) ||
		    evr_rf_numbered(t, c, s)->location == x->location)
			add_edge(o, o->total + s, o->total + n);
	o->store_before.data[n] = o->last_store[x->thread];
	o->last_store[x->thread] = n;
}

/* False: it cannot read from there. */
static bool add_read(struct evr_effects *o, const struct evr_rf *t, const struct evr_rf_change *c, evr_event_id n)
{
	const struct evr_rf_event *x = evr_rf_numbered(t, c, n);
	const struct evr_rf_event *w = x->source == NONE ? NULL : evr_rf_numbered(t, c, x->source);
	uint32_t source = w ? x->source : 2 * o->total + x->location;
	evr_event_id own = o->last_store[x->thread];
	evr_vec_push(&o->reads, (struct evr_effect_edge){ n, o->readers.data[source] });
	o->readers.data[source] = (uint32_t)o->reads.len - 1;
	while (own != NONE && evr_rf_numbered(t, c, own)->location != x->location)
		own = o->store_before.data[own];
	if (w && own == x->source)
		return true;
	if (own != NONE)
		add_edge(o, o->total + own, n);
	if (w)
		add_edge(o, effect(o, w, x->source), n);
	return !w || !(w->flags & EVR_RF_BUFFERED) || w->thread != x->thread;
}

/* Program order from other threads: these are created, or joined, when their stores up to that event have taken effect. */
static void add_afters(struct evr_effects *o, const struct evr_rf *t, const struct evr_rf_change *c, evr_event_id n)
{
	const struct evr_rf_event *x = evr_rf_numbered(t, c, n);
	const evr_event_id *afters = n < c->prefix ? t->afters.data : c->afters.data;
	for (uint32_t i = 0; i < x->afters; i++) {
		evr_event_id a = afters[x->after + i];
		add_edge(o, a, n);
		after_stores(o, evr_rf_numbered(t, c, a)->thread, a + 1, n);
	}
}

/* Program order and reads-from; and lists of those who write, and who read from each write or, behind all nodes, a location's initial one. */
static bool add_given(struct evr_effects *o, const struct evr_rf *t, const struct evr_rf_change *c)
{
	evr_event_id last[EVR_MAX_THREADS];
	bool fine = true;
	for (unsigned i = 0; i < EVR_MAX_THREADS; i++)
		last[i] = o->last_store[i] = o->barrier[i] = NONE;
	for (evr_event_id n = 0; n < o->total; n++) {
		const struct evr_rf_event *x = evr_rf_numbered(t, c, n);
		add_edge(o, last[x->thread], n);
		last[x->thread] = n;
		add_afters(o, t, c, n);
		if (x->flags & EVR_RF_FLUSHES)
			after_stores(o, x->thread, n, n);
		if (x->flags & EVR_RF_BUFFERED)
			add_store(o, t, c, n);
		else if (x->flags & (EVR_RF_RELEASES | EVR_RF_FLUSHES))
			o->barrier[x->thread] = n;
		if (x->location == EVR_NO_LOCATION)
			continue;
		if (x->flags & EVR_RF_READS)
			fine &= add_read(o, t, c, n);
		if (x->flags & EVR_RF_WRITES)
			evr_vec_push(&o->writes, n);
	}
	return fine;
}

/* Modification order and from-reads: each write takes effect behind the one before it, and behind all who read from that. */
static void add_order(struct evr_effects *o, const struct evr_rf *t, const struct evr_rf_change *c)
{
	for (size_t i = 0; i < o->writes.len; i++) {
		const struct evr_rf_event *x = evr_rf_numbered(t, c, o->writes.data[i]), *z = NULL;
		evr_event_id before = NONE, node = effect(o, x, o->writes.data[i]);
		for (size_t k = 0; k < o->writes.len; k++) {
			const struct evr_rf_event *y = evr_rf_numbered(t, c, o->writes.data[k]);
			if (y->location != x->location || y->mo >= x->mo || (z && y->mo <= z->mo))
				continue;
			before = o->writes.data[k];
			z = y;
		}
		if (z)
			add_edge(o, effect(o, z, before), node);
		uint32_t r = o->readers.data[z ? before : 2 * o->total + x->location];
		for (; r != NONE; r = o->reads.data[r].next)
			add_edge(o, o->reads.data[r].from, node);
	}
}

enum colour { WHITE, GREY, BLACK };

/* Put n, and before it all that must come before it, into the order. False: there is a cycle. */
static bool place(struct evr_effects *o, evr_event_id n, evr_rf_ids *order)
{
	evr_vec_clear(&o->stack);
	evr_vec_push(&o->stack, n);
	while (o->stack.len) {
		evr_event_id at = evr_vec_last(&o->stack);
		uint32_t edge = o->first.data[at];
		o->colour.data[at] = GREY;
		while (edge != NONE && o->colour.data[o->edges.data[edge].from] == BLACK)
			edge = o->edges.data[edge].next;
		o->first.data[at] = edge;
		if (edge == NONE) {
			o->colour.data[at] = BLACK;
			evr_vec_push(order, at < o->total ? at : (at - o->total) | EVR_RF_UPDATE);
			o->stack.len--;
		} else if (o->colour.data[o->edges.data[edge].from] == GREY) {
			return false;
		} else {
			evr_vec_push(&o->stack, o->edges.data[edge].from);
		}
	}
	return true;
}

static void clear(struct evr_effects *o, const struct evr_rf *t, size_t total)
{
	size_t sources = 2 * total + t->at.len;
	o->total = (evr_event_id)total;
	o->edges.len = o->writes.len = o->reads.len = 0;
	evr_vec_reserve(&o->first, 2 * total);
	evr_vec_reserve(&o->colour, 2 * total);
	evr_vec_reserve(&o->store_before, total);
	evr_vec_reserve(&o->readers, sources);
	for (size_t i = 0; i < 2 * total; i++) {
		o->first.data[i] = NONE;
		o->colour.data[i] = WHITE;
	}
	for (size_t i = 0; i < sources; i++)
		o->readers.data[i] = NONE;
}

/* Does a changed write come between a read-modify-write and its source? */
static bool splits(const struct evr_effects *o, const struct evr_rf *t, const struct evr_rf_change *c,
		   const struct evr_rf_event *x)
{
	for (size_t i = 0; i < o->writes.len && x->flags & EVR_RF_WRITES; i++) {
		const struct evr_rf_event *y = evr_rf_numbered(t, c, o->writes.data[i]);
		uint32_t source = y->source == NONE ? 0 : evr_rf_numbered(t, c, y->source)->mo;
		if (y->flags & EVR_RF_READS && y->location == x->location && source < x->mo && x->mo < y->mo)
			return true;
	}
	return false;
}

bool evr_effects_order(struct evr_effects *o, const struct evr_rf *t, struct evr_rf_change *c)
{
	clear(o, t, c->prefix + c->items.len);
	bool fine = add_given(o, t, c);
	add_order(o, t, c);
	c->order.len = 0;
	for (evr_event_id n = 0; fine && n < o->total; n++) {
		bool buffered = evr_rf_numbered(t, c, n)->flags & EVR_RF_BUFFERED;
		if (o->colour.data[n] == WHITE)
			fine = place(o, n, &c->order);
		if (fine && buffered && o->colour.data[o->total + n] == WHITE)
			fine = place(o, o->total + n, &c->order);
	}
	c->early = !fine;
	for (size_t k = c->items.len - c->changed; !fine && k < c->items.len; k++)
		c->early &= !splits(o, t, c, &c->items.data[k]);
	return fine;
}
