/*
 * By axioms: all coherence orders, one location after the other: what is the same in every order is kept (a read-modify-write comes right after its
 * source, and the writes of a thread stay in its order), and of the rest every permutation is tried.
 *
 * Invariant: the first `placed` writes of the location that is filled are in their places, and all locations before it are full.
 */
#include "model/possible.h"

#include "model/oracle.h"

#include <stdlib.h>
#include <string.h>

/* ---- by the oracle ---- */

/* Does a reads-from trace have the event? The others are between them. */
static bool is_recorded(const struct evr_event *e)
{
	return e->kind < EVR_CREATE || e->kind == EVR_CHOOSE || e->kind == EVR_FAULT;
}

bool evr_model_possible(const struct evr_model_ops *model, const struct evr_trace *t)
{
	struct evr_rf *rf = evr_alloc(sizeof(*rf));
	evr_rf_init(rf, t);
	rf->names_sources = true;
	for (evr_event_id i = 0; i < t->events.len; i++)
		if (is_recorded(&t->events.data[i]))
			evr_vec_push(&rf->position, i);
	evr_rf_begin(rf);
	evr_rf_finish(rf);
	struct evr_oracle *oracle = model->oracle->create(rf);
	bool possible = oracle->ops->possible(oracle);
	oracle->ops->destroy(oracle);
	evr_rf_release(rf);
	free(rf);
	return possible;
}

/* ---- by axioms ---- */

struct orders {
	const struct evr_model_ops *model;
	struct evr_graph graph;
	EVR_VEC(size_t)
	first; /* of each location whose order is open: its first byte in the graph; the others follow */
	unsigned tried, most;
};

static const struct evr_event *event(const struct orders *o, evr_event_id id)
{
	return &o->graph.trace->events.data[id];
}

/* Mutexes have the order in which they were taken. */
static bool is_open(const struct orders *o, size_t byte)
{
	const struct evr_graph_byte *b = &o->graph.bytes.data[byte];
	return b->writes.len > 1 && evr_event_is_access(event(o, b->writes.data[0])) &&
	       event(o, b->writes.data[0])->address == b->address;
}

/* All bytes of a location have the same writes. */
static void copy_order(struct orders *o, size_t byte)
{
	const struct evr_graph_byte *b = &o->graph.bytes.data[byte];
	uint32_t size = event(o, b->writes.data[0])->size;
	for (uint32_t k = 1; k < size; k++) {
		const uint64_t *other = evr_map_get(&o->graph.byte_of, b->address + k);
		EVR_ASSERT(other && o->graph.bytes.data[*other].writes.len == b->writes.len);
		memcpy(o->graph.bytes.data[*other].writes.data, b->writes.data,
		       b->writes.len * sizeof(*b->writes.data));
	}
}

static bool is_exchange(const struct evr_event *e)
{
	return e->kind != EVR_WRITE;
}

/* May the write be the next one of its location? */
static bool may_follow(const struct orders *o, const struct evr_graph_byte *b, size_t placed, evr_event_id w)
{
	evr_event_id last = placed ? b->writes.data[placed - 1] : EVR_NO_EVENT;
	if (is_exchange(event(o, w)) && event(o, w)->source != last)
		return false;
	for (size_t i = placed; i < b->writes.len; i++) {
		evr_event_id v = b->writes.data[i];
		if (v != w && event(o, v)->thread == event(o, w)->thread && v < w)
			return false;
		if (v != w && is_exchange(event(o, v)) && event(o, v)->source == last)
			return false;
	}
	return true;
}

static void swap(struct evr_graph_byte *b, size_t i, size_t k)
{
	evr_event_id w = b->writes.data[i];
	b->writes.data[i] = b->writes.data[k];
	b->writes.data[k] = w;
}

/* Is there an order, with what is placed, that the model allows? */
static bool place(struct orders *o, size_t location, size_t placed)
{
	if (o->tried >= o->most)
		return false;
	if (location == o->first.len) {
		o->tried++;
		return o->model->allows(&o->graph);
	}
	struct evr_graph_byte *b = &o->graph.bytes.data[o->first.data[location]];
	if (placed == b->writes.len) {
		copy_order(o, o->first.data[location]);
		return place(o, location + 1, 0);
	}
	for (size_t i = placed; i < b->writes.len; i++) {
		if (!may_follow(o, b, placed, b->writes.data[i]))
			continue;
		swap(b, placed, i);
		if (place(o, location, placed + 1))
			return true;
		swap(b, placed, i);
	}
	return false;
}

enum evr_possible evr_model_possible_by_axioms(const struct evr_model_ops *model, const struct evr_trace *t,
					       unsigned most)
{
	struct orders o = { .model = model, .most = most };
	evr_graph_build(&o.graph, t, true);
	for (size_t i = 0; i < o.graph.bytes.len; i++)
		if (is_open(&o, i))
			evr_vec_push(&o.first, i);
	bool possible = place(&o, 0, 0), undecided = !possible && o.tried >= o.most;
	evr_vec_release(&o.first);
	evr_graph_release(&o.graph);
	return possible ? EVR_POSSIBLE : undecided ? EVR_UNDECIDED : EVR_IMPOSSIBLE;
}

/* ---- a part of an execution ---- */

/* Mark the events of `t` that `last` depends on. */
static void mark(const struct evr_trace *t, evr_event_id last, bool *needed)
{
	bool *threads = evr_alloc(EVR_MAX_THREADS); /* all events so far of these are needed */
	needed[last] = true;
	for (evr_event_id i = last + 1; i-- > 0;) {
		const struct evr_event *e = &t->events.data[i];
		needed[i] |= threads[e->thread] || (e->kind == EVR_CREATE && threads[e->other]);
		if (!needed[i])
			continue;
		threads[e->thread] = true;
		if (e->kind == EVR_JOIN)
			threads[e->other] = true;
		if (evr_event_reads(e) && e->source != EVR_NO_EVENT)
			needed[e->source] = true;
	}
	free(threads);
}

void evr_model_part(const struct evr_trace *t, evr_event_id last, struct evr_trace *part)
{
	size_t n = t->events.len;
	bool *needed = evr_alloc(n + 1);
	evr_event_id *number = evr_alloc((n + 1) * sizeof(*number));
	mark(t, last, needed);
	part->c11_release_sequences = t->c11_release_sequences;
	for (evr_event_id i = 0; i <= last; i++) {
		number[i] = needed[i] ? (evr_event_id)part->events.len : EVR_NO_EVENT;
		if (!needed[i])
			continue;
		struct evr_event e = t->events.data[i];
		e.source = e.source < i ? number[e.source] : EVR_NO_EVENT;
		evr_vec_push(&part->events, e);
	}
	free(needed);
	free(number);
}
