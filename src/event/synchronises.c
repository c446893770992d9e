/*
 * From each read back along the release sequences that it has read from.
 *
 * Invariant: an edge leads from an event of the trace to a later one, since the trace respects program order and reads-from.
 */
#include "event/synchronises.h"

#include "event/happens.h"

#include <stdlib.h>

struct sync {
	const struct evr_graph *graph;
	const struct evr_event *events;
	/* Of each event, the nearest fence of its thread that releases, before it, and that acquires, behind it; or EVR_NO_EVENT. */
	EVR_VEC(evr_event_id) released, acquired;
	EVR_VEC(size_t) reads; /* of each event: where in the graph's reads its own begin */
	EVR_VEC(evr_event_id) seen; /* of each write: the read, plus 1, that has last come by */
	EVR_VEC(evr_event_id) todo; /* members of release sequences that are still to be looked at */
	evr_sw_edges *out;
};

static evr_event_id *thread_fences(void)
{
	evr_event_id *fences = evr_alloc(EVR_MAX_THREADS * sizeof(*fences));
	for (unsigned i = 0; i < EVR_MAX_THREADS; i++)
		fences[i] = EVR_NO_EVENT;
	return fences;
}

static void find_fences(struct sync *s, size_t n)
{
	evr_event_id *last = thread_fences(), *next = thread_fences();
	for (size_t i = 0; i < n; i++) {
		const struct evr_event *e = &s->events[i];
		if (e->kind == EVR_FENCE && evr_order_releases(evr_happens_order(e)))
			last[e->thread] = (evr_event_id)i;
		evr_vec_push(&s->released, last[e->thread]);
		evr_vec_push(&s->acquired, EVR_NO_EVENT);
	}
	for (size_t i = n; i-- > 0;) {
		const struct evr_event *e = &s->events[i];
		s->acquired.data[i] = next[e->thread];
		if (e->kind == EVR_FENCE && evr_order_acquires(evr_happens_order(e)))
			next[e->thread] = (evr_event_id)i;
	}
	free(last);
	free(next);
}

static void find_reads(struct sync *s, size_t n)
{
	size_t r = 0;
	for (size_t i = 0; i < n; i++) {
		while (r < s->graph->reads.len && s->graph->reads.data[r].read < i)
			r++;
		evr_vec_push(&s->reads, r);
		evr_vec_push(&s->seen, 0);
	}
}

static bool is_atomic(const struct evr_event *e)
{
	return evr_event_is_access(e) && evr_happens_order(e) != EVR_PLAIN;
}

static void add(struct sync *s, evr_event_id from, evr_event_id to)
{
	if (from != EVR_NO_EVENT && s->events[from].thread != s->events[to].thread)
		evr_vec_push(s->out, ((struct evr_sw_edge){ from, to }));
}

/* The writes that the bytes of `read` come from are members of release sequences that `reader` has read from. */
static void add_sources(struct sync *s, evr_event_id read, evr_event_id reader)
{
	const struct evr_graph *g = s->graph;
	for (size_t i = s->reads.data[read]; i < g->reads.len && g->reads.data[i].read == read; i++) {
		evr_event_id source = g->reads.data[i].source;
		if (source == EVR_NO_EVENT || s->seen.data[source] == reader + 1 || !is_atomic(&s->events[source]))
			continue;
		s->seen.data[source] = reader + 1;
		evr_vec_push(&s->todo, source);
	}
}

/*
 * What releases the write, other than a release order of its own: a fence before it or, with the release sequences of C11, an earlier release
 * write of its thread to the location. Of both, the later one: it comes after the other in program order.
 */
static evr_event_id released_by(const struct sync *s, evr_event_id w)
{
	const struct evr_event *e = &s->events[w];
	evr_event_id fence = s->released.data[w];
	for (evr_event_id i = w; s->graph->trace->c11_release_sequences && i-- > 0;) {
		const struct evr_event *o = &s->events[i];
		if (fence == i)
			return fence;
		if (o->thread == e->thread && is_atomic(o) && evr_event_writes(o) &&
		    evr_order_releases(evr_happens_order(o)) && o->address < e->address + e->size &&
		    e->address < o->address + o->size)
			return i;
	}
	return fence;
}

static void add_atomic(struct sync *s, evr_event_id reader)
{
	bool acquires = evr_order_acquires(evr_happens_order(&s->events[reader]));
	evr_event_id to = acquires ? reader : s->acquired.data[reader];
	if (to == EVR_NO_EVENT)
		return;
	add_sources(s, reader, reader);
	while (s->todo.len) {
		evr_event_id w = s->todo.data[--s->todo.len];
		unsigned order = evr_happens_order(&s->events[w]);
		bool releases = evr_order_releases(order);
		add(s, releases ? w : released_by(s, w), to);
		/* A read-modify-write continues the sequence that it has read from. */
		if (s->events[w].kind != EVR_WRITE && !(releases && evr_order_acquires(order)))
			add_sources(s, w, reader);
	}
}

static void add_lock(struct sync *s, evr_event_id lock)
{
	const struct evr_event *e = &s->events[lock];
	if (!evr_event_writes(e) || evr_happens_ignores_lock(e) || e->source == EVR_NO_EVENT)
		return;
	const struct evr_event *u = &s->events[e->source];
	if (u->kind == EVR_UNLOCK && !evr_happens_ignores_lock(u))
		add(s, e->source, lock);
}

static int by_events(const void *a, const void *b)
{
	const struct evr_sw_edge *x = a, *y = b;
	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return (x->to > y->to) - (x->to < y->to);
}

/* A fence stands for all reads before it, and several of them may have read from one sequence. */
static void leave_each_once(evr_sw_edges *out)
{
	size_t n = 0;
	if (out->len)
		qsort(out->data, out->len, sizeof(*out->data), by_events);
	for (size_t i = 0; i < out->len; i++)
		if (!i || by_events(&out->data[i], &out->data[n - 1]))
			out->data[n++] = out->data[i];
	out->len = n;
}

void evr_sw_find(const struct evr_graph *g, evr_sw_edges *out)
{
	size_t n = g->trace->events.len;
	struct sync s = { .graph = g, .events = g->trace->events.data, .out = out };
	find_fences(&s, n);
	find_reads(&s, n);
	for (evr_event_id i = 0; i < n; i++) {
		const struct evr_event *e = &s.events[i];
		if (e->kind == EVR_LOCK || e->kind == EVR_TRYLOCK || e->kind == EVR_TIMEDLOCK)
			add_lock(&s, i);
		else if (is_atomic(e) && evr_event_reads(e))
			add_atomic(&s, i);
	}
	leave_each_once(out);
	evr_vecs_release(&s.released, &s.acquired, &s.reads);
	evr_vecs_release(&s.seen, &s.todo);
}
