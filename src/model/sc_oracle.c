/*
 * Sequential consistency's oracle (paper 003, section 5). Four phases, of which the first that knows the answer gives it:
 *
 *   inserted   the last execution without what is left out is one still; the changed events fit in where nothing is in
 *              their way;
 *   saturated  P-I, saturation: a cycle means that there is no execution;
 *   guided     P-II, a witness: take the events as the last execution did, and let those wait whose turn has not come;
 *   decided    P-III, the decision procedure: if that got stuck, search among the positions that the threads can reach.
 */
#include "model/oracle.h"
#include "model/witness.h"

#include <stdlib.h>

#define NONE EVR_NO_EVENT

struct sc {
	struct evr_oracle base;
	struct evr_saturation s;
	struct evr_witness w;
};

static struct evr_oracle *create(const struct evr_rf *trace)
{
	struct sc *o = evr_alloc(sizeof(*o));
	o->base.ops = &evr_oracle_sc;
	o->base.trace = trace;
	evr_saturation_init(&o->s, trace);
	evr_witness_init(&o->w, &o->s);
	return &o->base;
}

static void destroy(struct evr_oracle *base)
{
	struct sc *o = (struct sc *)base;
	evr_saturation_release(&o->s);
	evr_witness_release(&o->w);
	free(o);
}

static void cut(struct evr_oracle *base, evr_event_id n)
{
	evr_saturation_cut(&((struct sc *)base)->s, n);
}

/* ---- insertion ---- */

/* When the last execution made the event of that number; it is not a changed one. */
static evr_event_id rank_of(const struct evr_rf *t, const struct evr_rf_change *c, evr_event_id number)
{
	return t->rank.data[number < c->prefix ? number : c->from.data[number - c->prefix]];
}

static bool all_before(const struct evr_rf *t, const struct evr_rf_change *c, const struct evr_rf_event *x,
		       evr_event_id rank)
{
	if (x->index && t->rank.data[t->of_thread[x->thread].data[x->index - 1]] >= rank)
		return false;
	for (uint32_t i = 0; i < x->afters; i++)
		if (rank_of(t, c, c->afters.data[x->after + i]) >= rank)
			return false;
	return true;
}

/* The next write after that time to the event's cell, among the events that stay; its rank, or NONE. */
static evr_event_id next_write(const struct evr_rf *t, const struct evr_rf_change *c, const struct evr_rf_event *x,
			       int64_t rank)
{
	evr_event_id next = NONE, unchanged = c->prefix + (evr_event_id)c->items.len - c->changed;
	for (evr_event_id i = evr_rf_last(t, x->location); i != NONE; i = t->events.data[i].older) {
		const struct evr_rf_event *y = &t->events.data[i];
		if (y->flags & EVR_RF_WRITES && t->rank.data[i] > rank && t->rank.data[i] < next &&
		    evr_rf_covers(y, x->cell) && evr_rf_number(c, i) < unchanged)
			next = t->rank.data[i];
	}
	return next;
}

/*
 * Leaving out events that nobody who stays reads from does no harm. The changed events come right before the next write to
 * their location, if whatever must be before them is.
 */
static bool insert(const struct evr_rf *t, struct evr_rf_change *c)
{
	evr_event_id before = NONE;
	/* Where memory is freed there is more that can be in the way. */
	if (t->frees.len || !c->changed)
		return false;
	const struct evr_rf_event *x = &c->items.data[c->items.len - c->changed];
	for (unsigned i = 0; i < c->changed; i++)
		if (x[i].cells > 1)
			return false;
	if (x->cells) {
		before = next_write(t, c, x, x->source == NONE ? -1 : (int64_t)rank_of(t, c, x->source));
		if (before != NONE) {
			const struct evr_rf_event *w = &t->events.data[t->order.data[before]];
			/* That would overwrite what the next one reads. */
			if (x->flags & EVR_RF_WRITES && w->flags & EVR_RF_READS &&
			    evr_rf_number(c, evr_rf_source(w, t->sources.data, x->cell - w->cell)) == x->source)
				return false;
			for (unsigned i = 0; i < c->changed; i++)
				if (!all_before(t, c, &x[i], before))
					return false;
		}
	}
	evr_event_id total = c->prefix + (evr_event_id)c->items.len, unchanged = total - c->changed;
	evr_vec_reserve(&c->order, total);
	c->order.len = 0;
	for (size_t k = 0; k < t->order.len; k++) {
		for (evr_event_id i = unchanged; k == before && i < total; i++)
			c->order.data[c->order.len++] = i;
		evr_event_id number = evr_rf_number(c, t->order.data[k]);
		if (number < unchanged)
			c->order.data[c->order.len++] = number;
	}
	for (evr_event_id i = unchanged; before == NONE && i < total; i++)
		c->order.data[c->order.len++] = i;
	EVR_ASSERT(c->order.len == total);
	return true;
}

/* ---- the answer ---- */

static void find_guide(struct sc *o, const struct evr_rf_change *c)
{
	const struct evr_rf *t = o->base.trace;
	evr_vec_clear(&o->w.guide);
	for (size_t k = 0; k < t->order.len; k++) {
		evr_event_id number = evr_rf_number(c, t->order.data[k]);
		if (number != NONE)
			evr_vec_push(&o->w.guide, number);
	}
	for (size_t i = 0; i < c->items.len; i++)
		if (c->from.data[i] == NONE)
			evr_vec_push(&o->w.guide, (evr_event_id)(c->prefix + i));
}

static bool saturate(struct sc *o, const struct evr_rf_change *c)
{
	const struct evr_rf *t = o->base.trace;
	evr_saturation_widen(&o->s, t->stride);
	evr_saturation_cut(&o->s, c->prefix);
	while (o->s.events.len < c->prefix) {
		const struct evr_rf_event *x = &t->events.data[o->s.events.len];
		if (!evr_saturation_push(&o->s, x, t->afters.data, t->sources.data))
			evr_bug("an execution that was run cannot be");
	}
	for (size_t i = 0; i < c->items.len; i++) {
		const struct evr_rf_event *x = &c->items.data[i];
		if (!evr_saturation_push(&o->s, x, c->afters.data, c->sources.data))
			return false;
	}
	return true;
}

static bool consistent(struct evr_oracle *base, struct evr_rf_change *c)
{
	struct sc *o = (struct sc *)base;
	bool fine = true;
	base->asked++;
	if (insert(base->trace, c)) {
		base->inserted++;
		return true;
	}
	if (!saturate(o, c)) {
		base->saturated++;
		fine = false;
	} else {
		find_guide(o, c);
		if (evr_witness_follow(&o->w, &c->order)) {
			base->guided++;
		} else {
			base->decided++;
			fine = evr_witness_decide(&o->w, &c->order);
		}
	}
	evr_saturation_cut(&o->s, c->prefix);
	return fine;
}

const struct evr_oracle_ops evr_oracle_sc = {
	.create = create,
	.destroy = destroy,
	.cut = cut,
	.consistent = consistent,
	.mixed = true,
	.causal = true,
};
