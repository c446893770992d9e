/*
 * Coherence and atomicity with a given modification order, for the oracles of models whose steps name sources.
 *
 * A new event has nothing behind it in happens-before but new events. So coherence is about what happens before it: whatever that has written or read at
 * the location must not come later in the order than what the new event reads, and must come earlier than what it writes. Atomicity: a
 * read-modify-write comes right behind its source.
 */
#include "model/oracle.h"

#define NONE EVR_NO_EVENT

/* An access to the location, with its place in the order. */
struct access {
	const struct evr_rf_event *event;
	uint32_t source; /* if it reads */
};

static uint32_t mo_in_trace(const struct evr_rf *t, evr_event_id w)
{
	return w == NONE ? 0 : t->events.data[w].mo;
}

static struct access changed_access(const struct evr_rf *t, const struct evr_rf_change *c, unsigned k)
{
	const struct evr_rf_event *x = &c->items.data[c->items.len - c->changed + k];
	return (struct access){ x, x->source == NONE ? 0 : evr_rf_numbered(t, c, x->source)->mo };
}

static bool is_update(const struct evr_rf_event *x)
{
	return (x->flags & (EVR_RF_READS | EVR_RF_WRITES)) == (EVR_RF_READS | EVR_RF_WRITES);
}

/* y is in the past of x. */
static bool is_coherent(const struct access *y, const struct access *x)
{
	uint32_t seen = y->event->flags & EVR_RF_WRITES ? y->event->mo : y->source;
	if (x->event->flags & EVR_RF_READS)
		return seen <= x->source;
	return !(x->event->flags & EVR_RF_WRITES) || seen < x->event->mo;
}

/* Does x write between y and y's source? */
static bool splits(const struct access *x, const struct access *y)
{
	return is_update(y->event) && x->event->flags & EVR_RF_WRITES && y->source < x->event->mo &&
	       x->event->mo < y->event->mo;
}

static bool fits(struct evr_rf_change *c, const struct access *x, const struct access *y, const int32_t *past,
		 int32_t scale)
{
	bool before = past[y->event->thread] >= scale * ((int32_t)y->event->index + 1);
	c->early = before && !is_coherent(y, x);
	return !c->early && !splits(x, y) && !splits(y, x);
}

bool evr_oracle_fits(const struct evr_rf *t, struct evr_rf_change *c, const evr_rf_ids *old, unsigned k,
		     const int32_t *past, int32_t scale)
{
	struct access x = changed_access(t, c, k);
	for (size_t i = 0; i < old->len; i++) {
		const struct evr_rf_event *e = &t->events.data[old->data[i]];
		struct access y = { e, mo_in_trace(t, e->source) };
		if (!fits(c, &x, &y, past, scale))
			return false;
	}
	for (unsigned i = 0; i < k; i++) {
		struct access y = changed_access(t, c, i);
		if (y.event->location == x.event->location && !fits(c, &x, &y, past, scale))
			return false;
	}
	return true;
}
