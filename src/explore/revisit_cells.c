/*
 * Engine `revisit`: events that read several cells. Such an event has a read part for each cell, with a source of its own. An execution adds
 * them together; if one of them gets another source, the later ones are chosen anew, one after the other. Until then the event is one that reads fewer
 * cells, the first ones, and it is the last of its thread: nothing depends on it.
 */
#include "explore/revisit.h"

#define NONE EVR_NO_EVENT

uint32_t evr_revisit_place(const struct evr_revisit *s, evr_event_id id, uint32_t cell)
{
	return cell ? s->cell_places.data[s->f.s.t.events.data[id].sources + cell] : s->known.data[id].read;
}

evr_event_id evr_revisit_source(const struct evr_revisit *s, evr_event_id id, uint32_t cell)
{
	return evr_rf_source(&s->f.s.t.events.data[id], s->f.s.t.sources.data, cell);
}

void evr_revisit_get_sources(const struct evr_revisit *s, evr_event_id id, uint32_t n, struct evr_revisit_sources *from)
{
	EVR_ASSERT(n < EVR_REVISIT_CELLS);
	for (from->n = 0; from->n < n; from->n++) {
		from->of[from->n] = evr_revisit_source(s, id, from->n);
		from->places[from->n] = evr_revisit_place(s, id, from->n);
	}
}

void evr_revisit_add_source(struct evr_revisit_sources *from, evr_event_id source, uint32_t place)
{
	EVR_ASSERT(from->n < EVR_REVISIT_CELLS);
	from->of[from->n] = source;
	from->places[from->n++] = place;
}

/* ---- what it reads ---- */

/* A byte of what the event wrote. */
static evr_value byte_of(const struct evr_event *e, evr_value value, uintptr_t address)
{
	return value >> (8 * (address - e->address)) & 0xff;
}

evr_value evr_revisit_value(const struct evr_revisit *s, evr_event_id id, const struct evr_revisit_sources *from)
{
	const struct evr_rf *t = &s->f.s.t;
	const struct evr_revisit_event *k = &s->known.data[id];
	const struct evr_location *l = &t->locations.all.data[evr_revisit_location(s, id)];
	if (EVR_LIKELY(!l->mixed))
		return from->of[0] == NONE ? k->initial : s->known.data[from->of[0]].event.written;
	uint32_t first = t->events.data[id].cell, cell = 0;
	evr_value value = 0;
	for (uint32_t i = 0; i < l->size; i++) {
		uintptr_t address = l->address + i;
		while (cell + 1 < from->n && t->division.cells.data[first + cell + 1].address <= address)
			cell++;
		evr_event_id w = from->of[cell];
		evr_value byte = w == NONE ? byte_of(&k->event, k->initial, address)
					   : byte_of(&s->known.data[w].event, s->known.data[w].event.written, address);
		value |= byte << (8 * i);
	}
	return value;
}

evr_value evr_revisit_initial_value(const struct evr_revisit *s, evr_event_id id)
{
	const struct evr_rf *t = &s->f.s.t;
	evr_event_id none[EVR_REVISIT_CELLS];
	struct evr_rf_changed c = evr_rf_copy(t, id, EVR_RF_READS);
	EVR_ASSERT(c.event.cells <= EVR_REVISIT_CELLS);
	for (uint32_t i = 0; i < c.event.cells; i++)
		none[i] = NONE;
	c.event.source = NONE;
	c.event.sources = 0;
	c.sources = none;
	return evr_rf_value_from(t, &c, NULL, 0);
}

/* ---- with its write ---- */

bool evr_revisit_can_be_whole(struct evr_revisit *s, evr_event_id id, struct evr_revisit_sources *from)
{
	const struct evr_rf *t = &s->f.s.t;
	bool whole = from->n == evr_revisit_cells(s, id);
	struct evr_rf_changed changed = evr_revisit_changed(s, id, from, !whole);
	bool possible = evr_revisit_ask(s, &changed, 1);
	if (whole || !possible)
		return possible;
	uint32_t cell = t->events.data[id].cell + from->n;
	evr_event_id w = NONE, next = evr_rf_last(t, t->events.data[id].location);
	do {
		bool there = w == NONE || (s->keep.data[w] && evr_revisit_writes(t, w, cell));
		if (there) {
			evr_revisit_add_source(from, w, EVR_NEVER);
			possible = evr_revisit_can_be_whole(s, id, from);
			from->n--;
			if (possible)
				return true;
		}
		w = next;
		next = w == NONE ? NONE : t->events.data[w].older;
	} while (w != NONE);
	return false;
}

bool evr_revisit_divides_mutexes(const struct evr_revisit *s)
{
	const struct evr_rf *t = &s->f.s.t;
	for (evr_event_id i = s->f.s.extension; i < t->events.len; i++)
		if (t->events.data[i].cells > 1 && evr_kind_is_mutex(evr_rf_kind(t, i)))
			return true;
	return false;
}
