/* Invariant: the clock of a thread's present is what happens before its next event, as far as the events that are taken in tell. */
#include "event/happens.h"

#include "event/location.h"

#include <string.h>

enum { PRESENT, FENCED, SEEN, GROUPS };

void evr_happens_release(struct evr_happens *h)
{
	evr_clocks_release(&h->of_thread);
	evr_clocks_release(&h->released);
	evr_vec_release(&h->row_of);
}

void evr_happens_begin(struct evr_happens *h)
{
	if (h->done)
		memset(h->of_thread.data, 0,
		       (size_t)GROUPS * h->threads * h->of_thread.width * sizeof(*h->of_thread.data));
	h->done = h->rows = 0;
	evr_vec_clear(&h->row_of);
}

static int32_t *clock_of(const struct evr_happens *h, evr_thread_id thread, unsigned group)
{
	return evr_clocks_at(&h->of_thread, (size_t)thread * GROUPS + group);
}

static void admit(struct evr_happens *h, unsigned thread)
{
	if (EVR_LIKELY(thread < h->threads))
		return;
	uint32_t width = evr_clock_width(thread + 1);
	size_t known = (size_t)GROUPS * h->threads;
	h->threads = thread + 1;
	if (width > h->of_thread.width) {
		evr_clocks_resize(&h->released, width, h->rows + 64, h->rows);
		evr_clocks_resize(&h->of_thread, width, (size_t)GROUPS * width, known);
	}
}

static void take_from(struct evr_happens *h, int32_t *to, evr_event_id source)
{
	if (source != EVR_NO_EVENT && h->row_of.data[source])
		evr_clock_join(to, evr_clocks_at(&h->released, h->row_of.data[source] - 1), h->released.width);
}

/* The event hands this on, besides what it has handed on already. */
static void hand_on(struct evr_happens *h, evr_event_id id, const int32_t *clock)
{
	if (!h->row_of.data[id]) {
		h->row_of.data[id] = ++h->rows;
		evr_clocks_reserve(&h->released, h->rows, h->rows - 1);
		evr_clock_clear(evr_clocks_at(&h->released, h->rows - 1), h->released.width);
	}
	evr_clock_join(evr_clocks_at(&h->released, h->row_of.data[id] - 1), clock, h->released.width);
}

static void read_from(struct evr_happens *h, const struct evr_event *e, unsigned order)
{
	if (order != EVR_PLAIN)
		take_from(h, clock_of(h, e->thread, evr_order_acquires(order) ? PRESENT : SEEN), e->source);
}

static void write_to(struct evr_happens *h, const struct evr_event *e, evr_event_id id, unsigned order)
{
	if (order == EVR_PLAIN)
		return;
	hand_on(h, id, clock_of(h, e->thread, evr_order_releases(order) ? PRESENT : FENCED));
	/* A read-modify-write continues the release sequence that it read from. */
	if (evr_event_reads(e) && e->source != EVR_NO_EVENT && h->row_of.data[e->source])
		hand_on(h, id, evr_clocks_at(&h->released, h->row_of.data[e->source] - 1));
}

static void fence(struct evr_happens *h, const struct evr_event *e, unsigned order)
{
	int32_t *present = clock_of(h, e->thread, PRESENT);
	if (evr_order_acquires(order))
		evr_clock_join(present, clock_of(h, e->thread, SEEN), h->of_thread.width);
	if (evr_order_releases(order))
		evr_clock_copy(clock_of(h, e->thread, FENCED), present, h->of_thread.width);
}

static void access(struct evr_happens *h, const struct evr_event *e, evr_event_id id)
{
	unsigned order = e->site && e->site->flags & EVR_SITE_SECTION ? EVR_SEQ_CST : evr_event_order_taken(e);
	if (evr_event_reads(e))
		read_from(h, e, order);
	if (evr_event_writes(e))
		write_to(h, e, id, order);
}

static void advance(struct evr_happens *h, const struct evr_event *e, evr_event_id id)
{
	int32_t *present = clock_of(h, e->thread, PRESENT);
	bool hidden = evr_event_is_mutex(e) && (e->lock == EVR_LOCK_ATOMIC || e->lock == EVR_LOCK_COND || e->lock == EVR_LOCK_SECTION);
	evr_clock_set(present, e->thread, e->index);
	switch (e->kind) {
	case EVR_READ:
	case EVR_WRITE:
	case EVR_RMW:
	case EVR_CAS:
		access(h, e, id);
		break;
	case EVR_FENCE:
		fence(h, e, evr_event_order(e));
		break;
	case EVR_LOCK:
	case EVR_TRYLOCK:
	case EVR_TIMEDLOCK:
		if (e->result == 0 && !hidden)
			take_from(h, present, e->source);
		break;
	case EVR_UNLOCK: /* to initialise a mutex, on the other hand, tells nobody anything */
		if (!hidden)
			write_to(h, e, id, EVR_RELEASE);
		break;
	case EVR_CREATE:
		admit(h, (unsigned)e->other);
		present = clock_of(h, e->thread, PRESENT);
		evr_clock_join(clock_of(h, (evr_thread_id)e->other, PRESENT), present, h->of_thread.width);
		break;
	case EVR_JOIN:
		evr_clock_join(present, clock_of(h, (evr_thread_id)e->other, PRESENT), h->of_thread.width);
		break;
	default:
		break;
	}
}

bool evr_happens_before(struct evr_happens *h, const struct evr_trace *t, evr_thread_id thread, uint32_t index,
			evr_thread_id other)
{
	for (; h->done < t->events.len; h->done++) {
		const struct evr_event *e = &t->events.data[h->done];
		admit(h, e->thread);
		evr_vec_push(&h->row_of, 0);
		if (e->kind != EVR_UPDATE)
			advance(h, e, h->done);
	}
	admit(h, thread > other ? thread : other);
	return evr_clock_has(clock_of(h, other, PRESENT), thread, index);
}
