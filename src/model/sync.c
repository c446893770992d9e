/* Clocks of events, one after the other. Most events share rows with others: only what differs gets a row of its own. */
#include "model/sync.h"

#define NONE EVR_NO_EVENT
#define NOTHING 0u /* a row */

void evr_sync_init(struct evr_sync *s, const struct evr_rf *trace)
{
	*s = (struct evr_sync){ .trace = trace, .rows = 1 };
}

void evr_sync_release(struct evr_sync *s)
{
	evr_clocks_release(&s->table);
	evr_vecs_release(&s->events, &s->sc_fences);
}

void evr_sync_rewind(struct evr_sync *s, evr_event_id n)
{
	if (s->events.len <= n)
		return;
	s->events.len = n;
	s->rows = n ? s->events.data[n - 1].rows : 1;
	while (s->sc_fences.len && evr_vec_last(&s->sc_fences) >= n)
		s->sc_fences.len--;
}

/* ---- rows ---- */

static uint32_t copy_row(struct evr_sync *s, uint32_t row)
{
	uint32_t new = s->rows++;
	evr_clocks_reserve(&s->table, s->rows, new);
	evr_clock_copy(evr_clocks_at(&s->table, new), evr_clocks_at(&s->table, row), s->table.width);
	return new;
}

/* A row that has all of both. */
static uint32_t join_rows(struct evr_sync *s, uint32_t a, uint32_t b)
{
	uint32_t width = s->table.width;
	if (a == b || b == NOTHING || evr_clock_includes(evr_sync_row(s, a), evr_sync_row(s, b), width))
		return a;
	if (evr_clock_includes(evr_sync_row(s, b), evr_sync_row(s, a), width))
		return b;
	uint32_t both = copy_row(s, a);
	evr_clock_join(evr_clocks_at(&s->table, both), evr_sync_row(s, b), width);
	return both;
}

static void widen(struct evr_sync *s)
{
	uint32_t width = s->trace->clocks.width;
	if (EVR_UNLIKELY(s->table.width != width))
		evr_clocks_resize(&s->table, width, s->rows + 64, s->table.width ? s->rows : 0);
}

/* ---- events ---- */

/* What comes before it by program order, with what was created and joined. That stands between events, and has a place of its own. */
static uint32_t program_before(struct evr_sync *s, const struct evr_rf_event *x, uint32_t previous,
			       const evr_event_id *afters)
{
	if (EVR_LIKELY(!x->afters))
		return previous;
	uint32_t row = copy_row(s, previous);
	int32_t *clock = evr_clocks_at(&s->table, row);
	for (uint32_t i = 0; i < x->afters; i++) {
		evr_event_id a = afters[x->after + i];
		const struct evr_rf_event *y = &s->trace->events.data[a];
		evr_clock_join(clock, evr_sync_row(s, s->events.data[a].clock), s->table.width);
		/* The creation of x's thread, or the end of a thread that was joined, stands behind y. */
		evr_clock_add(clock, y->thread, (uint32_t)evr_sync_place(y) + 1);
	}
	return row;
}

/* The part of what an atomic write hands on that its own thread has released. Rows of one thread are one behind the other. */
static uint32_t released_by_thread(const struct evr_sync *s, const struct evr_rf_event *x,
				   const struct evr_sync_event *e)
{
	const struct evr_rf *t = s->trace;
	uint32_t own = evr_order_releases(x->order) ? e->clock : e->fenced;
	for (uint32_t i = x->index; s->c11_release_sequences && i-- > 0;) {
		evr_event_id w = t->of_thread[x->thread].data[i];
		if (t->events.data[w].location != x->location || !(t->events.data[w].flags & EVR_RF_WRITES))
			continue;
		uint32_t before = s->events.data[w].own;
		return evr_sync_row(s, before)[x->thread] > evr_sync_row(s, own)[x->thread] ? before : own;
	}
	return own;
}

void evr_sync_push(struct evr_sync *s, const struct evr_rf_event *x, evr_event_id source, const evr_event_id *afters)
{
	static const struct evr_sync_event first = { 0 };
	const struct evr_rf *t = s->trace;
	widen(s);
	struct evr_sync_event e = x->index ? s->events.data[t->of_thread[x->thread].data[x->index - 1]] : first;
	uint32_t known = e.before = program_before(s, x, e.clock, afters);
	bool fence = x->kind == EVR_FENCE, atomic = x->order != EVR_PLAIN;
	if (x->flags & EVR_RF_READS && atomic && source != NONE) {
		uint32_t *to = evr_order_acquires(x->order) ? &known : &e.seen;
		*to = join_rows(s, *to, s->events.data[source].released);
	}
	if (fence && evr_order_acquires(x->order))
		known = join_rows(s, known, e.seen);
	e.clock = copy_row(s, known);
	evr_clocks_at(&s->table, e.clock)[x->thread] = evr_sync_place(x) + 1;
	if (fence && evr_order_releases(x->order))
		e.fenced = e.clock;
	e.released = e.own = NOTHING;
	if (x->flags & EVR_RF_WRITES) {
		e.own = released_by_thread(s, x, &e);
		bool continues = x->flags & EVR_RF_READS && source != NONE;
		if (atomic)
			e.released = continues ? join_rows(s, e.own, s->events.data[source].released) : e.own;
	}
	e.rows = s->rows;
	e.sequential = evr_sync_sequential(s) + (x->order == EVR_SEQ_CST);
	evr_vec_push(&s->events, e);
}

void evr_sync_follow(struct evr_sync *s)
{
	const struct evr_rf *t = s->trace;
	widen(s);
	for (evr_event_id i = (evr_event_id)s->events.len; i < t->events.len; i++) {
		const struct evr_rf_event *x = &t->events.data[i];
		evr_sync_push(s, x, x->source, t->afters.data);
		if (x->kind == EVR_FENCE && x->order == EVR_SEQ_CST)
			evr_vec_push(&s->sc_fences, i);
	}
}
