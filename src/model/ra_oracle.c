/*
 * Release-acquire's oracle (paper 000, its saturated semantics; with read-modify-writes).
 *
 * Happens-before is program order and reads-from. The writes to a location are in coherence order, of which only what must be
 * is found out (model/coherence.h). A trace can happen if that is possible for each location. Any order that respects
 * happens-before will do to run it, since reads get their values from their sources.
 *
 * The events of a change that are not new are consistent, and nothing comes after the new ones: only the location of the
 * new ones has to be looked at.
 *
 * Invariant: the events of a trace are numbered in an order that respects happens-before.
 */
#include "model/coherence.h"
#include "model/oracle.h"

#include <stdlib.h>

#define NONE EVR_NO_EVENT

struct ra {
	struct evr_oracle base;
	struct evr_coherence here; /* the location that is looked at */
	evr_rf_ids old;
	struct evr_clocks pasts; /* of the events that are new, which are at most two */
	EVR_VEC(struct found) found; /* of each location: what newest() has said */
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
	evr_vecs_release(&o->found, &o->old);
	evr_coherence_release(&o->here);
	evr_clocks_release(&o->pasts);
	free(o);
}

static void rewind_to(struct evr_oracle *base, evr_event_id n)
{
	evr_coherence_forget(&((struct ra *)base)->here, n);
}

/* ---- a change ---- */

static bool enter(struct ra *o, evr_event_id number, const struct evr_rf_event *x, evr_event_id source,
		  const int32_t *past, bool sure)
{
	bool reads_write = x->flags & EVR_RF_READS && source != NONE;
	struct evr_member *m = evr_coherence_new(&o->here);
	m->number = number;
	m->thread = x->thread;
	m->flags = x->flags;
	m->place = (int32_t)x->index;
	m->past = past;
	m->source = reads_write ? o->here.member_of.data[source] : EVR_INITIAL;
	return evr_coherence_enter(&o->here, sure);
}

/* `old` is the events of a location that stay: the oldest first. */
static void enter_old(struct ra *o, const struct evr_rf_change *c, uint32_t location)
{
	const struct evr_rf *t = o->base.trace;
	evr_event_id prefix = c ? c->prefix : (evr_event_id)t->events.len;
	size_t known = evr_coherence_resume(&o->here, t, location, prefix);
	for (size_t k = o->old.len - known; k-- > 0;) {
		evr_event_id i = o->old.data[k];
		const struct evr_rf_event *x = &t->events.data[i];
		if (!enter(o, c ? evr_rf_number(c, i) : i, x,
			   c && x->source != NONE ? evr_rf_number(c, x->source) : x->source, evr_rf_past(t, i), true))
			evr_bug("an execution that was run cannot be");
		o->here.kept += i < prefix;
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

static bool is_coherent_with(struct ra *o, const struct evr_rf_change *c, const struct evr_rf_event *x)
{
	const struct evr_rf *t = o->base.trace;
	evr_event_id unchanged = c->prefix + (evr_event_id)c->items.len - c->changed;
	bool fine = true;
	evr_oracle_find_old(t, c, x->location, &o->old);
	if (c->changed == 1 && x->flags & EVR_RF_READS) {
		evr_event_id source =
			x->source == NONE || x->source < c->prefix ? x->source : c->from.data[x->source - c->prefix];
		enum evr_answer a = evr_coherence_ask(t, &o->old, x, new_past(o, c, 0), source,
						      source != NONE ? evr_rf_past(t, source) : NULL, 1);
		if (a != EVR_UNCLEAR)
			return a == EVR_YES;
	}
	enter_old(o, c, x->location);
	for (unsigned k = 0; fine && k < c->changed; k++)
		fine = enter(o, unchanged + k, &x[k], x[k].source, new_past(o, c, k), false);
	return fine;
}

static bool consistent(struct evr_oracle *base, struct evr_rf_change *c)
{
	struct ra *o = (struct ra *)base;
	const struct evr_rf_event *x = &c->items.data[c->items.len - c->changed];
	bool here = x->flags & (EVR_RF_READS | EVR_RF_WRITES) && x->cells;
	bool fine = !here || is_coherent_with(o, c, x);
	base->asked++;
	if (fine)
		evr_oracle_keep_order(c);
	base->saturated += !fine;
	base->inserted += fine;
	return fine;
}

static bool consistent_in_order(struct evr_oracle *base, struct evr_rf_change *c)
{
	struct ra *o = (struct ra *)base;
	const struct evr_rf_event *x = &c->items.data[c->items.len - c->changed];
	bool fine = true;
	base->asked++;
	c->early = false;
	for (unsigned k = 0; fine && k < c->changed; k++) {
		if (!(x[k].flags & (EVR_RF_READS | EVR_RF_WRITES)) || !x[k].cells)
			continue;
		const int32_t *past = new_past(o, c, k);
		evr_oracle_find_old(base->trace, c, x[k].location, &o->old);
		fine = evr_oracle_fits(base->trace, c, &o->old, k, past, 1);
	}
	if (fine)
		evr_oracle_keep_order(c);
	base->saturated += !fine;
	base->inserted += fine;
	return fine;
}

/* ---- a whole trace ---- */

static evr_event_id newest(struct evr_oracle *base, uint32_t location)
{
	struct ra *o = (struct ra *)base;
	while (o->found.len <= location)
		evr_vec_push(&o->found, (struct found){ 0, NONE });
	struct found *f = &o->found.data[location];
	/* Once it has been read as the newest, it stays so. */
	if (f->execution != base->trace->executions) {
		evr_oracle_find_old(base->trace, NULL, location, &o->old);
		enter_old(o, NULL, location);
		*f = (struct found){ base->trace->executions, evr_coherence_newest(&o->here) };
	}
	return f->newest;
}

static void complete(struct evr_oracle *base, struct evr_trace *trace, const evr_rf_ids *wanted)
{
	struct ra *o = (struct ra *)base;
	const struct evr_rf *t = base->trace;
	evr_rf_ids sorted = { 0 };
	for (uint32_t i = 0; i < t->at.len; i++) {
		if (t->locations.all.data[i].component != i || t->at.data[i].last == NONE)
			continue;
		evr_vec_clear(&sorted);
		evr_oracle_find_old(t, NULL, i, &o->old);
		enter_old(o, NULL, i);
		evr_coherence_sort(&o->here, wanted, &sorted);
		evr_oracle_place(t, &sorted, trace);
	}
	evr_vec_release(&sorted);
}

const struct evr_oracle_ops evr_oracle_ra = {
	.create = create,
	.destroy = destroy,
	.rewind = rewind_to,
	.consistent = consistent,
	.consistent_in_order = consistent_in_order,
	.newest = newest,
	.complete = complete,
};
