/*
 * Sequential consistency's oracle (paper 003, section 5). Four phases, of which the first that knows the answer gives it:
 *
 *   inserted   the last execution without what is left out is one still; the changed events fit in where nothing is in
 *              their way;
 *   saturated  P-I, saturation: a cycle means that there is no execution;
 *   guided     P-II, a witness: take the events as the last execution did, and let those wait whose turn has not come;
 *   decided    P-III, the decision procedure: if that got stuck, search among the positions that the threads can reach.
 */
#include "model/effects.h"
#include "model/insertion.h"
#include "model/witness.h"

#include <stdlib.h>

#define NONE EVR_NO_EVENT

struct sc {
	struct evr_oracle base;
	struct evr_saturation s;
	struct evr_witness w;
	struct evr_effects effects;
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
	evr_effects_release(&o->effects);
	free(o);
}

static void rewind_to(struct evr_oracle *base, evr_event_id n)
{
	evr_saturation_rewind(&((struct sc *)base)->s, n);
}

/* ---- the answer ---- */

static bool saturate(struct sc *o, const struct evr_rf_change *c)
{
	const struct evr_rf *t = o->base.trace;
	evr_saturation_widen(&o->s, t->clocks.width);
	evr_saturation_rewind(&o->s, c->prefix);
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
	bool fine = false;
	base->asked++;
	if (evr_oracle_insert(base->trace, c)) {
		base->inserted++;
		return true;
	}
	if (saturate(o, c))
		fine = evr_witness_find(&o->w, base, c, &c->order);
	else
		base->saturated++;
	evr_saturation_rewind(&o->s, c->prefix);
	return fine;
}

static bool consistent_in_order(struct evr_oracle *base, struct evr_rf_change *c)
{
	bool fine = evr_effects_order(&((struct sc *)base)->effects, base->trace, c);
	base->asked++;
	base->saturated += !fine;
	base->inserted += fine;
	return fine;
}

const struct evr_oracle_ops evr_oracle_sc = {
	.create = create,
	.destroy = destroy,
	.rewind = rewind_to,
	.consistent = consistent,
	.consistent_in_order = consistent_in_order,
};
