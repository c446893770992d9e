/*
 * Engine `revisit`: graphs. Invariant: `known` has an entry for each event of the trace; the events that are kept contain, with an event, all that comes
 * before it in program order and reads-from.
 */
#include "explore/revisit.h"

#define NONE EVR_NO_EVENT

/* ---- events that are not as they were ---- */

bool evr_revisit_would_write(const struct evr_revisit *s, evr_event_id id, const struct evr_revisit_sources *from)
{
	const struct evr_event *e = &s->known.data[id].event;
	const struct evr_rf_event *w = from->of[0] == NONE ? NULL : &s->f.s.t.events.data[from->of[0]];
	switch (e->kind == EVR_FAULT ? e->attempted : e->kind) {
	case EVR_READ:
	case EVR_CHOOSE:
		return false;
	case EVR_CAS:
		return evr_revisit_value(s, id, from) == e->expected;
	case EVR_LOCK:
	case EVR_TRYLOCK:
	case EVR_TIMEDLOCK:
	case EVR_MUTEX_DESTROY:
		return !w || (!w->depth && w->kind != EVR_MUTEX_DESTROY);
	default:
		return true;
	}
}

struct evr_rf_changed evr_revisit_changed(const struct evr_revisit *s, evr_event_id id,
					  const struct evr_revisit_sources *from, bool mere)
{
	const struct evr_rf *t = &s->f.s.t;
	const struct evr_event *e = &s->known.data[id].event;
	/* Without its write it still has the order that it has with it: what was known of the read part must stay true. */
	bool would = evr_revisit_would_write(s, id, from), writes = would && !mere;
	struct evr_rf_changed c = evr_rf_copy(t, id, (uint8_t)(EVR_RF_READS | (writes ? EVR_RF_WRITES : 0)));
	c.event.kind = e->kind == EVR_FAULT ? e->attempted : e->kind;
	if (EVR_UNLIKELY(e->kind == EVR_FAULT))
		c.event.flags |= evr_rf_nature(t, e);
	if (EVR_UNLIKELY(evr_revisit_waits(s, id))) {
		c.event.location = evr_revisit_location(s, id);
		c.event.cell = evr_revisit_cell(s, id);
	}
	c.event.source = from->of[0];
	c.event.sources = 0;
	c.sources = from->of;
	if (c.event.location != EVR_NO_LOCATION)
		c.event.cells = from->n;
	c.event.order = (uint8_t)evr_event_order_if(e, would);
	return c;
}

/* ---- asking ---- */

bool evr_revisit_ask(struct evr_revisit *s, const struct evr_rf_changed *changed, unsigned n)
{
	struct evr_rf_search *f = &s->f.s;
	struct evr_rf *t = &f->t;
	struct evr_rf_change *c = &f->change;
	evr_event_id node = s->gone, end = (evr_event_id)t->events.len;
	while (node < end && s->keep.data[node])
		node++;
	evr_rf_begin_change(f, node, end, n);
	for (evr_event_id i = node; i < end; i++) {
		if (!s->keep.data[i])
			continue;
		struct evr_rf_changed same =
			evr_rf_copy(t, i, t->events.data[i].flags & (EVR_RF_READS | EVR_RF_WRITES | EVR_RF_UNEXECUTED));
		evr_rf_add_item(f, &same);
	}
	for (unsigned i = 0; i < n; i++)
		evr_rf_add_item(f, &changed[i]);
	return f->ordered ? f->oracle->ops->consistent_in_order(f->oracle, c)
			  : f->oracle->ops->consistent(f->oracle, c);
}

bool evr_revisit_ask_anew(struct evr_revisit *s, struct evr_rf_changed *changed, unsigned n)
{
	return (!s->f.s.ordered || evr_revisit_place_changed(s, changed, n)) && evr_revisit_ask(s, changed, n);
}

void evr_revisit_set_order(struct evr_rf *t, const evr_rf_ids *order)
{
	evr_vec_reserve(&t->order, order->len);
	evr_vec_reserve(&t->rank, t->events.len);
	evr_vec_reserve(&t->effect, t->events.len);
	for (size_t k = 0; k < order->len; k++) {
		evr_event_id e = evr_rf_event_of(order->data[k]);
		t->order.data[k] = order->data[k];
		(evr_rf_is_update(order->data[k]) ? &t->effect : &t->rank)->data[e] = (evr_event_id)k;
	}
	t->order.len = order->len;
}

/* The places of the sources of the change's items. */
static void move_places(struct evr_revisit *s, const struct evr_revisit_sources *last)
{
	const struct evr_rf_change *c = &s->f.s.change;
	evr_vec_clear(&s->moved_places);
	for (size_t k = 0; k < c->items.len; k++) {
		uint32_t cells = evr_revisit_pooled(&c->items.data[k]);
		bool new = last &&k + 1 == c->items.len;
		for (uint32_t i = 0; i < cells; i++)
			evr_vec_push(&s->moved_places,
				     new ? last->places[i] : evr_revisit_place(s, c->from.data[k], i));
	}
}

void evr_revisit_note_turned(struct evr_revisit *s, evr_event_id id)
{
	const struct evr_rf *t = &s->f.s.t;
	const struct evr_rf_event *x = &t->events.data[id];
	struct evr_revisit_event *k = &s->known.data[id];
	uint32_t cells = evr_revisit_pooled(x);
	k->turned = x->source != NONE && evr_revisit_added(&s->known.data[x->source]) > evr_revisit_added(k);
	for (uint32_t i = 1; i < cells; i++) {
		evr_event_id source = t->sources.data[x->sources + i];
		k->turned |= source != NONE && evr_revisit_added(&s->known.data[source]) > evr_revisit_added(k);
	}
}

void evr_revisit_take(struct evr_revisit *s, const struct evr_revisit_event *known, unsigned n,
		      const struct evr_revisit_sources *last)
{
	struct evr_rf_search *f = &s->f.s;
	struct evr_rf *t = &f->t;
	const struct evr_rf_change *c = &f->change;
	size_t unchanged = c->items.len - n;
	evr_vec_clear(&s->moved);
	for (size_t k = 0; k < c->items.len; k++) {
		struct evr_revisit_event x = k < unchanged ? s->known.data[c->from.data[k]] : known[k - unchanged];
		if (s->since < (x.read != EVR_NEVER ? x.read : x.write)) {
			x.canon = c->items.data[k].source;
			x.exact = false;
		} else if (x.canon != NONE) {
			x.canon = evr_rf_number(c, x.canon);
		}
		evr_vec_push(&s->moved, x);
	}
	s->since = EVR_NEVER;
	move_places(s, last);
	evr_rf_rewind(t, c->prefix);
	f->oracle->ops->rewind(f->oracle, c->prefix);
	s->known.len = c->prefix;
	s->cell_places.len = t->sources.len;
	for (size_t k = 0; k < c->items.len; k++) {
		evr_rf_append(t, &c->items.data[k], c->afters.data, c->sources.data);
		evr_vec_push(&s->known, s->moved.data[k]);
		if (k >= unchanged)
			evr_revisit_note_turned(s, c->prefix + (evr_event_id)k);
	}
	for (size_t i = 0; i < s->moved_places.len; i++)
		evr_vec_push(&s->cell_places, s->moved_places.data[i]);
	f->block = c->prefix;
	f->extension = (evr_event_id)t->events.len;
	evr_revisit_set_order(t, &c->order);
	f->hiding_from = NONE;
	s->shared = c->prefix < s->shared ? c->prefix : s->shared;
	s->loaded = s->turned_known = false;
}
