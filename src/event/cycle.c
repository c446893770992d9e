/*
 * The search for short cycles: from an event, by communication, back to it, by program order.
 *
 * Invariant: communication alone never comes back. It leads to what took effect later, or, where events name their sources, to what
 * comes later in the coherence of one location.
 */
#include "event/cycle.h"

#include <string.h>

#define NOWHERE UINT32_MAX

/* One byte of an access; those of an event follow each other from `first_byte` of the event on. */
struct byte {
	uint32_t number;    /* in graph.bytes */
	uint32_t co_index;     /* of a write: its index in coherence, or NOWHERE */
	uint32_t after;     /* of a read: the index of the write after its source, or NOWHERE */
	uint32_t readers;   /* of a write: a list of bytes that read it, */
	uint32_t next;      /* of a read: linked here */
	evr_event_id event;
};

struct node {
	evr_event_id effect;
	uint32_t first_byte;
	evr_event_id parent; /* in the search */
	enum evr_cycle_edge edge;
	bool seen;
};

struct evr_cycle_search {
	const struct evr_trace *trace;
	bool names_sources;
	struct evr_graph graph; /* built when the first cycle is looked for */
	bool built;
	EVR_VEC(struct node) nodes;
	EVR_VEC(struct byte) bytes;
	EVR_VEC(bool) starts; /* a cycle may be looked for from here */
	EVR_VEC(evr_event_id) order;          /* the threads' own events: thread by thread, each in its order */
	uint32_t first[EVR_MAX_THREADS + 1];  /* of a thread, in `order` */
	evr_event_id joined[EVR_MAX_THREADS]; /* by this event */
	/*
	 * Of the search: it has seen the events of a thread, and the writes to a byte, from here on. Each is so looked at
	 * once, though program order, coherence and from-reads lead to all that come after.
	 */
	uint32_t thread_seen[EVR_MAX_THREADS];
	EVR_VEC(uint32_t) byte_seen;
	EVR_VEC(evr_event_id) queue;
	evr_event_id over;   /* where it began */
	evr_event_id
		closed; /* a store that `over` overtook has been reached; where events name their sources, `over` itself */
};

const char *evr_cycle_edge_name(enum evr_cycle_edge edge)
{
	static const char *const names[] = { "po", "create", "join", "rf", "co", "fr" };
	return names[edge];
}

struct evr_cycle_search *evr_cycle_search_new(void)
{
	return evr_alloc(sizeof(struct evr_cycle_search));
}

void evr_cycle_search_free(struct evr_cycle_search *s)
{
	evr_graph_release(&s->graph);
	evr_vecs_release(&s->nodes, &s->bytes, &s->starts, &s->order, &s->byte_seen, &s->queue);
	free(s);
}

static const struct evr_event *event(const struct evr_cycle_search *s, evr_event_id id)
{
	return &s->trace->events.data[id];
}

/* A fence that updates a hidden location does no such thing under SC: see model/interleaving.h. */
static bool accesses(const struct evr_event *e)
{
	return e->kind != EVR_UPDATE && e->kind != EVR_FENCE && (evr_event_reads(e) || evr_event_writes(e));
}

/* ---- preparation ---- */

static void add_nodes(struct evr_cycle_search *s)
{
	size_t n = s->trace->events.len;
	evr_vec_clear(&s->nodes);
	evr_vec_clear(&s->bytes);
	for (size_t i = 0; i < n; i++) {
		const struct evr_event *e = event(s, (evr_event_id)i);
		evr_vec_push(&s->nodes,
			     (struct node){ .effect = (evr_event_id)i, .first_byte = (uint32_t)s->bytes.len });
		for (unsigned k = 0; accesses(e) && k < e->size; k++)
			evr_vec_push(&s->bytes, (struct byte){ .co_index = NOWHERE,
							       .after = NOWHERE,
							       .readers = NOWHERE,
							       .next = NOWHERE,
							       .event = (evr_event_id)i });
	}
}

/*
 * Invariant: event number n of thread t is order[first[t] + n]. Events without a number, such as the DRAIN before a create, are left
 * out; they are no accesses, so no cycle needs them.
 */
static void add_threads(struct evr_cycle_search *s)
{
	evr_vec_clear(&s->order);
	for (unsigned t = 0; t < EVR_MAX_THREADS; t++) {
		s->first[t] = (uint32_t)s->order.len;
		s->joined[t] = EVR_NO_EVENT;
		for (size_t i = 0; s->trace->counts[t] && i < s->trace->events.len; i++) {
			const struct evr_event *e = event(s, (evr_event_id)i);
			if (e->thread != t || evr_event_uncounted(e))
				continue;
			EVR_ASSERT(s->first[t] + e->index == s->order.len);
			evr_vec_push(&s->order, (evr_event_id)i);
		}
	}
	s->first[EVR_MAX_THREADS] = (uint32_t)s->order.len;
	for (size_t i = 0; i < s->trace->events.len; i++)
		if (event(s, (evr_event_id)i)->kind == EVR_JOIN)
			s->joined[(evr_thread_id)event(s, (evr_event_id)i)->other] = (evr_event_id)i;
}

static struct byte *byte_of(struct evr_cycle_search *s, evr_event_id id, uintptr_t address)
{
	return &s->bytes.data[s->nodes.data[id].first_byte + (address - event(s, id)->address)];
}

static void add_communication(struct evr_cycle_search *s)
{
	const struct evr_graph *g = &s->graph;
	if (s->built)
		return;
	s->built = true;
	evr_graph_build(&s->graph, s->trace, s->names_sources);
	for (size_t b = 0; b < g->bytes.len; b++) {
		const struct evr_graph_byte *x = &g->bytes.data[b];
		for (size_t i = 0; i < x->writes.len && accesses(event(s, x->writes.data[i])); i++) {
			struct byte *w = byte_of(s, x->writes.data[i], x->address);
			w->number = (uint32_t)b;
			w->co_index = (uint32_t)i;
		}
	}
	for (size_t i = 0; i < g->reads.len; i++) {
		const struct evr_graph_read *x = &g->reads.data[i];
		uintptr_t address = g->bytes.data[x->byte].address;
		if (!accesses(event(s, x->read)))
			continue;
		struct byte *r = byte_of(s, x->read, address);
		r->number = (uint32_t)x->byte;
		r->after = 0;
		if (x->source == EVR_NO_EVENT)
			continue;
		struct byte *w = byte_of(s, x->source, address);
		r->after = w->co_index == NOWHERE ? NOWHERE : w->co_index + 1;
		r->next = w->readers;
		w->readers = (uint32_t)(r - s->bytes.data);
	}
}

static void add_effects(struct evr_cycle_search *s)
{
	evr_vec_clear(&s->starts);
	for (size_t i = 0; i < s->nodes.len; i++) {
		const struct evr_event *e = event(s, (evr_event_id)i);
		evr_vec_push(&s->starts, false);
		if (e->kind != EVR_UPDATE)
			continue;
		evr_event_id store = s->order.data[s->first[e->thread] + e->index];
		EVR_ASSERT(evr_event_is_buffered(event(s, store)));
		s->nodes.data[store].effect = (evr_event_id)i;
	}
	for (unsigned t = 0; t < EVR_MAX_THREADS; t++) {
		evr_event_id latest = 0;
		for (uint32_t i = s->first[t]; i < s->first[t + 1]; i++) {
			evr_event_id id = s->order.data[i], effect = s->nodes.data[id].effect;
			s->starts.data[id] = (effect < latest || s->names_sources) && accesses(event(s, id));
			latest = effect > latest ? effect : latest;
		}
	}
}

void evr_cycle_search_begin(struct evr_cycle_search *s, const struct evr_trace *t, bool names_sources)
{
	s->trace = t;
	s->names_sources = names_sources;
	s->built = false;
	add_nodes(s);
	add_threads(s);
	add_effects(s);
}

evr_event_id evr_cycle_start(const struct evr_cycle_search *s, evr_event_id from)
{
	for (size_t i = from; i < s->starts.len; i++)
		if (s->starts.data[i])
			return (evr_event_id)i;
	return EVR_NO_EVENT;
}

evr_event_id evr_cycle_effect(const struct evr_cycle_search *s, evr_event_id e)
{
	return s->nodes.data[e].effect;
}

/* ---- breadth-first search ---- */

static bool overtook(const struct evr_cycle_search *s, evr_event_id over, evr_event_id store)
{
	return event(s, store)->thread == event(s, over)->thread && event(s, store)->index < event(s, over)->index &&
	       s->nodes.data[store].effect > s->nodes.data[over].effect;
}

static void visit(struct evr_cycle_search *s, evr_event_id from, enum evr_cycle_edge edge, evr_event_id to)
{
	struct node *n = &s->nodes.data[to];
	bool communication = edge == EVR_CYCLE_RF || edge == EVR_CYCLE_CO || edge == EVR_CYCLE_FR;
	/* Within a thread it agrees with program order, and that is how it is told. */
	if (communication && event(s, from)->thread == event(s, to)->thread) {
		communication = false;
		edge = EVR_CYCLE_PO;
	}
	if (s->names_sources && to == s->over) {
		/*
		 * The cycle comes back by program order; if communication leads back, it is found from elsewhere. What a
		 * read-modify-write reads is overwritten by itself.
		 */
		if (from != to && !communication && s->closed == EVR_NO_EVENT) {
			n->parent = from;
			n->edge = edge;
			s->closed = to;
		}
		return;
	}
	/* From `over` not by program order: there is a shorter way from the event before it to there. */
	if (n->seen || (from == s->over && !communication))
		return;
	n->seen = true;
	n->parent = from;
	n->edge = edge;
	evr_vec_push(&s->queue, to);
	/*
	 * Only communication may close the cycle. If program order leads to the store, then on to `over` as well, and there
	 * is a shorter cycle without the store; some other event overtook on that one.
	 */
	if (communication && !s->names_sources && s->closed == EVR_NO_EVENT && overtook(s, s->over, to))
		s->closed = to;
}

/* To the events of a thread from number `index` on. */
static void visit_thread(struct evr_cycle_search *s, evr_event_id from, enum evr_cycle_edge edge, evr_thread_id t,
			 uint32_t index)
{
	uint32_t start = s->first[t] + index;
	for (uint32_t i = start; i < s->thread_seen[t]; i++)
		visit(s, from, edge, s->order.data[i]);
	if (start < s->thread_seen[t])
		s->thread_seen[t] = start;
}

/* To the writes of a byte from an index in coherence on. */
static void visit_writes(struct evr_cycle_search *s, evr_event_id from, enum evr_cycle_edge edge, uint32_t byte,
			 uint32_t co_index)
{
	const struct evr_graph_byte *b = &s->graph.bytes.data[byte];
	for (uint32_t i = co_index; i < s->byte_seen.data[byte]; i++)
		visit(s, from, edge, b->writes.data[i]);
	/* From `over`, some of them were left out. */
	if (co_index < s->byte_seen.data[byte] && from != s->over)
		s->byte_seen.data[byte] = co_index;
}

static void visit_communication(struct evr_cycle_search *s, evr_event_id from)
{
	const struct evr_event *e = event(s, from);
	for (unsigned k = 0; accesses(e) && k < e->size; k++) {
		const struct byte *b = &s->bytes.data[s->nodes.data[from].first_byte + k];
		for (uint32_t i = b->readers; i != NOWHERE; i = s->bytes.data[i].next)
			visit(s, from, EVR_CYCLE_RF, s->bytes.data[i].event);
		if (b->co_index != NOWHERE)
			visit_writes(s, from, EVR_CYCLE_CO, b->number, b->co_index + 1);
		if (b->after != NOWHERE)
			visit_writes(s, from, EVR_CYCLE_FR, b->number, b->after);
	}
}

static void visit_program_order(struct evr_cycle_search *s, evr_event_id from)
{
	const struct evr_event *e = event(s, from);
	visit_thread(s, from, EVR_CYCLE_PO, e->thread, e->index + 1);
	if (e->kind == EVR_CREATE)
		visit_thread(s, from, EVR_CYCLE_CREATE, (evr_thread_id)e->other, 0);
	if (s->joined[e->thread] != EVR_NO_EVENT)
		visit(s, from, EVR_CYCLE_JOIN, s->joined[e->thread]);
}

static void reset_search(struct evr_cycle_search *s, evr_event_id over)
{
	for (size_t i = 0; i < s->nodes.len; i++)
		s->nodes.data[i].seen = false;
	for (unsigned t = 0; t < EVR_MAX_THREADS; t++)
		s->thread_seen[t] = s->first[t + 1];
	evr_vec_clear(&s->byte_seen);
	for (size_t b = 0; b < s->graph.bytes.len; b++)
		evr_vec_push(&s->byte_seen, (uint32_t)s->graph.bytes.data[b].writes.len);
	evr_vec_clear(&s->queue);
	s->over = over;
	s->closed = EVR_NO_EVENT;
	s->nodes.data[over].seen = true;
}

bool evr_cycle_through(struct evr_cycle_search *s, evr_event_id over, evr_cycle *out)
{
	add_communication(s);
	reset_search(s, over);
	visit_communication(s, over);
	for (size_t i = 0; i < s->queue.len && s->closed == EVR_NO_EVENT; i++) {
		visit_communication(s, s->queue.data[i]);
		visit_program_order(s, s->queue.data[i]);
	}
	evr_vec_clear(out);
	if (s->closed == EVR_NO_EVENT)
		return false;
	/* Back from the event that closes the cycle; then turn it round. What leads to `over` comes first. */
	evr_event_id last = s->closed == over ? s->nodes.data[over].parent : s->closed;
	for (evr_event_id id = last; id != over; id = s->nodes.data[id].parent)
		evr_vec_push(out, (struct evr_cycle_step){ .event = s->nodes.data[id].parent,
							   .edge = s->nodes.data[id].edge });
	evr_vec_push(out, (struct evr_cycle_step){
				  .event = last, .edge = last == s->closed ? EVR_CYCLE_PO : s->nodes.data[over].edge });
	for (size_t i = 0, k = out->len - 1; i < k; i++, k--) {
		struct evr_cycle_step swap = out->data[i];
		out->data[i] = out->data[k];
		out->data[k] = swap;
	}
	for (size_t i = 0; i < out->len; i++) {
		struct evr_cycle_step *step = &out->data[i];
		step->overtaken =
			step->edge == EVR_CYCLE_PO && overtook(s, out->data[(i + 1) % out->len].event, step->event);
	}
	return true;
}

/* ---- where a fence would help ---- */

static bool ordered(const struct evr_trace *t, evr_event_id a, evr_event_id b, evr_keep_fn *keep)
{
	const struct evr_event *x = &t->events.data[a], *y = &t->events.data[b];
	return keep(t, x, y) || (evr_event_writes(x) && evr_event_writes(y) && evr_events_conflict(x, y));
}

bool evr_cycle_relaxed(const struct evr_trace *t, evr_event_id a, evr_event_id b, evr_keep_fn *keep)
{
	if (!keep || ordered(t, a, b, keep))
		return false;
	for (evr_event_id i = a + 1; i < b; i++) {
		const struct evr_event *e = &t->events.data[i];
		if (e->thread == t->events.data[a].thread && e->kind != EVR_UPDATE && ordered(t, a, i, keep) &&
		    ordered(t, i, b, keep))
			return false;
	}
	return true;
}

static bool is_program_order(const struct evr_cycle_step *step)
{
	return step->edge == EVR_CYCLE_PO || step->edge == EVR_CYCLE_CREATE || step->edge == EVR_CYCLE_JOIN;
}

/* Is there a full fence between the two events? If one of them creates or joins the other's thread, in that thread. */
static bool has_fence(const struct evr_trace *t, evr_event_id a, evr_event_id b, enum evr_cycle_edge edge)
{
	evr_thread_id thread = t->events.data[edge == EVR_CYCLE_CREATE ? b : a].thread;
	for (evr_event_id i = a + 1; i < b; i++) {
		const struct evr_event *e = &t->events.data[i];
		if (e->thread == thread && e->kind == EVR_FENCE && evr_event_order(e) == EVR_SEQ_CST)
			return true;
	}
	return false;
}

/* How good a place for a fence is between the two: where other models need one, too; else as late as possible. */
static unsigned rank_place(const struct evr_event *a, const struct evr_event *b)
{
	return evr_event_writes(a) && evr_event_reads(b) ? 2 : 1;
}

/* From step `first` on so many steps are happens-before: choose one of them, unless there is a fence already. */
static void place_one(const struct evr_trace *t, evr_cycle *c, size_t first, size_t n)
{
	struct evr_cycle_step *best = NULL;
	unsigned best_rank = 0;
	for (size_t i = first; i < first + n; i++) {
		struct evr_cycle_step *step = &c->data[i % c->len];
		evr_event_id a = step->event, b = c->data[(i + 1) % c->len].event;
		if (is_program_order(step) && has_fence(t, a, b, step->edge))
			return;
		unsigned rank = rank_place(&t->events.data[a], &t->events.data[b]);
		if (step->edge == EVR_CYCLE_PO && rank >= best_rank) {
			best = step;
			best_rank = rank;
		}
	}
	if (best)
		best->fence = true;
}

void evr_cycle_place_fences(const struct evr_trace *t, evr_cycle *c, evr_synchronise_fn *synchronises)
{
	size_t first = c->len;
	EVR_VEC(bool) ordered = { 0 };
	for (size_t i = 0; i < c->len; i++) {
		const struct evr_cycle_step *step = &c->data[i];
		const struct evr_event *a = &t->events.data[step->event];
		const struct evr_event *b = &t->events.data[c->data[(i + 1) % c->len].event];
		bool reads = step->edge == EVR_CYCLE_RF && (!synchronises || synchronises(t, a, b));
		evr_vec_push(&ordered, is_program_order(step) || reads);
		c->data[i].fence = false;
		if (!ordered.data[i])
			first = i;
	}
	/* Begin behind a step that is not happens-before; there is one. */
	for (size_t i = 1, begin = i; first < c->len && i <= c->len; i++) {
		if (ordered.data[(first + i) % c->len])
			continue;
		place_one(t, c, first + begin, i - begin);
		begin = i + 1;
	}
	evr_vec_release(&ordered);
}
