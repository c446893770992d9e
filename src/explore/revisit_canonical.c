/*
 * Engine `revisit`: what is canonical? What goes in a revisit must be what an execution that knows nothing of the write would have added, so that each
 * graph follows from one other graph. docs/engines/revisit.md tells the story.
 *
 * Invariant: an answer depends on the graph, on the order in which its events were added, and on a fixed order of all sources. What is known of an
 * event beforehand (`canon`) only saves questions.
 */
#include "explore/revisit.h"

#include <string.h>

#define NONE EVR_NO_EVENT

void evr_revisit_keep_all(struct evr_revisit *s)
{
	size_t n = s->f.s.t.events.len;
	evr_vec_reserve(&s->keep, n);
	s->keep.len = n;
	if (n)
		memset(s->keep.data, true, n);
	s->gone = (evr_event_id)n;
}

/* Of a thread, later events were added later. */
void evr_revisit_keep_before(struct evr_revisit *s, uint32_t place, evr_event_id w)
{
	const struct evr_rf *t = &s->f.s.t;
	const int32_t *past = w == NONE ? NULL : evr_rf_past(t, w);
	evr_revisit_keep_all(s);
	for (unsigned i = 0; i < t->threads; i++) {
		const evr_rf_ids *mine = &t->of_thread[i];
		size_t stay = past ? (size_t)past[i] : 0;
		for (size_t n = mine->len; n > stay && evr_revisit_added(&s->known.data[mine->data[n - 1]]) >= place;
		     n--)
			evr_revisit_drop(s, mine->data[n - 1]);
	}
}

static void find_turned(struct evr_revisit *s)
{
	evr_vec_clear(&s->turned);
	s->turned_known = true;
	for (evr_event_id i = 0; i < s->known.len; i++)
		if (EVR_UNLIKELY(s->known.data[i].turned))
			evr_vec_push(&s->turned, i);
}

/* Does everything that is kept have its source? Only what was added before its source can lose it. */
static bool is_closed(const struct evr_revisit *s)
{
	const struct evr_rf *t = &s->f.s.t;
	for (size_t n = 0; n < s->turned.len; n++) {
		evr_event_id i = s->turned.data[n];
		for (uint32_t c = 0; s->keep.data[i] && c < t->events.data[i].cells; c++) {
			evr_event_id source = evr_revisit_source(s, i, c);
			if (source != NONE && !s->keep.data[source])
				return false;
		}
	}
	return true;
}

/* ---- what is canonical ---- */

bool evr_revisit_prefers(const struct evr_rf *t, evr_event_id a, evr_event_id b)
{
	if (a == NONE || b == NONE)
		return b != NONE;
	const struct evr_rf_event *x = &t->events.data[a], *y = &t->events.data[b];
	return x->thread != y->thread ? x->thread < y->thread : x->index < y->index;
}

bool evr_revisit_may_read(struct evr_revisit *s, evr_event_id r, evr_event_id w)
{
	return evr_revisit_cells(s, r) > 1 || evr_revisit_waits(s, r) || evr_rf_may_read(&s->f.s, r, w);
}

static void find_candidates(struct evr_revisit *s, evr_event_id d, uint32_t cell)
{
	const struct evr_rf *t = &s->f.s.t;
	uint32_t first_cell = evr_revisit_cell(s, d);
	evr_rf_ids *all = &s->candidates;
	evr_vec_clear(all);
	if (evr_revisit_may_read(s, d, NONE))
		evr_vec_push(all, NONE);
	size_t first = all->len;
	for (evr_event_id i = evr_rf_last(t, evr_revisit_location(s, d)); i != NONE; i = t->events.data[i].older) {
		if (!s->keep.data[i] || !evr_revisit_writes(t, i, first_cell + cell) || !evr_revisit_may_read(s, d, i))
			continue;
		evr_vec_push(all, i);
		for (size_t k = all->len - 1; k > first && evr_revisit_prefers(t, all->data[k], all->data[k - 1]);
		     k--) {
			evr_event_id later = all->data[k - 1];
			all->data[k - 1] = all->data[k];
			all->data[k] = later;
		}
	}
}

/* The last of the events that program order puts before d, in the order of the execution: what comes behind it may come before d, too. -1: there is none. */
static int64_t rank_before(const struct evr_rf *t, evr_event_id d)
{
	const struct evr_rf_event *x = &t->events.data[d];
	int64_t last = x->index ? (int64_t)t->rank.data[t->of_thread[x->thread].data[x->index - 1]] : -1;
	for (uint32_t i = 0; i < x->afters; i++) {
		int64_t rank = t->rank.data[t->afters.data[x->after + i]];
		last = rank > last ? rank : last;
	}
	return last;
}

/*
 * What is kept is part of an execution: can d, which reads and on which nothing of that depends, be put into it where it finds that source? Then it is possible to
 * add it; else somebody has to be asked. Where memory is what the last step has left there, that is: before the next write.
 */
static bool fits_into_execution(const struct evr_revisit *s, evr_event_id d, evr_event_id source)
{
	const struct evr_rf *t = &s->f.s.t;
	const struct evr_rf_event *x = &t->events.data[d];
	if (t->names_sources || t->buffers_stores || x->kind != EVR_READ || x->cells != 1)
		return false;
	int64_t written = source == NONE ? -1 : (int64_t)t->rank.data[source], before = rank_before(t, d);
	for (evr_event_id i = evr_rf_last(t, x->location); i != NONE; i = t->events.data[i].older) {
		int64_t rank = t->rank.data[i];
		if (rank > written && rank <= before && i != d && s->keep.data[i] &&
		    t->events.data[i].flags & EVR_RF_WRITES && evr_rf_covers(&t->events.data[i], x->cell))
			return false;
	}
	return true;
}

/*
 * Is it possible to add d's part for that cell, with that source, to what is kept? A read-modify-write counts with its write, which needs sources for all cells;
 * `mere`: without.
 */
static bool can_be_added(struct evr_revisit *s, evr_event_id d, uint32_t cell, evr_event_id source, bool mere)
{
	const struct evr_event *e = &s->known.data[d].event;
	struct evr_revisit_sources from;
	if (fits_into_execution(s, d, source))
		return true;
	evr_revisit_get_sources(s, d, cell, &from);
	evr_revisit_add_source(&from, source, EVR_NEVER);
	if (!mere && (e->kind == EVR_FAULT ? e->attempted : e->kind) != EVR_READ)
		return evr_revisit_can_be_whole(s, d, &from);
	struct evr_rf_changed changed = evr_revisit_changed(s, d, &from, true);
	return evr_revisit_ask(s, &changed, 1);
}

/* Does d's thread surely go on if it has that source? */
static bool is_fruitful(const struct evr_revisit *s, evr_event_id d, evr_event_id source)
{
	return evr_revisit_futility(s, d, source) == EVR_REVISIT_FRUITFUL;
}

enum answer { NO, YES, ASK };

/*
 * The same as is_canonical(), without asking, as far as that goes. There is more than there was when d was added: what w needs and came later. That
 * can make sources impossible, or, if it writes, possible; what was not preferred then is not now, and what was impossible then still is. `newcomers` has it.
 */
static enum answer know_canonical(const struct evr_revisit *s, evr_event_id d, evr_event_id w)
{
	const struct evr_rf *t = &s->f.s.t;
	const struct evr_rf_event *x = &t->events.data[d];
	const struct evr_revisit_event *k = &s->known.data[d];
	if (x->kind == EVR_CHOOSE)
		return x->variant == 0 ? YES : NO;
	if (evr_revisit_waits(s, d))
		return ASK;
	if (evr_revisit_is_lock(s, d) || x->location == EVR_NO_LOCATION)
		return YES;
	if (x->cells > 1 || (k->canon == x->source && !k->exact) || !is_fruitful(s, d, k->canon))
		return ASK;
	bool more = t->events.data[w].flags & EVR_RF_READS;
	for (size_t n = 0; n < s->newcomers.len; n++) {
		evr_event_id i = s->newcomers.data[n];
		if (evr_revisit_added(&s->known.data[i]) <= k->read)
			continue;
		more = true;
		if (evr_revisit_writes(t, i, x->cell) && evr_revisit_prefers(t, i, k->canon))
			return ASK;
	}
	return k->canon == x->source ? YES : more ? ASK : NO;
}

/* Is d's read part for that cell what would have been added, w's past being there, and what w reads, but not its write? */
static bool is_canonical(struct evr_revisit *s, evr_event_id d, uint32_t cell, evr_event_id w, evr_event_id *unknown)
{
	const struct evr_rf *t = &s->f.s.t;
	const struct evr_rf_event *x = &t->events.data[d];
	const struct evr_revisit_event *k = &s->known.data[d];
	evr_revisit_keep_before(s, evr_revisit_place(s, d, cell), w);
	evr_revisit_drop(s, d);
	if (t->events.data[w].flags & EVR_RF_READS)
		s->keep.data[w] = true;
	else
		evr_revisit_drop(s, w);
	if (!is_closed(s))
		return false;
	evr_event_id source = evr_revisit_source(s, d, cell);
	/* Most often the answer is no, because of a source that is known. */
	if (x->cells == 1 && k->canon != source && evr_revisit_prefers(t, k->canon, source) &&
	    is_fruitful(s, d, k->canon) && can_be_added(s, d, cell, k->canon, false))
		return false;
	find_candidates(s, d, cell);
	for (size_t i = 0; i < s->candidates.len; i++) {
		enum evr_revisit_futility f = evr_revisit_futility(s, d, s->candidates.data[i]);
		if (f == EVR_REVISIT_FUTILE || !can_be_added(s, d, cell, s->candidates.data[i], false))
			continue;
		if (f == EVR_REVISIT_UNKNOWN) {
			*unknown = s->candidates.data[i];
			s->f.probing = true;
			return false;
		}
		return s->candidates.data[i] == source && !evr_revisit_waits(s, d);
	}
	if (evr_revisit_waits(s, d))
		return true;
	/* Of several cells, one may have been read by somebody who will go: the write has to wait. */
	for (size_t i = 0; evr_revisit_cells(s, d) > 1 && i < s->candidates.len; i++)
		if (can_be_added(s, d, cell, s->candidates.data[i], true))
			return s->candidates.data[i] == source;
	return false;
}

/* ---- what may go ---- */

/* As long as others are looked at, w's write is not there. */
static void set_write(struct evr_revisit *s, evr_event_id w, bool there)
{
	struct evr_rf_search *f = &s->f.s;
	uint8_t *flags = &f->t.events.data[w].flags;
	f->oracle->ops->rewind(f->oracle, w);
	*flags = (uint8_t)(there ? *flags | EVR_RF_WRITES : *flags & ~EVR_RF_WRITES);
}

/* Someone who goes, if that is what would have been added: false, and it is over. What has to be asked about is in `doubtful`, in the order of the events. */
static bool consider(struct evr_revisit *s, evr_event_id i, evr_event_id w)
{
	enum answer a = s->known.data[i].read == EVR_NEVER ? YES : know_canonical(s, i, w);
	evr_rf_ids *all = &s->doubtful;
	if (a != ASK)
		return a == YES;
	evr_vec_push(all, i);
	for (size_t k = all->len - 1; k > 0 && all->data[k - 1] > i; k--) {
		all->data[k] = all->data[k - 1];
		all->data[k - 1] = i;
	}
	return true;
}

/* Are those canonical that have to be asked about? */
static bool ask_canonical(struct evr_revisit *s, evr_event_id r, uint32_t cell, evr_event_id w)
{
	bool writes = s->f.s.t.events.data[w].flags & EVR_RF_WRITES, fine = true;
	size_t asked = 0;
	evr_event_id unknown = NONE;
	if (!s->doubtful.len)
		return true;
	set_write(s, w, false);
	while (asked < s->doubtful.len && fine) {
		evr_event_id i = s->doubtful.data[asked++];
		for (uint32_t c = i == r ? cell : 0; c < evr_revisit_cells(s, i) && fine; c++)
			fine = is_canonical(s, i, c, w, &unknown);
	}
	set_write(s, w, writes);
	if (EVR_UNLIKELY(s->f.probing) && !s->merging)
		evr_revisit_probe(s, s->doubtful.data[asked - 1], unknown);
	return fine;
}

/* What was added behind r's part and comes before w. */
static void find_newcomers(struct evr_revisit *s, uint32_t from, evr_event_id w)
{
	const struct evr_rf *t = &s->f.s.t;
	const int32_t *past = evr_rf_past(t, w);
	evr_vec_clear(&s->newcomers);
	for (unsigned i = 0; i < t->threads; i++) {
		const evr_event_id *mine = t->of_thread[i].data;
		for (int32_t n = past[i] - (i == t->events.data[w].thread);
		     n > 0 && evr_revisit_added(&s->known.data[mine[n - 1]]) > from; n--)
			evr_vec_push(&s->newcomers, mine[n - 1]);
	}
}

/* May all go that was added from r's part on, before w, and that w does not need? */
static bool may_goers_go(struct evr_revisit *s, evr_event_id r, uint32_t from, evr_event_id w)
{
	const struct evr_rf *t = &s->f.s.t;
	const int32_t *past = evr_rf_past(t, w);
	uint32_t end = s->known.data[w].write;
	for (unsigned i = 0; i < t->threads; i++) {
		const evr_rf_ids *mine = &t->of_thread[i];
		for (int32_t n = (int32_t)mine->len; n > past[i]; n--) {
			evr_event_id id = mine->data[n - 1];
			const struct evr_revisit_event *k = &s->known.data[id];
			uint32_t added = evr_revisit_added(k);
			if (added < from)
				break;
			if (id == r || added >= end)
				continue;
			if (k->final || !(s->f.s.ordered ? evr_revisit_is_maximal(s, id, w) : consider(s, id, w)))
				return false;
		}
	}
	return true;
}

/* Has everything its source that was added before r's part, or that w needs? */
static bool is_rest_closed(struct evr_revisit *s, evr_event_id r, uint32_t from, evr_event_id w)
{
	if (!s->turned_known)
		find_turned(s);
	if (EVR_LIKELY(!s->turned.len))
		return true;
	evr_revisit_keep_before(s, from, w);
	evr_revisit_drop(s, r);
	s->keep.data[w] = true;
	return is_closed(s);
}

bool evr_revisit_may_go(struct evr_revisit *s, evr_event_id r, uint32_t cell, evr_event_id w)
{
	uint32_t from = evr_revisit_place(s, r, cell);
	if (s->f.s.ordered)
		return evr_revisit_is_maximal(s, r, w) && may_goers_go(s, r, from, w) && is_rest_closed(s, r, from, w);
	evr_vec_clear(&s->doubtful);
	find_newcomers(s, from, w);
	return consider(s, r, w) && may_goers_go(s, r, from, w) && is_rest_closed(s, r, from, w) &&
	       ask_canonical(s, r, cell, w);
}
