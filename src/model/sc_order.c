/*
 * Sequential consistency with a given modification order: program order, reads-from, modification order and from-reads have no cycle. Then any order
 * that respects them is an execution. Events are put in order one after the other, each behind all that must come before it.
 *
 * Invariant: the edges into an event are a list, as `first` and `next` of struct evr_sc_order say.
 */
#include "model/sc_order.h"

#define NONE EVR_NO_EVENT

void evr_sc_order_release(struct evr_sc_order *o)
{
	evr_vecs_release(&o->first, &o->edges, &o->writes, &o->readers, &o->reads, &o->stack, &o->colour);
}

static void add_edge(struct evr_sc_order *o, evr_event_id from, evr_event_id to)
{
	if (from == NONE || from == to)
		return;
	evr_vec_push(&o->edges, (struct evr_sc_edge){ from, o->first.data[to] });
	o->first.data[to] = (uint32_t)o->edges.len - 1;
}

/* Program order and reads-from; and lists of those who write, and who read from each write or, behind all events, a location's initial one. */
static void add_given(struct evr_sc_order *o, const struct evr_rf *t, const struct evr_rf_change *c, size_t total)
{
	evr_event_id last[EVR_MAX_THREADS];
	for (unsigned i = 0; i < EVR_MAX_THREADS; i++)
		last[i] = NONE;
	for (evr_event_id n = 0; n < total; n++) {
		const struct evr_rf_event *x = evr_rf_numbered(t, c, n);
		const evr_event_id *afters = n < c->prefix ? t->afters.data : c->afters.data;
		add_edge(o, last[x->thread], n);
		last[x->thread] = n;
		for (uint32_t i = 0; i < x->afters; i++)
			add_edge(o, afters[x->after + i], n);
		if (x->location == EVR_NO_LOCATION)
			continue;
		if (x->flags & EVR_RF_READS) {
			uint32_t source = x->source == NONE ? (uint32_t)total + x->location : x->source;
			add_edge(o, x->source, n);
			evr_vec_push(&o->reads, (struct evr_sc_edge){ n, o->readers.data[source] });
			o->readers.data[source] = (uint32_t)o->reads.len - 1;
		}
		if (x->flags & EVR_RF_WRITES)
			evr_vec_push(&o->writes, n);
	}
}

/* Modification order and from-reads: each write comes behind the one before it, and behind all who read from that. */
static void add_order(struct evr_sc_order *o, const struct evr_rf *t, const struct evr_rf_change *c, size_t total)
{
	for (size_t i = 0; i < o->writes.len; i++) {
		const struct evr_rf_event *x = evr_rf_numbered(t, c, o->writes.data[i]);
		evr_event_id before = NONE;
		uint32_t mo = 0;
		for (size_t k = 0; k < o->writes.len; k++) {
			const struct evr_rf_event *y = evr_rf_numbered(t, c, o->writes.data[k]);
			if (y->location != x->location || y->mo >= x->mo || y->mo <= mo)
				continue;
			before = o->writes.data[k];
			mo = y->mo;
		}
		add_edge(o, before, o->writes.data[i]);
		uint32_t r = o->readers.data[before == NONE ? total + x->location : before];
		for (; r != NONE; r = o->reads.data[r].next)
			add_edge(o, o->reads.data[r].from, o->writes.data[i]);
	}
}

enum colour { WHITE, GREY, BLACK };

/* Put n, and before it all that must come before it, into the order. False: there is a cycle. */
static bool place(struct evr_sc_order *o, evr_event_id n, evr_rf_ids *order)
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
			evr_vec_push(order, at);
			o->stack.len--;
		} else if (o->colour.data[o->edges.data[edge].from] == GREY) {
			return false;
		} else {
			evr_vec_push(&o->stack, o->edges.data[edge].from);
		}
	}
	return true;
}

static void clear(struct evr_sc_order *o, const struct evr_rf *t, size_t total)
{
	size_t sources = total + t->at.len;
	o->edges.len = o->writes.len = o->reads.len = 0;
	evr_vec_reserve(&o->first, total);
	evr_vec_reserve(&o->colour, total);
	evr_vec_reserve(&o->readers, sources);
	for (size_t i = 0; i < total; i++) {
		o->first.data[i] = NONE;
		o->colour.data[i] = WHITE;
	}
	for (size_t i = 0; i < sources; i++)
		o->readers.data[i] = NONE;
}

/* Does a changed write come between a read-modify-write and its source? */
static bool splits(const struct evr_sc_order *o, const struct evr_rf *t, const struct evr_rf_change *c,
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

bool evr_sc_order_find(struct evr_sc_order *o, const struct evr_rf *t, struct evr_rf_change *c)
{
	size_t total = c->prefix + c->items.len;
	bool fine = true;
	clear(o, t, total);
	add_given(o, t, c, total);
	add_order(o, t, c, total);
	c->order.len = 0;
	for (evr_event_id n = 0; fine && n < total; n++)
		if (o->colour.data[n] == WHITE)
			fine = place(o, n, &c->order);
	c->early = !fine;
	for (size_t k = c->items.len - c->changed; !fine && k < c->items.len; k++)
		c->early &= !splits(o, t, c, &c->items.data[k]);
	return fine;
}
