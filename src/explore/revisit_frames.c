/*
 * Engine `revisit`: the stack of frames. A graph has most events in common with the one that it follows from, so a frame has only those that the frame below it
 * does not have: memory is linear in what the frames differ in.
 *
 * Invariants: the lowest frame's `from` is 0. Of a frame above it, the events before `from` have in the frame below the same numbers, the same sources, and the
 * same is known of them; `below` is the nearest frame with a smaller `from`.
 */
#include "explore/revisit.h"

#include <string.h>

#define NONE EVR_NO_EVENT

/* Of the one, what it has from that place on. */
#define COPY_FROM(to, of, first) \
	do { \
		size_t n = (of)->len - (first); \
		evr_vec_reserve((to), n); \
		if (n) \
			memcpy((to)->data, (of)->data + (first), n * sizeof(*(to)->data)); \
		(to)->len = n; \
	} while (0)

static void release_events(struct evr_revisit_events *e)
{
	evr_vecs_release(&e->events, &e->known, &e->afters, &e->sources, &e->cell_places);
}

void evr_revisit_release_frames(struct evr_revisit *s)
{
	for (size_t i = 0; i < s->frames.len; i++) {
		struct evr_revisit_frame *r = &s->frames.data[i];
		release_events(&r->own);
		evr_vecs_release(&r->mo, &r->waiters, &r->order, &r->waiting);
	}
	release_events(&s->whole);
	evr_vecs_release(&s->frames, &s->segments);
}

/* The nearest frame below that has events before that one itself. */
static size_t find_below(const struct evr_revisit *s, size_t frame, evr_event_id from)
{
	if (!from)
		return 0;
	for (frame--; s->frames.data[frame].from >= from;)
		frame = s->frames.data[frame].below;
	return frame;
}

struct evr_revisit_frame *evr_revisit_push(struct evr_revisit *s)
{
	const struct evr_rf *t = &s->f.s.t;
	if (s->depth == s->frames.len)
		evr_vec_push(&s->frames, (struct evr_revisit_frame){ 0 });
	size_t number = s->depth++;
	struct evr_revisit_frame *r = &s->frames.data[number];
	struct evr_revisit_events *own = &r->own;
	r->from = number ? s->shared : 0;
	r->below = find_below(s, number, r->from);
	bool some = r->from < t->events.len;
	own->first_after = some ? t->events.data[r->from].after : (uint32_t)t->afters.len;
	own->first_source = some ? t->events.data[r->from].sources : (uint32_t)t->sources.len;
	COPY_FROM(&own->events, &t->events, r->from);
	COPY_FROM(&own->known, &s->known, r->from);
	COPY_FROM(&own->afters, &t->afters, own->first_after);
	COPY_FROM(&own->sources, &t->sources, own->first_source);
	COPY_FROM(&own->cell_places, &s->cell_places, own->first_source);
	COPY_FROM(&r->order, &t->order, 0);
	r->mo.len = 0;
	for (evr_event_id i = 0; s->f.s.ordered && i < t->events.len; i++)
		evr_vec_push(&r->mo, t->events.data[i].mo);
	r->waiters.len = r->waiting.len = 0;
	r->new = s->new;
	r->places = s->places;
	r->virtual = NONE;
	r->part = 0;
	r->begun = false;
	r->merged_read = r->merged_write = NONE;
	s->parts.len = 0;
	s->shared = (evr_event_id)t->events.len;
	s->turned_known = false;
	s->loaded = true;
	return r;
}

void evr_revisit_pop(struct evr_revisit *s)
{
	const struct evr_revisit_frame *r = &s->frames.data[--s->depth];
	s->shared = r->from < s->shared ? r->from : s->shared;
	s->loaded = false;
}

/* ---- what a frame shares ---- */

/* Who has the frame's events from that one on: into `segments`, the last ones first. */
static void find_segments(struct evr_revisit *s, size_t frame, evr_event_id from)
{
	const struct evr_revisit_frame *r = &s->frames.data[frame];
	evr_event_id end = r->from + (evr_event_id)r->own.events.len;
	evr_vec_clear(&s->segments);
	while (end > from) {
		r = &s->frames.data[frame];
		evr_event_id first = r->from > from ? r->from : from;
		if (first < end)
			evr_vec_push(&s->segments, (struct evr_revisit_segment){ frame, first, end });
		end = first < end ? first : end;
		frame = r->below;
	}
}

/* The frame's events from that one on: into `whole`. */
static void gather(struct evr_revisit *s, size_t frame, evr_event_id from)
{
	struct evr_revisit_events *to = &s->whole;
	to->events.len = to->known.len = to->afters.len = to->sources.len = to->cell_places.len = 0;
	to->first_after = to->first_source = 0;
	find_segments(s, frame, from);
	for (size_t n = s->segments.len; n-- > 0;) {
		const struct evr_revisit_segment *g = &s->segments.data[n];
		const struct evr_revisit_frame *r = &s->frames.data[g->frame];
		for (evr_event_id i = g->from; i < g->end; i++) {
			struct evr_rf_event x = r->own.events.data[i - r->from];
			uint32_t after = x.after - r->own.first_after, source = x.sources - r->own.first_source;
			x.after = (uint32_t)to->afters.len;
			x.sources = (uint32_t)to->sources.len;
			for (uint32_t k = 0; k < x.afters; k++)
				evr_vec_push(&to->afters, r->own.afters.data[after + k]);
			for (uint32_t k = 0; k < evr_revisit_pooled(&x); k++) {
				evr_vec_push(&to->sources, r->own.sources.data[source + k]);
				evr_vec_push(&to->cell_places, r->own.cell_places.data[source + k]);
			}
			evr_vec_push(&to->events, x);
			evr_vec_push(&to->known, r->own.known.data[i - r->from]);
		}
	}
}

const struct evr_revisit_events *evr_revisit_whole(struct evr_revisit *s, size_t frame)
{
	const struct evr_revisit_frame *r = &s->frames.data[frame];
	gather(s, frame, 0);
	for (size_t i = 0; i < r->mo.len; i++)
		s->whole.events.data[i].mo = r->mo.data[i];
	return &s->whole;
}

/* The frame itself has its events from that one on. */
static void extend(struct evr_revisit *s, size_t frame, evr_event_id from)
{
	struct evr_revisit_frame *r = &s->frames.data[frame];
	if (r->from <= from)
		return;
	gather(s, frame, from);
	struct evr_revisit_events own = r->own;
	r->own = s->whole;
	s->whole = own;
	r->from = from;
	r->below = find_below(s, frame, from);
}

struct evr_revisit_event *evr_revisit_known(struct evr_revisit *s, evr_event_id id)
{
	extend(s, s->depth - 1, id);
	const struct evr_revisit_frame *r = &s->frames.data[s->depth - 1];
	return &r->own.known.data[id - r->from];
}

/* The frame above it has what it needs of it, and others have it from there. */
void evr_revisit_raise(struct evr_revisit *s, size_t frame)
{
	size_t above = frame + 1;
	if (above < s->depth)
		extend(s, above, s->frames.data[frame].from);
	extend(s, frame, 0);
	struct evr_revisit_frame raised = s->frames.data[frame];
	for (size_t i = above; i < s->depth; i++) {
		struct evr_revisit_frame *r = &s->frames.data[i];
		if (r->below == frame)
			r->below = above;
		r->below -= r->below > frame;
	}
	memmove(&s->frames.data[frame], &s->frames.data[above], (s->depth - above) * sizeof(raised));
	s->frames.data[s->depth - 1] = raised;
	s->parts.len = 0;
	s->shared = 0;
	s->loaded = false;
}

/* ---- from a frame to the trace ---- */

static bool is_same(const struct evr_rf *t, const struct evr_revisit_events *r, const struct evr_rf_event *b,
		    evr_event_id id)
{
	const struct evr_rf_event *a = &t->events.data[id];
	bool same = a->cells == b->cells;
	for (uint32_t i = 1; same && i < evr_revisit_pooled(a) && i < evr_revisit_pooled(b); i++)
		same = t->sources.data[a->sources + i] == r->sources.data[b->sources - r->first_source + i];
	return same && a->thread == b->thread && a->kind == b->kind && a->flags == b->flags && a->index == b->index &&
	       a->variant == b->variant && a->location == b->location && a->source == b->source &&
	       a->order == b->order && a->afters == b->afters;
}

static void rewind_to(struct evr_rf_search *f, evr_event_id n)
{
	evr_rf_rewind(&f->t, n);
	f->oracle->ops->rewind(f->oracle, n);
}

/* The frame's events of the segment. `*same`: those before it are there; it goes on as long as that is so. */
static void load_segment(struct evr_revisit *s, const struct evr_revisit_segment *g, bool *same)
{
	struct evr_rf_search *f = &s->f.s;
	struct evr_rf *t = &f->t;
	const struct evr_revisit_frame *r = &s->frames.data[g->frame];
	const struct evr_revisit_events *own = &r->own;
	for (evr_event_id i = g->from; i < g->end; i++) {
		const struct evr_rf_event *y = &own->events.data[i - r->from];
		evr_vec_push(&s->known, own->known.data[i - r->from]);
		for (uint32_t k = 0; k < evr_revisit_pooled(y); k++)
			evr_vec_push(&s->cell_places, own->cell_places.data[y->sources - own->first_source + k]);
		if (*same && i < t->events.len && is_same(t, own, y, i))
			continue;
		if (*same)
			rewind_to(f, i);
		*same = false;
		struct evr_rf_event x = *y;
		x.after -= own->first_after;
		x.sources -= own->first_source;
		evr_rf_append(t, &x, own->afters.data, own->sources.data);
	}
}

void evr_revisit_load(struct evr_revisit *s)
{
	struct evr_rf_search *f = &s->f.s;
	struct evr_rf *t = &f->t;
	const struct evr_revisit_frame *r = &s->frames.data[s->depth - 1];
	bool same = true;
	s->known.len = s->shared;
	s->cell_places.len = s->shared < t->events.len ? t->events.data[s->shared].sources : t->sources.len;
	find_segments(s, s->depth - 1, s->shared);
	for (size_t n = s->segments.len; n-- > 0;)
		load_segment(s, &s->segments.data[n], &same);
	if (same)
		rewind_to(f, (evr_event_id)s->known.len);
	for (evr_event_id i = 0; i < r->mo.len; i++)
		t->events.data[i].mo = r->mo.data[i];
	evr_revisit_set_order(t, &r->order);
	s->places = r->places;
	s->new = r->new;
	s->parts.len = 0;
	f->hiding_from = NONE;
	s->shared = (evr_event_id)t->events.len;
	s->turned_known = false;
	s->loaded = true;
}

void evr_revisit_reload(struct evr_revisit *s)
{
	size_t parts = s->parts.len;
	evr_revisit_load(s);
	s->parts.len = parts;
}
