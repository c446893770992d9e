/*
 * What would an event read, and write, if it had other sources? Values are those of the last execution: a write that stays what it is
 * writes what it wrote, and what memory held initially is what the first access to it found there.
 */
#include "explore/rf_search.h"

#define NONE EVR_NO_EVENT

/* When, in the order of the execution, did the event find the cell in memory? NONE: it found it in its thread's buffer. */
static evr_event_id when_found(const struct evr_rf *t, evr_event_id id, uint32_t cell)
{
	const struct evr_rf_event *x = &t->events.data[id];
	if (x->flags & EVR_RF_BUFFERED)
		return t->effect.data[id];
	evr_event_id rank = t->rank.data[id], source = NONE;
	if (t->buffers_stores && x->flags & EVR_RF_READS)
		source = evr_rf_source(x, t->sources.data, cell - x->cell);
	bool forwarded =
		source != NONE && t->events.data[source].flags & EVR_RF_BUFFERED && t->effect.data[source] > rank;
	return forwarded ? NONE : rank;
}

/* `size` bytes of what the event reads or writes, from that address on. */
static evr_value part_of(const struct evr_event *e, evr_value all, uintptr_t address, uint32_t size)
{
	evr_value part = all >> (8 * (address - e->address));
	return size < sizeof(part) ? part & (((evr_value)1 << 8 * size) - 1) : part;
}

/*
 * What `size` bytes of the location, in that cell, hold before anybody writes to them: what the first one there found. Whoever accesses the first of
 * these accesses all.
 */
static evr_value initial_part(const struct evr_rf *t, uint32_t location, uint32_t cell, uintptr_t address,
			      uint32_t size)
{
	evr_event_id first = NONE, when = NONE;
	for (evr_event_id i = evr_rf_last(t, location); i != NONE; i = t->events.data[i].older) {
		if (EVR_UNLIKELY(t->events.data[i].flags & EVR_RF_UNEXECUTED))
			continue;
		const struct evr_event *e = evr_rf_executed(t, i);
		if (address - e->address < e->size && when_found(t, i, cell) < when) {
			when = when_found(t, i, cell);
			first = i;
		}
	}
	/* Only an event that was not executed accesses it: it is as it was. */
	if (first == NONE)
		return evr_memory_load(address, size);
	const struct evr_event *e = &t->trace->events.data[t->position.data[when]];
	/* Where sources are named, writes do not change what is there. */
	if (t->names_sources && !(t->events.data[first].flags & EVR_RF_READS && t->events.data[first].source == NONE))
		return evr_memory_load(address, size);
	return part_of(e, e->read, address, size);
}

evr_value evr_rf_value_from(const struct evr_rf *t, const struct evr_rf_changed *c, const struct evr_event *item,
			    evr_value before)
{
	const struct evr_location *l = &t->locations.all.data[c->event.location];
	evr_value value = 0;
	bool one = c->event.cells < 2 && l->size <= sizeof(value);
	if (EVR_LIKELY(one && !l->mixed && c->event.source == NONE))
		return initial_part(t, c->event.location, c->event.cell, l->address, l->size);
	/* A source that writes its only cell writes all of it. */
	if (EVR_LIKELY(one && c->event.source < EVR_RF_ITEM_BEFORE)) {
		const struct evr_event *e = evr_rf_executed(t, c->event.source);
		return part_of(e, e->written, l->address, l->size);
	}
	for (uint32_t i = 0, cell = 0; i < l->size; i++) {
		uintptr_t address = l->address + i;
		while (cell + 1 < c->event.cells && t->division.cells.data[c->event.cell + cell + 1].address <= address)
			cell++;
		evr_event_id source = evr_rf_source(&c->event, c->sources, cell);
		uint8_t byte;
		if (source == NONE) {
			byte = (uint8_t)initial_part(t, c->event.location, c->event.cell + cell, address, 1);
		} else {
			const struct evr_event *e = source == EVR_RF_ITEM_BEFORE ? item : evr_rf_executed(t, source);
			EVR_ASSERT(e);
			evr_value written = source == EVR_RF_ITEM_BEFORE ? before : e->written;
			byte = (uint8_t)part_of(e, written, address, 1);
		}
		value |= (evr_value)byte << (8 * i);
	}
	return value;
}

bool evr_rf_would_write(const struct evr_rf *t, const struct evr_rf_changed *c)
{
	const struct evr_rf_event *w = c->event.source == NONE ? NULL : &t->events.data[c->event.source];
	switch (c->event.kind) {
	case EVR_READ:
		return false;
	case EVR_CAS:
		return evr_rf_value_from(t, c, NULL, 0) == evr_rf_executed(t, c->id)->expected;
	case EVR_LOCK:
	case EVR_TRYLOCK:
	case EVR_TIMEDLOCK:
	case EVR_MUTEX_DESTROY:
		return !w || (!w->depth && w->kind != EVR_MUTEX_DESTROY);
	default:
		return true;
	}
}

evr_value evr_rf_value_if(const struct evr_rf *t, const struct evr_rf_changed *c)
{
	const struct evr_event *e = evr_rf_executed(t, c->id);
	if (e->kind != EVR_RMW)
		return e->written;
	return evr_rmw_result(e->op, evr_rf_value_from(t, c, NULL, 0), e->operand, e->size);
}

bool evr_rf_would_write_after(const struct evr_rf *t, const struct evr_rf_changed *c, const struct evr_rf_changed *w)
{
	if (c->event.kind != EVR_CAS)
		return c->event.kind == EVR_RMW || c->event.kind == EVR_FENCE;
	return evr_rf_value_from(t, c, evr_rf_executed(t, w->id), evr_rf_value_if(t, w)) ==
	       evr_rf_executed(t, c->id)->expected;
}

void evr_rf_set_writes(const struct evr_rf *t, struct evr_rf_changed *c, bool writes)
{
	c->event.flags |= writes ? EVR_RF_READS | EVR_RF_WRITES : EVR_RF_READS;
	/* Of most kinds the order is the same in any case. One that is yet to come is a lock, and has its order. */
	if (c->event.kind != EVR_READ && c->event.kind != EVR_RMW && c->id != NONE)
		c->event.order = (uint8_t)evr_event_order_if(evr_rf_executed(t, c->id), writes);
}
