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

#include <stdlib.h>

#define NONE EVR_NO_EVENT

struct rc11 {
	struct evr_oracle base;
	struct evr_sync sync;
	struct evr_coherence here; /* the location that is looked at */
	struct evr_psc psc;
	evr_rf_ids old, afters, sorted;
	EVR_VEC(struct found) found; /* of each location: what newest() has said */
	uint64_t witnessed; /* the execution for which it has said something of all locations at once */
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
	evr_sync_init(&o->sync, trace);
	return &o->base;
}

static void destroy(struct evr_oracle *base)
{
	struct rc11 *o = (struct rc11 *)base;
	evr_sync_release(&o->sync);
	evr_coherence_release(&o->here);
	evr_psc_release(&o->psc);
	evr_vecs_release(&o->old, &o->afters, &o->sorted, &o->found);
	free(o);
}

static void rewind_to(struct evr_oracle *base, evr_event_id n)
{
	struct rc11 *o = (struct rc11 *)base;
	evr_sync_rewind(&o->sync, n);
	evr_coherence_forget(&o->here, n);
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
	struct evr_member m = {
		.number = number,
		.thread = x->thread,
		.flags = x->flags,
		.place = evr_sync_place(x),
		.past = evr_sync_row(&o->sync, o->sync.events.data[at].clock),
		.source = x->flags & EVR_RF_READS && source != NONE ? o->here.member_of.data[source] : EVR_INITIAL,
	};
	return evr_coherence_enter(&o->here, &m, sure);
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
		fill_psc(o, c);
		fine = evr_psc_solve(&o->psc, NULL);
		base->decided++;
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

/* The last write or read of the location, of each thread, that happens before r: has it seen something behind w? */
static bool may_read(struct evr_oracle *base, evr_event_id r, evr_event_id w, const int32_t *past, evr_event_id node)
{
	struct rc11 *o = (struct rc11 *)base;
	const struct evr_rf *t = base->trace;
	(void)past, (void)node;
	follow(o);
	const struct evr_rf_event *x = &t->events.data[r];
	const int32_t *known = evr_sync_row(&o->sync, o->sync.events.data[r].before);
	for (evr_event_id i = evr_rf_last(t, x->location); i != NONE; i = t->events.data[i].older) {
		const struct evr_rf_event *y = &t->events.data[i];
		if (known[y->thread] <= evr_sync_place(y) || !(y->flags & (EVR_RF_READS | EVR_RF_WRITES)))
			continue;
		evr_event_id seen = y->flags & EVR_RF_WRITES ? i : y->source;
		if (seen == w || seen == NONE)
			continue;
		const struct evr_rf_event *z = w == NONE ? NULL : &t->events.data[w];
		if (!z || evr_sync_row(&o->sync, o->sync.events.data[seen].clock)[z->thread] > evr_sync_place(z))
			return false;
	}
	return true;
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
	fill_psc(o, NULL);
	if (!evr_psc_solve(&o->psc, NULL))
		evr_bug("an execution that was run cannot be");
	o->witnessed = t->executions;
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

static void complete(struct evr_oracle *base, struct evr_trace *trace, const evr_rf_ids *wanted)
{
	struct rc11 *o = (struct rc11 *)base;
	const struct evr_rf *t = base->trace;
	follow(o);
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
