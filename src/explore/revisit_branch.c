/*
 * Engine `revisit`: branches as text, for another process or for later. A branch is a graph that is to be run, or a frame: a graph that was run, and
 * the place that the search has come to with what follows from it.
 *
 *   NEW.PLACES[.PART.BEGUN.OTHER.CELL[.READ.WRITE]];EVENT,...;STEP,...
 *
 * EVENT is THREAD.KIND.READ.WRITE, with the places of its parts, or `-`, an `f` behind it if it is final, a `w` if its thread waits before it, an `e` if what is canonical for it is exact, a `c` before that if it is not its source, and `/` before the place of each further cell that it reads; events are numbered in this order. STEP is an event's number, with
 * `=` and its source where steps name sources, of a write what it comes right behind if there is a modification order, or with `+` and the step's variant; `u` before it: its store takes effect. An event that was not executed, because its
 * thread stands still, has a step, too, behind all others: its number, `!`, and the sources of its cells, with `/` between them. There are no locations and no values:
 * whoever runs the steps finds them out. The whole search is the empty graph, 0.0;;
 *
 * Invariant: the events of a graph that is run from its text are recorded in the order of its steps; when that execution is over they
 * get the numbers of the text again (restore_numbers()), which the cursor of a frame refers to.
 */
#include "explore/revisit.h"

#include "base/strbuf.h"
#include "event/knowledge.h"

#include <stdlib.h>
#include <string.h>

#define NONE EVR_NO_EVENT

/* ---- writing ---- */

struct graph {
	const struct evr_rf_event *events;
	const struct evr_revisit_event *known;
	size_t len;
	const evr_rf_ids *order, *sources, *cell_places;
	uint32_t new, places;
	const struct evr_revisit_frame *frame; /* NULL: it is to be run */
};

/* A place or a number; `-`: none. */
static void write_number(struct evr_strbuf *out, char before, uint32_t number)
{
	evr_strbuf_putc(out, before);
	if (number == NONE)
		evr_strbuf_putc(out, '-');
	else
		evr_strbuf_count(out, number);
}

/* Of the writes in the first n steps: the one that w comes right behind. */
static evr_event_id place_of(const struct graph *g, evr_event_id w, size_t n)
{
	const struct evr_rf_event *x = &g->events[w];
	evr_event_id before = NONE;
	for (size_t k = 0; k < n; k++) {
		evr_event_id i = evr_rf_event_of(g->order->data[k]);
		const struct evr_rf_event *y = &g->events[i];
		if (y->flags & EVR_RF_WRITES && y->location == x->location && y->mo < x->mo &&
		    (before == NONE || y->mo > g->events[before].mo))
			before = i;
	}
	return before;
}

static void write_step(const struct evr_revisit *s, struct evr_strbuf *out, const struct graph *g, size_t k)
{
	evr_event_id step = g->order->data[k], id = evr_rf_event_of(step);
	const struct evr_rf_event *x = &g->events[id];
	if (evr_rf_is_update(step))
		evr_strbuf_putc(out, 'u');
	evr_strbuf_count(out, id);
	if (evr_rf_is_update(step))
		return;
	for (uint32_t c = 0; x->flags & EVR_RF_UNEXECUTED && c < x->cells; c++)
		write_number(out, c ? '/' : '!', evr_rf_source(x, g->sources->data, c));
	bool placed = s->f.s.ordered && s->f.s.t.names_sources && x->kind == EVR_WRITE;
	if (placed || (s->f.s.t.names_sources && evr_rf_step_names_source(x)))
		write_number(out, '=', placed ? place_of(g, id, k) : x->source);
	else if (x->variant)
		write_number(out, '+', x->variant);
}

/* Those that were not executed come last: nothing depends on them. */
static void write_steps(const struct evr_revisit *s, struct evr_strbuf *out, const struct graph *g)
{
	const char *between = "";
	for (unsigned unexecuted = 0; unexecuted < 2; unexecuted++) {
		for (size_t i = 0; i < g->order->len; i++) {
			const struct evr_rf_event *x = &g->events[evr_rf_event_of(g->order->data[i])];
			if (unexecuted != !!(x->flags & EVR_RF_UNEXECUTED) || evr_revisit_is_wait(x))
				continue;
			evr_strbuf_puts(out, between);
			between = ",";
			write_step(s, out, g, i);
		}
	}
}

static char *write_graph(const struct evr_revisit *s, const struct graph *g)
{
	struct evr_strbuf out;
	evr_strbuf_init(&out);
	evr_strbuf_printf(&out, "%u.%u", g->new, g->places);
	if (g->frame) {
		evr_strbuf_printf(&out, ".%zu.%d", g->frame->part, g->frame->begun);
		write_number(&out, '.', g->frame->begun ? g->frame->other : NONE);
		evr_strbuf_printf(&out, ".%u", g->frame->begun ? g->frame->cell : 0);
		if (g->frame->merged_read != NONE)
			evr_strbuf_printf(&out, ".%u.%u", g->frame->merged_read, g->frame->merged_write);
	}
	evr_strbuf_putc(&out, ';');
	for (size_t i = 0; i < g->len; i++) {
		const struct evr_revisit_event *k = &g->known[i];
		if (i)
			evr_strbuf_putc(&out, ',');
		evr_strbuf_count(&out, g->events[i].thread);
		evr_strbuf_putc(&out, '.');
		evr_strbuf_count(&out, g->events[i].kind);
		write_number(&out, '.', k->read);
		write_number(&out, '.', k->write);
		if (k->final)
			evr_strbuf_putc(&out, 'f');
		if (evr_revisit_is_wait(&g->events[i]))
			evr_strbuf_putc(&out, 'w');
		const struct evr_rf_event *x = &g->events[i];
		if (k->exact)
			evr_strbuf_putc(&out, 'e');
		if (k->canon != x->source)
			write_number(&out, 'c', k->canon);
		for (uint32_t c = 1; x->cells > 1 && x->flags & EVR_RF_READS && c < x->cells; c++)
			write_number(&out, '/', g->cell_places->data[x->sources + c]);
	}
	evr_strbuf_putc(&out, ';');
	write_steps(s, &out, g);
	return evr_strbuf_take(&out);
}

static char *write_frame(struct evr_revisit *s, size_t frame)
{
	const struct evr_revisit_frame *r = &s->frames.data[frame];
	const struct evr_revisit_events *e = evr_revisit_whole(s, frame);
	return write_graph(s, &(struct graph){ e->events.data, e->known.data, e->events.len, &r->order, &e->sources,
					       &e->cell_places, r->new, r->places, r });
}

/* The trace's graph, which is to be run. */
static char *write_trace(const struct evr_revisit *s)
{
	const struct evr_rf *t = &s->f.s.t;
	return write_graph(s, &(struct graph){ t->events.data, s->known.data, t->events.len, &t->order, &t->sources,
					       &s->cell_places, s->new, s->places, NULL });
}

/* The execution that has been prepared. */
static char *write_prepared(const struct evr_revisit *s)
{
	return s->told_text ? evr_strdup(s->told_text) : write_trace(s);
}

/* ---- reading ---- */

static bool read_u32(const char **p, uint32_t *value)
{
	unsigned long long n;
	if (!evr_read_number(p, 10, &n) || n >= EVR_NEVER)
		return false;
	*value = (uint32_t)n;
	return true;
}

static bool read_place(const char **p, uint32_t *place)
{
	if (!evr_read_char(p, '.'))
		return false;
	*place = EVR_NEVER;
	return evr_read_char(p, '-') || read_u32(p, place);
}

static bool read_head(struct evr_revisit *s, const char **p)
{
	struct evr_revisit_told *told = &s->told;
	uint32_t part, begun;
	told->is_frame = false;
	if (!read_u32(p, &told->new) || !evr_read_char(p, '.') || !read_u32(p, &told->places))
		return false;
	if (!evr_read_char(p, '.'))
		return evr_read_char(p, ';');
	told->is_frame = true;
	if (!read_u32(p, &part) || !evr_read_char(p, '.') || !read_u32(p, &begun) || !read_place(p, &told->other) ||
	    !evr_read_char(p, '.') || !read_u32(p, &told->cell))
		return false;
	told->part = part;
	told->begun = begun;
	told->merged_read = told->merged_write = NONE;
	if (**p == '.' && !(read_place(p, &told->merged_read) && read_place(p, &told->merged_write)))
		return false;
	return evr_read_char(p, ';');
}

static bool read_events(struct evr_revisit *s, const char **p)
{
	evr_vec_clear(&s->told.events);
	evr_vec_clear(&s->told.cells);
	if (evr_read_char(p, ';'))
		return true;
	do {
		struct evr_revisit_told_event x = { 0 };
		uint32_t thread, kind;
		if (!read_u32(p, &thread) || thread >= EVR_MAX_THREADS || !evr_read_char(p, '.') ||
		    !read_u32(p, &kind) || kind > UINT8_MAX || !read_place(p, &x.read) || !read_place(p, &x.write))
			return false;
		x.thread = (evr_thread_id)thread;
		x.kind = (uint8_t)kind;
		x.final = evr_read_char(p, 'f');
		x.waits = evr_read_char(p, 'w');
		x.source = x.number = NONE;
		x.exact = evr_read_char(p, 'e');
		x.has_canon = evr_read_char(p, 'c');
		x.canon = NONE;
		if (x.has_canon && !evr_read_char(p, '-') && !read_u32(p, &x.canon))
			return false;
		x.cell = (uint32_t)s->told.cells.len;
		for (uint32_t place; evr_read_char(p, '/'); x.cells++) {
			if (!read_u32(p, &place))
				return false;
			evr_vec_push(&s->told.cells, place);
		}
		evr_vec_push(&s->told.events, x);
	} while (evr_read_char(p, ','));
	return evr_read_char(p, ';');
}

/* An event that is not executed: its sources, which are, are told. */
static bool read_unexecuted(struct evr_revisit *s, const char **p, struct evr_revisit_told_event *x)
{
	struct evr_revisit_told *told = &s->told;
	x->unexecuted = true;
	x->first = (uint32_t)told->sources.len;
	for (uint32_t i = 0; i <= x->cells; i++) {
		uint32_t source = NONE;
		if (i && !evr_read_char(p, '/'))
			return false;
		if (!evr_read_char(p, '-') &&
		    (!read_u32(p, &source) || source >= told->events.len || told->events.data[source].unexecuted ||
		     told->events.data[source].number == NONE))
			return false;
		evr_vec_push(&told->sources, source);
	}
	return true;
}

/* `made`: how many events there were in the steps before. */
static bool read_step(struct evr_revisit *s, const char **p, evr_event_id *made)
{
	struct evr_revisit_told *told = &s->told;
	bool update = evr_read_char(p, 'u');
	uint32_t id;
	if (!read_u32(p, &id) || id >= told->events.len)
		return false;
	struct evr_revisit_told_event *x = &told->events.data[id];
	if (update) {
		evr_vec_push(&told->order, x->number | EVR_RF_UPDATE);
		return x->number != NONE && !told->sources.len;
	}
	if (x->number != NONE || x->waits)
		return false;
	x->number = (*made)++;
	evr_vec_push(&told->order, x->number);
	if (evr_read_char(p, '!'))
		return read_unexecuted(s, p, x);
	if (told->sources.len)
		return false;
	if (evr_read_char(p, '+'))
		return read_u32(p, &x->variant);
	x->names_source = evr_read_char(p, '=');
	if (!x->names_source || evr_read_char(p, '-'))
		return true;
	return read_u32(p, &x->source) && x->source < told->events.len &&
	       told->events.data[x->source].number < x->number;
}

static bool read_graph(struct evr_revisit *s, const char *p)
{
	struct evr_revisit_told *told = &s->told;
	evr_event_id made = 0;
	evr_vec_clear(&told->order);
	evr_vec_clear(&told->sources);
	if (!read_head(s, &p) || !read_events(s, &p))
		return false;
	while (*p) {
		if (!read_step(s, &p, &made) || (*p && !evr_read_char(&p, ',')))
			return false;
	}
	for (size_t i = 0; i < told->events.len; i++) {
		const struct evr_revisit_told_event *x = &told->events.data[i];
		made += x->waits;
		if (x->canon != NONE && (x->canon >= told->events.len || told->events.data[x->canon].waits))
			return false;
	}
	return made == told->events.len;
}

/* ---- running it ---- */

/* The number, as it is run, of the event with that number in the text. */
static evr_event_id number_of(const struct evr_revisit_told *told, evr_event_id id)
{
	return id == NONE ? NONE : told->events.data[id].number;
}

/* The next execution is to take the steps that s->told has. */
static void prepare(struct evr_revisit *s)
{
	struct evr_rf_engine *f = &s->f;
	struct evr_rf *t = &f->s.t;
	const struct evr_revisit_told *told = &s->told;
	size_t steps = told->order.len, events = 0;
	f->held.len = 0;
	for (size_t i = 0; i < told->events.len; i++) {
		const struct evr_revisit_told_event *x = &told->events.data[i];
		events += !x->waits;
		if (x->waits)
			evr_vec_push(&f->held, (struct evr_rf_held){ x->thread, 0, 0, x->read });
	}
	evr_rf_rewind(t, 0);
	f->s.oracle->ops->rewind(f->s.oracle, 0);
	f->s.hiding_from = NONE;
	s->known.len = s->cell_places.len = s->shared = 0;
	s->ran_still = 0;
	evr_vec_reserve(&t->order, steps);
	evr_vec_reserve(&t->position, steps);
	evr_vec_reserve(&f->steps, steps);
	evr_vec_reserve(&f->script, events);
	evr_vec_reserve(&t->rank, events);
	evr_vec_reserve(&t->effect, events);
	evr_vec_reserve(&s->numbers, events);
	for (evr_event_id i = 0; i < told->events.len; i++) {
		const struct evr_revisit_told_event *x = &told->events.data[i];
		if (x->waits)
			continue;
		s->numbers.data[x->number] = i;
		f->script.data[x->number] = (struct evr_rf_told){
			x->thread,     x->kind,  x->names_source, x->variant, number_of(told, x->source),
			x->unexecuted, x->first, x->cells + 1,
		};
	}
	evr_vec_clear(&f->script_sources);
	for (size_t i = 0; i < told->sources.len; i++)
		evr_vec_push(&f->script_sources, number_of(told, told->sources.data[i]));
	for (size_t k = 0; k < steps; k++) {
		evr_event_id e = evr_rf_event_of(told->order.data[k]);
		bool update = evr_rf_is_update(told->order.data[k]);
		const struct evr_rf_told *x = &f->script.data[e];
		t->order.data[k] = told->order.data[k];
		(update ? &t->effect : &t->rank)->data[e] = (evr_event_id)k;
		f->steps.data[k] =
			(struct evr_step){ (uint16_t)(x->thread + (update ? EVR_MAX_THREADS : 0)), x->variant };
		if (x->unexecuted)
			f->steps.data[k].actor = EVR_NO_ACTOR;
	}
	t->order.len = t->position.len = f->steps.len = f->asked = steps;
	f->script.len = f->s.block = f->s.extension = events;
	f->base.prefix = 0;
	f->base.restored = told->is_frame;
	s->new = told->new;
	s->places = told->places;
	s->loaded = s->turned_known = false;
}

bool evr_revisit_start(struct evr_revisit *s, const char *text)
{
	if (!read_graph(s, text))
		return false;
	free(s->told_text);
	s->told_text = evr_strdup(text);
	prepare(s);
	return true;
}

/* ---- giving it away ---- */

void evr_revisit_put_off(struct evr_revisit *s)
{
	evr_vec_push(&s->queue, write_trace(s));
	s->settled = s->doubts.len;
	s->loaded = false;
}

/* A virtual frame cannot be run again. What follows from it can. */
static void resolve(struct evr_revisit *s, size_t i)
{
	size_t rest = s->depth - 1;
	evr_revisit_raise(s, i);
	while (s->depth > rest) {
		evr_revisit_load(s);
		enum evr_revisit_outcome o = evr_revisit_next(s);
		if (o == EVR_REVISIT_RUN)
			evr_revisit_put_off(s);
		else if (o == EVR_REVISIT_NOTHING)
			evr_revisit_pop(s);
		s->loaded = false;
	}
	s->parts.len = 0;
}

/* From now on there are no virtual frames; the execution that was prepared is prepared again. */
static void resolve_all(struct evr_revisit *s)
{
	char *prepared = NULL;
	for (size_t i = s->depth; i-- > 0;) {
		if (s->frames.data[i].virtual == NONE)
			continue;
		if (!prepared)
			prepared = write_prepared(s);
		resolve(s, i);
	}
	if (prepared)
		evr_revisit_start(s, prepared);
	free(prepared);
}

static char *give_frame(struct evr_revisit *s, size_t i)
{
	char *text = write_frame(s, i);
	evr_revisit_raise(s, i);
	evr_revisit_pop(s);
	return text;
}

void evr_revisit_take_branch(struct evr_engine *e, const char *branch)
{
	struct evr_revisit *s = (struct evr_revisit *)e;
	s->divided = true;
	if (!evr_revisit_start(s, branch))
		e->failure = "the search contains an invalid branch";
}

/* Frames and what is in the queue, both in proportion. */
void evr_revisit_give(struct evr_engine *e, size_t least, evr_branches *given)
{
	struct evr_revisit *s = (struct evr_revisit *)e;
	resolve_all(s);
	size_t all = s->depth + s->queue.len, parts = evr_branches_to_give(all, least);
	size_t n = all ? parts * s->queue.len / all : 0;
	for (size_t frames = parts - n; frames > 0; frames--)
		evr_vec_push(given, give_frame(s, 0));
	for (size_t i = 0; i < n; i++)
		evr_vec_push(given, s->queue.data[i]);
	s->queue.len -= n;
	if (n)
		memmove(s->queue.data, s->queue.data + n, s->queue.len * sizeof(*s->queue.data));
}

void evr_revisit_list(struct evr_engine *e, evr_branches *all)
{
	struct evr_revisit *s = (struct evr_revisit *)e;
	resolve_all(s);
	for (size_t i = 0; i < s->depth; i++)
		evr_vec_push(all, write_frame(s, i));
	for (size_t i = 0; i < s->queue.len; i++)
		evr_vec_push(all, evr_strdup(s->queue.data[i]));
	evr_vec_push(all, write_prepared(s));
}
