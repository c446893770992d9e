/* Invariant: whatever was released by an event that is taken in has a row, which stays what it is. */
#include "event/happens.h"

#include "event/location.h"

#include <string.h>

/* Clocks of a thread: its present; its present at its last release fence; what its relaxed reads have seen, for an acquire fence. */
enum { PRESENT, FENCED, SEEN, GROUPS };

void evr_happens_release(struct evr_happens *h)
{
	evr_clocks_release(&h->of_thread);
	evr_clocks_release(&h->released);
	evr_vecs_release(&h->row_of, &h->head_of);
}

void evr_happens_begin(struct evr_happens *h, const struct evr_trace *t, const struct evr_graph *g)
{
	if (h->done)
		memset(h->of_thread.data, 0,
		       (size_t)GROUPS * h->threads * h->of_thread.width * sizeof(*h->of_thread.data));
	h->trace = t;
	h->graph = g;
	h->done = h->rows = 0;
	h->reads = 0;
}

static int32_t *clock_of(const struct evr_happens *h, unsigned thread, unsigned group)
{
	return evr_clocks_at(&h->of_thread, (size_t)thread * GROUPS + group);
}

static void admit(struct evr_happens *h, unsigned thread)
{
	if (EVR_LIKELY(thread < h->threads))
		return;
	size_t known = (size_t)GROUPS * h->threads;
	h->threads = thread + 1;
	uint32_t width = evr_clock_width(h->threads);
	if (width > h->of_thread.width) {
		evr_clocks_resize(&h->released, width, h->rows + 64, h->rows);
		evr_clocks_resize(&h->of_thread, width, (size_t)GROUPS * width, known);
	}
}

int32_t *evr_happens_present(struct evr_happens *h, evr_thread_id thread)
{
	admit(h, thread);
	return clock_of(h, thread, PRESENT);
}

unsigned evr_happens_order(const struct evr_event *e)
{
	bool access = evr_event_is_access(e) || e->kind == EVR_FREE;
	return access && e->site && e->site->flags & EVR_SITE_SECTION ? EVR_SEQ_CST : evr_event_order_taken(e);
}

/*
 * A lock around an atomic access makes that one access; its memory order is what counts. That of a condition variable guards
 * its own list: who signals tells nothing to the next one who does. Accesses in an atomic section are atomic accesses, and
 * synchronise as such; its lock counts as nothing, since accesses outside of sections take it, too.
 */
bool evr_happens_ignores_lock(const struct evr_event *e)
{
	return e->lock == EVR_LOCK_ATOMIC || e->lock == EVR_LOCK_COND || e->lock == EVR_LOCK_SECTION;
}

/* ---- what is released ---- */

static const int32_t *row(const struct evr_happens *h, uint32_t number)
{
	return evr_clocks_at(&h->released, number - 1);
}

/* Add it to a row, which is a new one if there was none. */
static void add_to_row(struct evr_happens *h, uint32_t *number, const int32_t *clock)
{
	if (*number) {
		evr_clock_join(evr_clocks_at(&h->released, *number - 1), clock, h->released.width);
		return;
	}
	*number = ++h->rows;
	evr_clocks_reserve(&h->released, h->rows, h->rows - 1);
	evr_clock_copy(evr_clocks_at(&h->released, *number - 1), clock, h->released.width);
}

static void take_from(struct evr_happens *h, int32_t *to, evr_event_id source)
{
	if (source != EVR_NO_EVENT && h->row_of.data[source])
		evr_clock_join(to, row(h, h->row_of.data[source]), h->released.width);
}

/* The i-th of the writes that the event has read from; the first is `source`. False: there are not so many. */
static bool next_source(const struct evr_happens *h, const struct evr_event *e, size_t i, evr_event_id *source)
{
	if (!i) {
		*source = e->source;
		return true;
	}
	size_t at = h->reads + i - 1;
	if (!h->graph || at >= h->graph->reads.len || h->graph->reads.data[at].read != h->done)
		return false;
	*source = h->graph->reads.data[at].source;
	return true;
}

static void read_from(struct evr_happens *h, const struct evr_event *e, unsigned order)
{
	evr_event_id source, last = EVR_NO_EVENT;
	int32_t *to = clock_of(h, e->thread, evr_order_acquires(order) ? PRESENT : SEEN);
	for (size_t i = 0; order != EVR_PLAIN && next_source(h, e, i, &source); i++) {
		if (source != last)
			take_from(h, to, source);
		last = source;
	}
}

/*
 * C11: the last of the thread's earlier release stores to the location, whose sequence the store continues, too. What the thread released
 * there before is part of what that one released; what a release fence before earlier stores released, the fence releases with this one.
 */
static evr_event_id last_head(const struct evr_happens *h, const struct evr_event *e)
{
	for (evr_event_id i = h->done; i-- > 0;) {
		const struct evr_event *o = &h->trace->events.data[i];
		if (o->thread == e->thread && h->head_of.data[i] &&
		    evr_overlap(o->address, o->size, e->address, e->size))
			return i;
	}
	return EVR_NO_EVENT;
}

static void continue_own(struct evr_happens *h, const struct evr_event *e, uint32_t *released, unsigned order)
{
	evr_event_id head = last_head(h, e);
	if (head != EVR_NO_EVENT)
		add_to_row(h, released, row(h, h->head_of.data[head]));
	if (evr_order_releases(order))
		add_to_row(h, &h->head_of.data[h->done], clock_of(h, e->thread, PRESENT));
}

static void write_to(struct evr_happens *h, const struct evr_event *e, unsigned order)
{
	evr_event_id source;
	uint32_t *released = &h->row_of.data[h->done];
	if (order == EVR_PLAIN)
		return;
	add_to_row(h, released, clock_of(h, e->thread, evr_order_releases(order) ? PRESENT : FENCED));
	/* A read-modify-write continues the release sequence that it read from. */
	for (size_t i = 0; evr_event_reads(e) && next_source(h, e, i, &source); i++)
		if (source != EVR_NO_EVENT && h->row_of.data[source])
			add_to_row(h, released, row(h, h->row_of.data[source]));
	if (EVR_UNLIKELY(h->trace->c11_release_sequences) && evr_event_is_access(e))
		continue_own(h, e, released, order);
}

/* ---- events ---- */

static void fence(struct evr_happens *h, const struct evr_event *e, unsigned order)
{
	int32_t *present = clock_of(h, e->thread, PRESENT);
	if (evr_order_acquires(order))
		evr_clock_join(present, clock_of(h, e->thread, SEEN), h->of_thread.width);
	if (evr_order_releases(order))
		evr_clock_copy(clock_of(h, e->thread, FENCED), present, h->of_thread.width);
}

static void synchronise(struct evr_happens *h, const struct evr_event *e)
{
	unsigned order = evr_happens_order(e);
	switch (e->kind) {
	case EVR_READ:
	case EVR_WRITE:
	case EVR_RMW:
	case EVR_CAS:
		if (evr_event_reads(e))
			read_from(h, e, order);
		if (evr_event_writes(e))
			write_to(h, e, order);
		break;
	case EVR_FENCE:
		fence(h, e, order);
		break;
	case EVR_LOCK:
	case EVR_TRYLOCK:
	case EVR_TIMEDLOCK:
		if (e->result == 0 && !evr_happens_ignores_lock(e))
			take_from(h, clock_of(h, e->thread, PRESENT), e->source);
		break;
	case EVR_UNLOCK: /* to initialise a mutex, on the other hand, tells nobody anything */
		if (!evr_happens_ignores_lock(e))
			write_to(h, e, EVR_RELEASE);
		break;
	case EVR_CREATE:
		evr_clock_join(clock_of(h, (unsigned)e->other, PRESENT), clock_of(h, e->thread, PRESENT),
			       h->of_thread.width);
		break;
	case EVR_JOIN:
		evr_clock_join(clock_of(h, e->thread, PRESENT), clock_of(h, (unsigned)e->other, PRESENT),
			       h->of_thread.width);
		break;
	default:
		break;
	}
}

void evr_happens_next(struct evr_happens *h)
{
	const struct evr_event *e = &h->trace->events.data[h->done];
	evr_vec_reserve(&h->row_of, h->done + 1u);
	h->row_of.data[h->done] = 0;
	if (EVR_UNLIKELY(h->trace->c11_release_sequences)) {
		evr_vec_reserve(&h->head_of, h->done + 1u);
		h->head_of.data[h->done] = 0;
	}
	while (h->graph && h->reads < h->graph->reads.len && h->graph->reads.data[h->reads].read < h->done)
		h->reads++;
	admit(h, e->thread);
	/* A thread may have been created that makes no event. */
	if (e->kind == EVR_CREATE || e->kind == EVR_JOIN)
		admit(h, (unsigned)e->other);
	if (e->kind != EVR_UPDATE) {
		evr_clock_set(clock_of(h, e->thread, PRESENT), e->thread, e->index);
		synchronise(h, e);
	}
	h->done++;
}
