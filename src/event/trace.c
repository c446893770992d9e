#include "event/trace.h"

#include <string.h>

void evr_trace_release(struct evr_trace *t)
{
	evr_vec_release(&t->events);
}

static unsigned most_threads(const struct evr_trace *t)
{
	return t->most_threads ? t->most_threads : EVR_MAX_THREADS;
}

void evr_trace_begin(struct evr_trace *t, size_t prefix)
{
	evr_vec_clear(&t->events);
	t->prefix = prefix;
	t->diverged = EVR_NO_EVENT;
	evr_clear(t->counts, most_threads(t) * sizeof(t->counts[0]));
	t->erases = false;
}

void evr_trace_pieces(struct evr_trace *t, unsigned threads, struct evr_pieces *p)
{
	struct {
		size_t events;
		bool erases;
	} all = { t->events.len, t->erases };
	EVR_PIECE(p, all);
	t->events.len = all.events;
	t->erases = all.erases;
	evr_piece(p, t->counts, threads * sizeof(t->counts[0]));
	if (p->back)
		memset(t->counts + threads, 0, (most_threads(t) - threads) * sizeof(t->counts[0]));
	if (t->erases)
		EVR_PIECE(p, t->erased);
}

void evr_trace_erase(struct evr_trace *t, evr_thread_id thread, uint32_t from)
{
	if (!t->erases)
		memset(t->erased, 0xff, sizeof(t->erased));
	t->erases = true;
	t->erased[thread] = from;
}

static uint64_t word(const struct evr_event *e, unsigned i)
{
	uint64_t w;
	memcpy(&w, (const char *)e + 8 * i, sizeof(w));
	return w;
}

/*
 * All but index and source, which follow from the rest and share a word. Without branches, because for every replayed event
 * the answer is yes.
 */
static bool same(const struct evr_event *a, const struct evr_event *b)
{
	_Static_assert(sizeof(*a) == 80 && offsetof(struct evr_event, index) == 24 &&
			       offsetof(struct evr_event, read) == 32,
		       "the words that are compared");
	uint64_t difference = (word(a, 0) ^ word(b, 0)) | (word(a, 1) ^ word(b, 1)) | (word(a, 2) ^ word(b, 2));
	difference |= (word(a, 4) ^ word(b, 4)) | (word(a, 5) ^ word(b, 5)) | (word(a, 6) ^ word(b, 6));
	difference |= (word(a, 7) ^ word(b, 7)) | (word(a, 8) ^ word(b, 8)) | (word(a, 9) ^ word(b, 9));
	return !difference;
}

/* Word by word, as it was written: see evr_memory_load(). The assembler statement keeps the compiler from doing better. */
static void copy(struct evr_event *to, const struct evr_event *from)
{
	for (unsigned i = 0; i < sizeof(*to) / 8; i++) {
		uint64_t w = word(from, i);
		__asm__("" : "+r"(w));
		memcpy((char *)to + 8 * i, &w, sizeof(w));
	}
}

evr_event_id evr_trace_append(struct evr_trace *t, const struct evr_event *e)
{
	size_t i = t->events.len;
	evr_vec_reserve(&t->events, i + 1);
	struct evr_event *slot = &t->events.data[i];
	t->events.len = i + 1;
	if (i < t->prefix && t->diverged == EVR_NO_EVENT) {
		if (EVR_LIKELY(same(slot, e))) {
			t->counts[e->thread] += !evr_event_uncounted(e);
			return (evr_event_id)i;
		}
		t->diverged = (evr_event_id)i;
		t->before = *slot;
	}
	copy(slot, e);
	/* An update is no event of its thread; its index is that of the store that it belongs to. */
	if (!evr_event_uncounted(e))
		slot->index = t->counts[e->thread]++;
	return (evr_event_id)i;
}

void evr_trace_record(struct evr_trace *t, evr_thread_id thread, unsigned kind, const struct evr_site *site,
		      evr_value other)
{
	size_t i = t->events.len;
	struct evr_event e;
	/* A replay, nearly always; what it has besides is zero. */
	if (EVR_LIKELY(i < t->prefix && t->diverged == EVR_NO_EVENT)) {
		const struct evr_event *slot = &t->events.data[i];
		uint64_t first = thread | (uint64_t)kind << 16;
		if (EVR_LIKELY(word(slot, 0) == first && slot->site == site && slot->other == other)) {
			t->events.len = i + 1;
			t->counts[thread] += !evr_event_uncounted(slot);
			return;
		}
	}
	evr_event_init(&e, thread, kind, 0, 0, site);
	e.other = other;
	evr_trace_append(t, &e);
}

/* Is a, which comes first, a direct cause of b? */
static bool causes(const struct evr_event *a, const struct evr_event *b)
{
	if (a->thread == b->thread || evr_events_conflict(a, b))
		return true;
	if (a->kind == EVR_CREATE && a->other == b->thread)
		return true;
	return b->kind == EVR_JOIN && b->other == a->thread;
}

void evr_trace_past(const struct evr_trace *t, evr_event_id last, bool *past)
{
	memset(past, 0, t->events.len * sizeof(*past));
	if (last >= t->events.len)
		return;
	past[last] = true;
	for (size_t i = last; i-- > 0;)
		for (size_t j = i + 1; j <= last && !past[i]; j++)
			past[i] = past[j] && causes(&t->events.data[i], &t->events.data[j]);
}

static bool accesses_memory(const struct evr_event *e)
{
	return e->size && e->kind < EVR_CREATE;
}

void evr_trace_refuse_mixed_sizes(const struct evr_trace *t, const struct evr_event *e, const char *who)
{
	for (size_t i = 0; accesses_memory(e) && i < t->events.len; i++) {
		const struct evr_event *o = &t->events.data[i];
		bool same = o->address == e->address && o->size == e->size;
		if (accesses_memory(o) && !same && o->address < e->address + e->size &&
		    e->address < o->address + o->size)
			evr_die("%s:%u and %s:%u access the same memory in different sizes, which %s does not support",
				o->site->file, o->site->line, e->site->file, e->site->line, who);
	}
}
