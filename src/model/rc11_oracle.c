/*
 * RC11's oracle (docs/engines/rf-rc11.md). Three parts:
 *
 *   happens-before  sync.h: clocks, by the orders that the events declare;
 *   coherence       coherence.h: what of the modification order of a location is forced. Only the location of the new events has to be looked at;
 *   SC              psc.h: only if there are seq_cst events, and the new events may have to do with them.
 *
 * Any order that respects program order and reads-from will do to run a trace, since reads get their values from their sources.
 *
 * Invariant: the events of a change that are not new are consistent, and nothing comes after the new ones.
 */
#include "model/oracle.h"
#include "model/psc.h"
#include "model/witness.h"

#include <stdlib.h>
#include <string.h>

#define NONE EVR_NO_EVENT
#ifndef EVR_RC11_FEW
#define EVR_RC11_FEW 48 /* so few seq_cst events are ordered at once */
#endif

struct rc11 {
	struct evr_oracle base;
	struct evr_sync sync;
	struct evr_coherence here; /* the location that is looked at */
	struct evr_psc psc;
	evr_rf_ids old, afters, sorted;
	EVR_VEC(struct found) found; /* of each location: what newest() has said */
	uint64_t witnessed; /* the execution for which it has said something of all locations at once */
	/* What is hidden from a read: of each thread, writes at places below these. */
	evr_event_id read;
	size_t events; /* how many there were */
	bool sees_write; /* the initial write is hidden */
	EVR_VEC(int32_t) hidden;
	struct evr_clocks hiding; /* of events: see follow_hiding() */
	size_t rows; /* how many there are */
	/* Is there an execution under sequential consistency? */
	struct evr_saturation s;
	struct evr_witness w;
	evr_event_id
		refuted; /* there is none of the first events of the trace, this one included; NONE: nothing is known */
	evr_rf_ids order;
};

struct found {
	uint64_t execution;
	evr_event_id newest;
};

static struct evr_oracle *create(const struct evr_rf *trace)
{
	struct rc11 *o = evr_alloc(sizeof(*o));
	o->base.ops = &evr_oracle_rc11;
	o->base.trace = trace;
	o->here.reads_count = true;
	o->read = o->refuted = NONE;
	evr_sync_init(&o->sync, trace);
	evr_saturation_init(&o->s, trace);
	evr_witness_init(&o->w, &o->s);
	return &o->base;
}

static void destroy(struct evr_oracle *base)
{
	struct rc11 *o = (struct rc11 *)base;
	evr_sync_release(&o->sync);
	evr_coherence_release(&o->here);
	evr_psc_release(&o->psc);
	evr_saturation_release(&o->s);
	evr_clocks_release(&o->hiding);
	evr_witness_release(&o->w);
	evr_vecs_release(&o->old, &o->afters, &o->sorted, &o->found, &o->hidden, &o->order);
	free(o);
}

static void rewind_to(struct evr_oracle *base, evr_event_id n)
{
	struct rc11 *o = (struct rc11 *)base;
	evr_sync_rewind(&o->sync, n);
	evr_coherence_forget(&o->here, n);
	evr_saturation_rewind(&o->s, n);
	o->read = NONE;
	if (o->rows > n)
		o->rows = n;
	if (o->refuted != NONE && o->refuted >= n)
		o->refuted = NONE;
}

/* The trace may have been rewound behind what is known, if nobody has asked since. */
static void follow(struct rc11 *o)
{
	o->sync.c11_release_sequences = o->base.trace->trace->c11_release_sequences;
	evr_sync_follow(&o->sync);
}

/* ---- a change ---- */

/* Where the event of that number is in `sync`: the new ones are behind those of the trace. */
static evr_event_id synced(const struct rc11 *o, const struct evr_rf_change *c, evr_event_id number)
{
	evr_event_id unchanged = c->prefix + (evr_event_id)c->items.len - c->changed;
	if (number < c->prefix || number == NONE)
		return number;
	if (number < unchanged)
		return c->from.data[number - c->prefix];
	return (evr_event_id)o->base.trace->events.len + number - unchanged;
}

static void push_new(struct rc11 *o, const struct evr_rf_change *c)
{
	for (size_t k = c->items.len - c->changed; k < c->items.len; k++) {
		struct evr_rf_event x = c->items.data[k];
		evr_vec_clear(&o->afters);
		for (uint32_t i = 0; i < x.afters; i++)
			evr_vec_push(&o->afters, synced(o, c, c->afters.data[x.after + i]));
		x.after = 0;
		evr_sync_push(&o->sync, &x, synced(o, c, x.source), o->afters.data);
	}
}

static bool enter(struct rc11 *o, evr_event_id number, const struct evr_rf_event *x, evr_event_id source,
		  evr_event_id at, bool sure)
{
	bool reads_write = x->flags & EVR_RF_READS && source != NONE;
	struct evr_member *m = evr_coherence_new(&o->here);
	m->number = number;
	m->thread = x->thread;
	m->flags = x->flags;
	m->place = evr_sync_place(x);
	m->past = evr_sync_row(&o->sync, o->sync.events.data[at].clock);
	m->source = reads_write ? o->here.member_of.data[source] : EVR_INITIAL;
	return evr_coherence_enter(&o->here, sure);
}

/* `old` is the events of a location that stay: the oldest first. */
static void enter_old(struct rc11 *o, const struct evr_rf_change *c, uint32_t location)
{
	const struct evr_rf *t = o->base.trace;
	evr_event_id prefix = c ? c->prefix : (evr_event_id)t->events.len;
	size_t known = evr_coherence_resume(&o->here, t, location, prefix);
	for (size_t k = o->old.len - known; k-- > 0;) {
		evr_event_id i = o->old.data[k];
		const struct evr_rf_event *x = &t->events.data[i];
		if (!enter(o, c ? evr_rf_number(c, i) : i, x,
			   c && x->source != NONE ? evr_rf_number(c, x->source) : x->source, i, true))
			evr_bug("an execution that was run cannot be");
		o->here.kept += i < prefix;
	}
}

/* Does it matter in which order seq_cst events come? One alone fits in wherever coherence holds. */
static bool is_sequential(const struct rc11 *o)
{
	return evr_sync_sequential(&o->sync) > 1;
}

/* Is one of the new events seq_cst, or behind a fence that is? */
static bool new_are_sequential(const struct rc11 *o, const struct evr_rf_change *c)
{
	const struct evr_rf *t = o->base.trace;
	for (size_t k = 0; k < c->changed; k++) {
		const int32_t *known = evr_sync_row(&o->sync, o->sync.events.data[t->events.len + k].clock);
		if (c->items.data[c->items.len - c->changed + k].order == EVR_SEQ_CST)
			return true;
		for (size_t i = 0; i < o->sync.sc_fences.len; i++) {
			const struct evr_rf_event *f = &t->events.data[o->sync.sc_fences.data[i]];
			if (known[f->thread] > evr_sync_place(f))
				return true;
		}
	}
	return false;
}

/* Are all accesses seq_cst? Then psc has all of program order, reads-from, modification order and from-reads. */
static bool all_are_sequential(const struct rc11 *o, const struct evr_rf_change *c)
{
	const struct evr_rf *t = o->base.trace;
	for (evr_event_id i = 0; i < c->prefix + c->items.len; i++) {
		const struct evr_rf_event *x = evr_rf_numbered(t, c, i);
		if (x->flags & (EVR_RF_READS | EVR_RF_WRITES) && x->order != EVR_SEQ_CST)
			return false;
	}
	return true;
}

/* Saturate the change, of whose prefix nothing may be known. False: there is no execution under sequential consistency. */
static bool saturate(struct rc11 *o, const struct evr_rf_change *c)
{
	const struct evr_rf *t = o->base.trace;
	bool fine = true;
	evr_saturation_widen(&o->s, t->clocks.width);
	evr_saturation_rewind(&o->s, c->prefix);
	while (fine && o->s.events.len < c->prefix) {
		evr_event_id i = (evr_event_id)o->s.events.len;
		fine = evr_saturation_push(&o->s, &t->events.data[i], t->afters.data, t->sources.data);
		if (!fine) {
			o->refuted = i;
			evr_saturation_rewind(&o->s, i);
		}
	}
	for (size_t i = 0; fine && i < c->items.len; i++)
		fine = evr_saturation_push(&o->s, &c->items.data[i], c->afters.data, c->sources.data);
	return fine;
}

/*
 * Has the change an execution under sequential consistency? Then psc is acyclic with the order of its writes, which is now `order`: every edge of psc leads
 * from an event to a later one. If there is none, and all accesses are seq_cst, psc has a cycle. That takes linear time, while psc has an edge for each pair
 * of its events.
 */
static enum evr_answer ask_sequential(struct rc11 *o, const struct evr_rf_change *c)
{
	if (evr_sync_sequential(&o->sync) <= EVR_RC11_FEW || (o->refuted != NONE && o->refuted < c->prefix))
		return EVR_UNCLEAR;
	enum evr_answer a = EVR_UNCLEAR;
	if (!saturate(o, c))
		a = all_are_sequential(o, c) ? EVR_NO : EVR_UNCLEAR;
	else if (evr_witness_follow(&o->w, c, &o->order))
		a = EVR_YES;
	evr_saturation_rewind(&o->s, c->prefix);
	return a;
}

/* The same of the trace, which can happen. */
static bool is_sequentially_consistent(struct rc11 *o)
{
	struct evr_rf_change whole = { .prefix = (evr_event_id)o->base.trace->events.len };
	return ask_sequential(o, &whole) == EVR_YES;
}

/* The graph of the change; NULL: of the trace. */
static void fill_psc(struct rc11 *o, const struct evr_rf_change *c)
{
	const struct evr_rf *t = o->base.trace;
	size_t total = c ? c->prefix + c->items.len : t->events.len;
	evr_psc_begin(&o->psc, &o->sync);
	for (evr_event_id i = 0; i < total; i++)
		evr_psc_add(&o->psc, c ? evr_rf_numbered(t, c, i) : &t->events.data[i],
			    &o->sync.events.data[c ? synced(o, c, i) : i]);
}

static bool is_coherent_with(struct rc11 *o, const struct evr_rf_change *c, const struct evr_rf_event *x)
{
	const struct evr_rf *t = o->base.trace;
	evr_event_id unchanged = c->prefix + (evr_event_id)c->items.len - c->changed;
	evr_event_id source = synced(o, c, x->source), new = (evr_event_id)t->events.len;
	bool fine = true;
	evr_oracle_find_old(t, c, x->location, &o->old);
	o->here.tightened = false;
	if (c->changed == 1 && x->flags & EVR_RF_READS) {
		const struct evr_sync_event *known = o->sync.events.data;
		const int32_t *past = evr_sync_row(&o->sync, known[new].clock);
		enum evr_answer a =
			evr_coherence_ask(t, &o->old, x, past, source,
					  source != NONE ? evr_sync_row(&o->sync, known[source].clock) : NULL, 2);
		if (a != EVR_UNCLEAR)
			return a == EVR_YES;
	}
	enter_old(o, c, x->location);
	for (unsigned k = 0; fine && k < c->changed; k++)
		fine = enter(o, unchanged + k, &x[k], x[k].source, new + k, false);
	return fine;
}

static bool consistent(struct evr_oracle *base, struct evr_rf_change *c)
{
	struct rc11 *o = (struct rc11 *)base;
	const struct evr_rf_event *x = &c->items.data[c->items.len - c->changed];
	bool fine = true, here = x->flags & (EVR_RF_READS | EVR_RF_WRITES) && x->cells;
	base->asked++;
	follow(o);
	push_new(o, c);
	if (here)
		fine = is_coherent_with(o, c, x);
	base->saturated += !fine;
	if (fine && is_sequential(o) && here && (o->here.tightened || new_are_sequential(o, c))) {
		enum evr_answer a = ask_sequential(o, c);
		fine = a == EVR_YES;
		base->guided += fine;
		base->saturated += a == EVR_NO;
		if (a == EVR_UNCLEAR) {
			fill_psc(o, c);
			fine = evr_psc_solve(&o->psc, NULL);
			base->decided++;
		}
	} else {
		base->inserted += fine;
	}
	evr_sync_rewind(&o->sync, (evr_event_id)base->trace->events.len);
	if (fine)
		evr_oracle_keep_order(c);
	return fine;
}

/* With a given modification order, only psc edges that begin or end at a new event are new. */
static bool consistent_in_order(struct evr_oracle *base, struct evr_rf_change *c)
{
	struct rc11 *o = (struct rc11 *)base;
	const struct evr_rf *t = base->trace;
	const struct evr_rf_event *x = &c->items.data[c->items.len - c->changed];
	bool fine = true, accesses = false;
	base->asked++;
	c->early = false;
	follow(o);
	push_new(o, c);
	for (unsigned k = 0; fine && k < c->changed; k++) {
		if (!(x[k].flags & (EVR_RF_READS | EVR_RF_WRITES)) || !x[k].cells)
			continue;
		accesses = true;
		evr_oracle_find_old(t, c, x[k].location, &o->old);
		fine = evr_oracle_fits(t, c, &o->old, k,
				       evr_sync_row(&o->sync, o->sync.events.data[t->events.len + k].clock), 2);
	}
	base->saturated += !fine;
	if (fine && accesses && is_sequential(o) && new_are_sequential(o, c)) {
		fill_psc(o, c);
		fine = evr_psc_holds(&o->psc);
		base->decided++;
	} else {
		base->inserted += fine;
	}
	evr_sync_rewind(&o->sync, (evr_event_id)t->events.len);
	if (fine)
		evr_oracle_keep_order(c);
	return fine;
}

/* ---- which writes are hidden ---- */

/* Each event has a row: what it, and the accesses of its thread to the location before it, hide. */
static void follow_hiding(struct rc11 *o)
{
	const struct evr_rf *t = o->base.trace;
	uint32_t width = t->clocks.width;
	if (o->hiding.width != width || o->hiding.rows < t->events.len)
		evr_clocks_resize(&o->hiding, width, 2 * t->events.len + 64, o->hiding.width == width ? o->rows : 0);
	for (; o->rows < t->events.len; o->rows++) {
		const struct evr_rf_event *x = &t->events.data[o->rows];
		int32_t *row = evr_clocks_at(&o->hiding, o->rows);
		evr_clock_clear(row, width);
		if (!(x->flags & (EVR_RF_READS | EVR_RF_WRITES)))
			continue;
		if (x->previous != NONE)
			evr_clock_copy(row, evr_clocks_at(&o->hiding, x->previous), width);
		evr_event_id seen = x->flags & EVR_RF_WRITES ? (evr_event_id)o->rows : x->source;
		if (seen == NONE)
			continue;
		/* It does not hide itself. */
		const struct evr_rf_event *z = &t->events.data[seen];
		int32_t before = row[z->thread], place = evr_sync_place(z);
		evr_clock_join(row, evr_sync_row(&o->sync, o->sync.events.data[seen].clock), width);
		row[z->thread] = before > place ? before : place;
	}
}

/* What have the accesses to the location seen that happen before r? Whatever happens before that is hidden. */
static void find_hidden(struct rc11 *o, evr_event_id r)
{
	const struct evr_rf *t = o->base.trace;
	const int32_t *known = evr_sync_row(&o->sync, o->sync.events.data[r].before);
	if (o->read == r && o->events == t->events.len)
		return;
	follow_hiding(o);
	o->read = r;
	o->events = t->events.len;
	evr_vec_reserve(&o->hidden, t->threads);
	memset(o->hidden.data, 0, t->threads * sizeof(*o->hidden.data));
	for (unsigned i = 0; i < t->threads; i++) {
		/* An event's place is twice its index and one. */
		evr_event_id last = evr_rf_access_before(t, t->events.data[r].location, i, (uint32_t)known[i] / 2);
		const int32_t *row = last == NONE ? NULL : evr_clocks_at(&o->hiding, last);
		for (unsigned k = 0; row && k < t->threads; k++)
			if (row[k] > o->hidden.data[k])
				o->hidden.data[k] = row[k];
	}
	o->sees_write = false;
	for (unsigned k = 0; k < t->threads; k++)
		o->sees_write |= o->hidden.data[k] > 0;
}

static bool may_read(struct evr_oracle *base, evr_event_id r, evr_event_id w, const int32_t *past, evr_event_id node)
{
	struct rc11 *o = (struct rc11 *)base;
	const struct evr_rf *t = base->trace;
	(void)past, (void)node;
	follow(o);
	find_hidden(o, r);
	if (w == NONE)
		return !o->sees_write;
	const struct evr_rf_event *z = &t->events.data[w];
	return o->hidden.data[z->thread] <= evr_sync_place(z);
}

/* A write comes before those that it happens before, and so does whatever it is read by and overwritten by at once. */
static bool is_overwritten(const struct evr_oracle *base, evr_event_id w, evr_event_id y)
{
	struct rc11 *o = (struct rc11 *)base;
	const struct evr_rf *t = base->trace;
	const struct evr_rf_event *x = &t->events.data[w];
	follow(o);
	while (y != NONE && y != w) {
		if (evr_sync_row(&o->sync, o->sync.events.data[y].clock)[x->thread] > evr_sync_place(x))
			return true;
		y = t->events.data[y].flags & EVR_RF_READS ? t->events.data[y].source : NONE;
		if (y == w)
			return true;
	}
	return false;
}

/* ---- a whole trace ---- */

static void note_newest(struct rc11 *o, uint32_t location, evr_event_id newest)
{
	while (o->found.len <= location)
		evr_vec_push(&o->found, (struct found){ 0, NONE });
	o->found.data[location] = (struct found){ o->base.trace->executions, newest };
}

/* A modification order for all locations: what is last in it can be read, by whoever likes, and stays last until it is overwritten. */
static void find_witness(struct rc11 *o)
{
	const struct evr_rf *t = o->base.trace;
	o->witnessed = t->executions;
	if (is_sequentially_consistent(o)) {
		for (uint32_t i = 0; i < t->at.len; i++)
			note_newest(o, i, NONE);
		for (size_t i = 0; i < o->order.len; i++)
			if (t->events.data[o->order.data[i]].flags & EVR_RF_WRITES)
				note_newest(o, t->events.data[o->order.data[i]].location, o->order.data[i]);
		return;
	}
	fill_psc(o, NULL);
	if (!evr_psc_solve(&o->psc, NULL))
		evr_bug("an execution that was run cannot be");
	for (uint32_t i = 0; i < o->psc.location_of.len; i++) {
		if (o->psc.location_of.data[i] == NONE)
			continue;
		evr_psc_sorted(&o->psc, o->psc.location_of.data[i], &o->sorted);
		note_newest(o, i, o->sorted.len ? evr_vec_last(&o->sorted) : NONE);
	}
}

static evr_event_id newest(struct evr_oracle *base, uint32_t location)
{
	struct rc11 *o = (struct rc11 *)base;
	const struct evr_rf *t = base->trace;
	follow(o);
	if (is_sequential(o) && o->witnessed != t->executions)
		find_witness(o);
	if (location >= o->found.len || o->found.data[location].execution != t->executions) {
		evr_oracle_find_old(t, NULL, location, &o->old);
		enter_old(o, NULL, location);
		note_newest(o, location, evr_coherence_newest(&o->here));
	}
	return o->found.data[location].newest;
}

/* The writes to each location in the order of the sequential execution that was found. */
static void place_writes(struct rc11 *o, struct evr_trace *trace)
{
	const struct evr_rf *t = o->base.trace;
	EVR_VEC(evr_rf_ids) writes = { 0 };
	for (uint32_t i = 0; i < t->at.len; i++)
		evr_vec_push(&writes, (evr_rf_ids){ 0 });
	for (size_t i = 0; i < o->order.len; i++) {
		const struct evr_rf_event *x = &t->events.data[o->order.data[i]];
		if (x->flags & EVR_RF_WRITES)
			evr_vec_push(&writes.data[x->location], o->order.data[i]);
	}
	for (size_t i = 0; i < writes.len; i++) {
		evr_oracle_place(t, &writes.data[i], trace);
		evr_vec_release(&writes.data[i]);
	}
	evr_vec_release(&writes);
}

static void complete(struct evr_oracle *base, struct evr_trace *trace, const evr_rf_ids *wanted)
{
	struct rc11 *o = (struct rc11 *)base;
	const struct evr_rf *t = base->trace;
	follow(o);
	if (is_sequential(o) && !wanted->len && is_sequentially_consistent(o)) {
		place_writes(o, trace);
		return;
	}
	if (is_sequential(o)) {
		fill_psc(o, NULL);
		if (!evr_psc_solve(&o->psc, wanted))
			evr_bug("an execution that was run cannot be");
	}
	for (uint32_t i = 0; i < t->at.len; i++) {
		if (t->at.data[i].last == NONE || t->locations.all.data[i].component != i)
			continue;
		evr_vec_clear(&o->sorted);
		if (is_sequential(o)) {
			evr_psc_sorted(&o->psc, o->psc.location_of.data[i], &o->sorted);
		} else {
			evr_oracle_find_old(t, NULL, i, &o->old);
			enter_old(o, NULL, i);
			evr_coherence_sort(&o->here, wanted, &o->sorted);
		}
		evr_oracle_place(t, &o->sorted, trace);
	}
}

/* Is the location coherent, whose events nobody knows to be? */
static bool is_coherent(struct rc11 *o, uint32_t location)
{
	const struct evr_rf *t = o->base.trace;
	evr_oracle_find_old(t, NULL, location, &o->old);
	evr_coherence_begin(&o->here, t->threads);
	for (size_t k = o->old.len; k-- > 0;) {
		evr_event_id i = o->old.data[k];
		if (!enter(o, i, &t->events.data[i], t->events.data[i].source, i, false))
			return false;
	}
	return true;
}

static bool possible(struct evr_oracle *base)
{
	struct rc11 *o = (struct rc11 *)base;
	const struct evr_rf *t = base->trace;
	follow(o);
	for (uint32_t i = 0; i < t->at.len; i++)
		if (t->at.data[i].last != NONE && t->locations.all.data[i].component == i && !is_coherent(o, i))
			return false;
	if (!is_sequential(o))
		return true;
	fill_psc(o, NULL);
	return evr_psc_solve(&o->psc, NULL);
}

const struct evr_oracle_ops evr_oracle_rc11 = {
	.create = create,
	.destroy = destroy,
	.rewind = rewind_to,
	.consistent = consistent,
	.consistent_in_order = consistent_in_order,
	.may_read = may_read,
	.is_overwritten = is_overwritten,
	.newest = newest,
	.complete = complete,
	.possible = possible,
};
