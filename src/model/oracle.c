/* What the oracles of models share whose steps name sources: an order to run events in is any that respects program order and reads-from. */
#include "model/oracle.h"

#define NONE EVR_NO_EVENT

void evr_oracle_find_old(const struct evr_rf *t, const struct evr_rf_change *c, uint32_t location, evr_rf_ids *old)
{
	evr_event_id unchanged = c ? c->prefix + (evr_event_id)c->items.len - c->changed : NONE;
	evr_vec_clear(old);
	for (evr_event_id i = evr_rf_last(t, location); i != NONE; i = t->events.data[i].older) {
		evr_event_id number = c ? evr_rf_number(c, i) : i;
		if (number < unchanged && t->events.data[i].flags & (EVR_RF_READS | EVR_RF_WRITES))
			evr_vec_push(old, i);
	}
}

void evr_oracle_keep_order(struct evr_rf_change *c)
{
	size_t total = c->prefix + c->items.len;
	evr_vec_reserve(&c->order, total);
	c->order.len = 0;
	for (evr_event_id i = 0; i < total; i++)
		c->order.data[c->order.len++] = i;
}

void evr_oracle_place(const struct evr_rf *t, const evr_rf_ids *sorted, struct evr_trace *trace)
{
	evr_rf_ids smaller = {
		0
	}; /* ranks that grow: each is the last of those before it in the order that is smaller than the next one */
	for (size_t i = 0; i < sorted->len; i++) {
		evr_event_id rank = t->rank.data[sorted->data[i]];
		while (smaller.len && evr_vec_last(&smaller) >= rank)
			smaller.len--;
		struct evr_event *e = &trace->events.data[t->position.data[rank]];
		if (e->kind == EVR_WRITE)
			e->predecessor = smaller.len ? t->position.data[evr_vec_last(&smaller)] : NONE;
		evr_vec_push(&smaller, rank);
	}
	evr_vec_release(&smaller);
}
