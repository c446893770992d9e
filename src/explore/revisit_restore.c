/*
 * Engine `revisit`: a branch that was given as text has been run. What the text does not say is known now, and the graph becomes what it was where it came from.
 *
 * Invariant: afterwards, events have the numbers of the text. Those that are not in it come behind.
 */
#include "explore/revisit.h"

#define NONE EVR_NO_EVENT

bool evr_revisit_is_as_told(const struct evr_revisit *s)
{
	const struct evr_rf *t = &s->f.s.t;
	size_t told = s->f.script.len;
	if (t->events.len < told || (s->told.is_frame && t->events.len > told))
		return false;
	for (evr_event_id i = 0; i < told; i++) {
		const struct evr_rf_told *x = &s->f.script.data[i];
		const struct evr_rf_event *y = &t->events.data[i];
		uint32_t cells = y->flags & EVR_RF_READS && y->cells > 1 ? y->cells : 1;
		if (y->thread != x->thread || y->kind != x->kind || cells != x->cells)
			return false;
	}
	return true;
}

void evr_revisit_recall_places(struct evr_revisit *s, evr_event_id id, struct evr_revisit_event *k)
{
	const struct evr_revisit_told_event *y = &s->told.events.data[s->numbers.data[id]];
	k->read = y->read;
	k->write = y->write;
	k->final = y->final;
	k->exact = y->exact;
	if (y->has_canon)
		k->canon = y->canon == NONE ? NONE : s->told.events.data[y->canon].number;
	for (uint32_t c = 0; y->cells && c <= y->cells; c++)
		evr_vec_push(&s->cell_places, c ? s->told.cells.data[y->cell + c - 1] : k->read);
}

static void renumber(evr_rf_ids *ids, const evr_event_id *numbers)
{
	for (size_t i = 0; i < ids->len; i++) {
		evr_event_id id = evr_rf_event_of(ids->data[i]);
		if (ids->data[i] != NONE)
			ids->data[i] = numbers[id] | (ids->data[i] & EVR_RF_UPDATE);
	}
}

/* Events, and what is known of them, in the order of their numbers in the text; what they share lies in that order, too. */
static void sort(struct evr_revisit_events *r, const evr_event_id *came_as)
{
	EVR_VEC(struct evr_rf_event) events = { 0 };
	EVR_VEC(struct evr_revisit_event) known = { 0 };
	evr_rf_ids sources = { 0 }, places = { 0 };
	for (size_t i = 0; i < r->events.len; i++) {
		evr_event_id from = came_as[i];
		struct evr_rf_event x = r->events.data[from];
		uint32_t cells = x.cells > 1 && x.flags & EVR_RF_READS ? x.cells : 0, first = (uint32_t)sources.len;
		for (uint32_t c = 0; c < cells; c++) {
			evr_vec_push(&sources, r->sources.data[x.sources + c]);
			evr_vec_push(&places, r->cell_places.data[x.sources + c]);
		}
		x.sources = first;
		evr_vec_push(&events, x);
		evr_vec_push(&known, r->known.data[from]);
	}
	if (events.len) {
		memcpy(r->events.data, events.data, events.len * sizeof(*events.data));
		memcpy(r->known.data, known.data, known.len * sizeof(*known.data));
	}
	if (sources.len) {
		memcpy(r->sources.data, sources.data, sources.len * sizeof(*sources.data));
		memcpy(r->cell_places.data, places.data, places.len * sizeof(*places.data));
	}
	evr_vecs_release(&events, &known, &sources, &places);
}

/* Those that wait came behind all others, in the order of the text; what is not in the text comes behind what is. */
static void number_events(struct evr_revisit *s, size_t all, evr_rf_ids *came_as)
{
	size_t told = s->told.events.len;
	evr_event_id waiting = (evr_event_id)(all - s->f.held.len);
	evr_vec_reserve(&s->numbers, all);
	for (size_t i = 0; i < all; i++)
		s->numbers.data[i] = NONE;
	for (size_t i = 0; i < told; i++) {
		const struct evr_revisit_told_event *x = &s->told.events.data[i];
		evr_vec_push(came_as, x->waits ? waiting++ : x->number);
		s->numbers.data[came_as->data[i]] = (evr_event_id)i;
	}
	for (evr_event_id i = 0; i < all; i++)
		if (s->numbers.data[i] == NONE) {
			s->numbers.data[i] = (evr_event_id)came_as->len;
			evr_vec_push(came_as, i);
		}
}

void evr_revisit_restore_numbers(struct evr_revisit *s, struct evr_revisit_frame *r)
{
	evr_rf_ids came_as = { 0 };
	if (!s->told.events.len)
		return;
	number_events(s, r->own.events.len, &came_as);
	const evr_event_id *numbers = s->numbers.data;
	struct evr_revisit_events *own = &r->own;
	sort(own, came_as.data);
	evr_vec_release(&came_as);
	for (size_t i = 0; i < own->events.len; i++) {
		evr_event_id *source = &own->events.data[i].source, *canon = &own->known.data[i].canon;
		if (*source != NONE)
			*source = numbers[*source];
		if (*canon != NONE)
			*canon = numbers[*canon];
	}
	for (size_t i = 0; i < r->mo.len; i++)
		r->mo.data[i] = own->events.data[i].mo;
	renumber(&own->afters, numbers);
	renumber(&own->sources, numbers);
	renumber(&r->order, numbers);
	renumber(&r->waiting, numbers);
	if (s->told.is_frame) {
		r->part = s->told.part;
		r->begun = s->told.begun;
		r->other = s->told.other;
		r->cell = s->told.cell;
		r->merged_read = s->told.merged_read;
		r->merged_write = s->told.merged_write;
	}
	s->shared = 0;
	s->loaded = false;
}
