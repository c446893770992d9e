/*
 * Engine `rvf`: the tree of the search. Which reads have their turn at a node, and which values do they get?
 *
 * Invariant: a read that has had its turn at a node gets, below it, no value again that it could have got there: its causal map says so.
 */
#include "event/mutex.h"

#include "explore/rvf_search.h"

#include <string.h>

#define NONE EVR_NO_EVENT

/* What a thread is about to do, in the terms of the search. */
enum turn {
	EXTENDS, /* it reads nothing that others write: at once */
	READS,
	CHOOSES,
	WAITS, /* for a mutex */
};

/* ---- nodes ---- */

static enum turn turn_of(const struct evr_rvf_search *f, evr_thread_id t)
{
	const struct evr_event *e = &f->base.world->pending[t];
	switch (e->kind) {
	case EVR_LOCK:
	case EVR_TRYLOCK:
	case EVR_TIMEDLOCK:
		if (evr_mutex_held_by(evr_mutex_at(e->address), t))
			return EXTENDS;
		return e->kind == EVR_LOCK && evr_mutex_holder(evr_mutex_at(e->address)) ? WAITS : READS;
	case EVR_READ:
	case EVR_RMW:
	case EVR_CAS:
	case EVR_MUTEX_DESTROY:
		return READS;
	case EVR_CHOOSE:
		return CHOOSES;
	default:
		return EXTENDS;
	}
}

/* A thread whose turn it is in this way, from `from` on; EVR_NO_THREAD: none. */
static evr_thread_id find_turn(const struct evr_rvf_search *f, enum turn turn, unsigned from)
{
	const struct evr_world *w = f->base.world;
	for (unsigned t = from; t < w->threads; t++)
		if (w->waiting[t] && turn_of(f, (evr_thread_id)t) == turn)
			return (evr_thread_id)t;
	return EVR_NO_THREAD;
}

evr_thread_id evr_rvf_extends(const struct evr_rvf_search *f)
{
	return find_turn(f, EXTENDS, 0);
}

static evr_value mutex_state(const struct evr_event *e)
{
	const struct evr_mutex *m = evr_mutex_at(e->address);
	if (evr_mutex_destroyed(m, e->lock))
		return EVR_RVF_DESTROYED;
	return !evr_mutex_holder(m)                ? EVR_RVF_FREE
	       : evr_mutex_holder(m) == EVR_NOBODY ? EVR_RVF_HELD | 4
						   : EVR_RVF_HELD;
}

static void add_mutation(struct evr_rvf_search *f, evr_thread_id t)
{
	const struct evr_event *e = &f->base.world->pending[t];
	struct evr_rvf_pending p = {
		.thread = t,
		.kind = e->kind,
		.op = e->op,
		.flags = f->joined[t] ? EVR_RVF_FIRST : 0,
		.size = e->size,
		.location = EVR_NO_LOCATION,
		.past = evr_rvf_keep_past(f, t),
		.written = e->written,
		.expected = e->expected,
	};
	if (e->kind != EVR_CHOOSE) {
		const struct evr_cell_range *l = evr_rvf_location_of(f, e);
		p.flags |= EVR_RVF_READS;
		p.location = l->component;
		p.cell = l->cell;
		p.cells = l->cells;
		p.address = e->address;
		if (EVR_UNLIKELY(p.cells > 1) && e->kind != EVR_READ && !f->unsignalled) {
			f->unsignalled = true;
			evr_rvf_halt(f);
		}
		p.size = evr_event_is_mutex(e) ? EVR_MUTEX_EXTENT : e->size;
		p.initial = evr_event_is_mutex(e) ? mutex_state(e) : evr_memory_load(e->address, e->size);
	}
	evr_vec_push(&f->mutate, p);
}

/* Any order will do, and some have fewer executions; with this one the numbers of paper 001 come out. */
static unsigned rank_of(const struct evr_event *e)
{
	return e->kind == EVR_READ ? 1 : evr_event_is_mutex(e) ? 2 : 0;
}

/* Those that were not tried above come first: only for these signals are of use. A choice comes before all. */
static void add_mutations(struct evr_rvf_search *f, struct evr_rvf_node *n)
{
	const struct evr_world *w = f->base.world;
	const uint32_t *causal = evr_rvf_causal(f, n);
	evr_thread_id choosing = find_turn(f, CHOOSES, 0);
	if (choosing != EVR_NO_THREAD) {
		add_mutation(f, choosing);
		return;
	}
	for (unsigned rank = 0; rank < 3; rank++)
		for (evr_thread_id t = find_turn(f, READS, 0); t != EVR_NO_THREAD; t = find_turn(f, READS, t + 1u))
			if (causal[t] == NONE && rank_of(&w->pending[t]) == rank)
				add_mutation(f, t);
	for (evr_thread_id t = find_turn(f, READS, 0); t != EVR_NO_THREAD; t = find_turn(f, READS, t + 1u))
		if (causal[t] != NONE)
			add_mutation(f, t);
}

/* The causal map of a new node is its parent's, but for the thread whose read brought it here. */
static void inherit(struct evr_rvf_search *f, const struct evr_rvf_node *n)
{
	const struct evr_rvf_node *parent = f->nodes.len ? evr_rvf_top(f) : NULL;
	evr_vec_reserve(&f->per_thread, f->per_thread.len + 2u * n->threads);
	memcpy(evr_rvf_counts(f, n), f->count, n->threads * sizeof(*f->count));
	for (unsigned t = 0; t < n->threads; t++)
		evr_rvf_causal(f, n)[t] = parent && t < parent->threads ? evr_rvf_causal(f, parent)[t] : NONE;
	if (parent)
		evr_rvf_causal(f, n)[f->mutate.data[parent->first].thread] = NONE;
	f->per_thread.len += 2u * n->threads;
}

/* A lock that waits could have come before whoever holds the mutex. */
static void signal_holders(struct evr_rvf_search *f)
{
	for (evr_thread_id t = find_turn(f, WAITS, 0); t != EVR_NO_THREAD; t = find_turn(f, WAITS, t + 1u)) {
		const struct evr_event *e = &f->base.world->pending[t];
		uint32_t location = evr_rvf_location_of(f, e)->component,
			 holder = evr_mutex_holder(evr_mutex_at(e->address));
		for (uint32_t i = f->asking.data[location]; i != NONE; i = f->nodes.data[i].above) {
			struct evr_rvf_node *n = &f->nodes.data[i];
			if (n->wrote && (holder == EVR_NOBODY || f->mutate.data[n->first].thread + 1u == holder)) {
				n->backtrack = true;
				break;
			}
		}
	}
}

struct evr_rvf_node *evr_rvf_add_node(struct evr_rvf_search *f)
{
	struct evr_rvf_node n = {
		.events = (evr_event_id)f->x.events.len,
		.order = f->order,
		.counts = (uint32_t)f->per_thread.len,
		.threads = f->base.world->threads,
		.first = (uint32_t)f->mutate.len,
		.backtrack = true,
	};
	signal_holders(f);
	inherit(f, &n);
	add_mutations(f, &n);
	n.pasts = f->x.past_count;
	n.end = (uint32_t)f->mutate.len;
	evr_vec_push(&f->nodes, n);
	return evr_rvf_top(f);
}

void evr_rvf_rewind_to(struct evr_rvf_search *f, struct evr_rvf_node *n)
{
	evr_rvf_rewind(&f->x, n->events);
	f->x.past_count = n->pasts;
	f->orders.len = n->order + n->events;
	f->mutate.len = n->end;
	f->per_thread.len = n->counts + 2u * n->threads;
	if (n->asks)
		f->asking.data[f->mutate.data[n->first].location] = n->above;
	n->asks = false;
}

/* ---- the values of a read ---- */

/* Does program order put the event before the read? */
static inline bool is_known(const struct evr_rvf_search *f, const struct evr_rvf_node *n,
			    const struct evr_rvf_pending *p, const struct evr_rvf_event *y)
{
	if (y->thread == p->thread)
		return y->index < f->per_thread.data[n->counts + p->thread];
	return evr_clock_has(evr_clocks_at(&f->x.pasts, p->past), y->thread, y->index);
}

bool evr_rvf_is_hidden(const struct evr_rvf_search *f, const struct evr_rvf_node *n, const struct evr_rvf_pending *p,
		       evr_event_id w, uint32_t cell)
{
	const struct evr_rvf *x = &f->x;
	for (evr_event_id i = x->newest.data[p->location]; i != NONE; i = x->events.data[i].older) {
		const struct evr_rvf_event *y = &x->events.data[i];
		if (i != w && y->flags & EVR_RVF_WRITES && evr_rvf_covers(y, cell) && is_known(f, n, p, y) &&
		    (w == NONE || evr_rvf_po(x, &x->events.data[w], y)))
			return true;
	}
	return false;
}

/* Is it one that the read must not read from at this node, or not from such alone? */
static inline bool is_forbidden(const struct evr_rvf_search *f, const struct evr_rvf_node *tried, evr_event_id w)
{
	if (!tried || w == NONE)
		return tried;
	const struct evr_rvf_event *y = &f->x.events.data[w];
	return y->thread < tried->threads && y->index < f->per_thread.data[tried->counts + y->thread];
}

/* The node at which the read had its turn before, or NULL. */
static const struct evr_rvf_node *tried_at(const struct evr_rvf_search *f, const struct evr_rvf_node *n,
					   const struct evr_rvf_pending *p)
{
	uint32_t map = f->per_thread.data[n->counts + n->threads + p->thread];
	return map == NONE ? NULL : &f->nodes.data[map];
}

bool evr_rvf_is_forbidden(const struct evr_rvf_search *f, const struct evr_rvf_node *n, const struct evr_rvf_pending *p,
			  evr_event_id w)
{
	return is_forbidden(f, tried_at(f, n, p), w);
}

/*
 * The paper's F_r. What hides a write comes behind it, and of each thread the last that the read comes after hides most: so those
 * that may be sources are asked about these alone.
 */
static void list_sources(struct evr_rvf_search *f, const struct evr_rvf_node *n, const struct evr_rvf_pending *p)
{
	const struct evr_rvf *x = &f->x;
	const struct evr_rvf_node *tried = tried_at(f, n, p);
	evr_vec_clear(&f->sources);
	evr_vec_clear(&f->hiding);
	for (evr_event_id i = x->newest.data[p->location]; i != NONE; i = x->events.data[i].older) {
		const struct evr_rvf_event *y = &x->events.data[i];
		if (!(y->flags & EVR_RVF_WRITES) || !evr_rvf_covers(y, p->cell))
			continue;
		bool hidden = false;
		for (size_t k = 0; !hidden && k < f->hiding.len; k++)
			hidden = evr_rvf_po(x, y, &x->events.data[f->hiding.data[k]]);
		if (!hidden && !is_forbidden(f, tried, i))
			evr_vec_push(&f->sources, i);
		if (!hidden && is_known(f, n, p, y))
			evr_vec_push(&f->hiding, i);
	}
	if (!tried && !f->hiding.len)
		evr_vec_push(&f->sources, NONE);
}

struct evr_rvf_value evr_rvf_initial(const struct evr_rvf_search *f, const struct evr_rvf_pending *p, uint32_t cell)
{
	const struct evr_rvf_cell *c = &f->x.cells.data[cell];
	bool here = evr_rvf_untouched(&f->x, p->location, cell);
	return (struct evr_rvf_value){
		here ? evr_rvf_piece(&f->x.division.cells.data[cell], p->address, p->cells, p->initial) : c->initial,
		c->unset
	};
}

static struct evr_rvf_value value_from(const struct evr_rvf_search *f, const struct evr_rvf_pending *p,
				       evr_event_id source)
{
	if (source != NONE)
		return (struct evr_rvf_value){ evr_rvf_written(&f->x, &f->x.events.data[source], p->cell), false };
	return evr_rvf_initial(f, p, p->cell);
}

static void add_value(struct evr_rvf_search *f, const struct evr_rvf_pending *p, struct evr_rvf_value v)
{
	if (p->kind == EVR_LOCK && (v.value & EVR_RVF_STATE) == EVR_RVF_HELD)
		return;
	for (size_t i = 0; i < f->values.len; i++)
		if (evr_rvf_same_value(f->values.data[i], v))
			return;
	evr_vec_push(&f->values, v);
}

/* The paper's D_r: first what the read finds if it comes last, for that needs no search. */
static void list_values(struct evr_rvf_search *f, const struct evr_rvf_node *n, const struct evr_rvf_pending *p)
{
	evr_vec_clear(&f->values);
	list_sources(f, n, p);
	for (size_t i = 0; i < f->sources.len; i++)
		if (f->sources.data[i] == n->active)
			add_value(f, p, value_from(f, p, n->active));
	for (size_t i = 0; i < f->sources.len; i++)
		add_value(f, p, value_from(f, p, f->sources.data[i]));
}

evr_event_id evr_rvf_active(const struct evr_rvf_search *f, const struct evr_rvf_node *n, uint32_t cell)
{
	for (size_t i = n->events; i-- > 0;) {
		evr_event_id e = f->orders.data[n->order + i];
		const struct evr_rvf_event *y = &f->x.events.data[e];
		if (evr_rvf_covers(y, cell) && y->flags & EVR_RVF_WRITES)
			return e;
	}
	return NONE;
}

/* What the event does if it reads this. */
static void set_written(const struct evr_rvf_pending *p, struct evr_rvf_event *y)
{
	bool writes = true;
	switch (p->kind) {
	case EVR_RMW:
		y->written = evr_rmw_result(p->op, y->read, p->written, p->size);
		break;
	case EVR_CAS:
		y->written = p->written;
		writes = y->read == p->expected;
		break;
	case EVR_LOCK:
	case EVR_TRYLOCK:
	case EVR_TIMEDLOCK:
		y->written = evr_rvf_held(p->lock);
		writes = evr_rvf_is_free(y->read);
		break;
	case EVR_MUTEX_DESTROY:
		y->written = EVR_RVF_DESTROYED;
		writes = evr_rvf_is_free(y->read);
		break;
	default:
		writes = false;
	}
	if (writes)
		y->flags |= EVR_RVF_WRITES;
}

void evr_rvf_append_pending(struct evr_rvf_search *f, const struct evr_rvf_node *n, const struct evr_rvf_pending *p,
			    evr_value read, unsigned flags)
{
	struct evr_rvf_event y = {
		.thread = p->thread,
		.kind = p->kind,
		.flags = (uint8_t)(p->flags | flags),
		.index = f->per_thread.data[n->counts + p->thread],
		.past = p->past,
		.location = p->location,
		.cell = p->cell,
		.cells = p->cells,
		.address = p->address,
		.size = p->size,
		.read = read,
	};
	if (p->location != EVR_NO_LOCATION)
		set_written(p, &y);
	for (uint32_t i = p->cell; i < p->cell + p->cells; i++) {
		struct evr_rvf_cell *c = &f->x.cells.data[i];
		if (evr_rvf_untouched(&f->x, p->location, i))
			c->initial = evr_rvf_piece(&f->x.division.cells.data[i], p->address, p->cells, p->initial);
	}
	evr_rvf_append(&f->x, &y);
}

/* ---- the next child ---- */

/* The new event comes last, in the order that is there. */
static void go_on(struct evr_rvf_search *f, const struct evr_rvf_node *n)
{
	f->order = n->order;
	evr_vec_push(&f->orders, n->events);
}

/*
 * Questions are what values cost: an engine that tells executions apart by their sources has fewer, and answers them in linear time. A step is about as much as an event
 * that is not executed again, and reset() looks at all events.
 */
#define MUCH 1000000 /* steps: some hundredths of a second */
#define LONG (20 * MUCH) /* so many for one question are too many in any case */
#define SHARE 8 /* and so many for each event of the executions that they led to */

static void note_work(struct evr_rvf_search *f, uint64_t steps)
{
	f->work += steps;
	if (f->base.wary && f->work > MUCH && f->work / SHARE > f->executed)
		f->base.costly = true;
}

/* One question alone may be too much. Nothing rests on its answer then: the search is over. */
static bool ask_for_witness(struct evr_rvf_search *f, const struct evr_rvf_node *n)
{
	struct evr_verify *v = &f->verify;
	uint64_t before = v->work + v->closure.steps;
	if (f->base.wary) {
		v->most = LONG;
		v->closure.most = v->closure.steps + LONG;
	}
	bool found = evr_verify_sc(v, &f->x, &f->orders.data[n->order], n->events);
	f->base.costly |= v->gave_up;
	v->most = v->closure.most = 0;
	note_work(f, v->work + v->closure.steps - before + n->events);
	return found;
}

bool evr_rvf_find_witness(struct evr_rvf_search *f, const struct evr_rvf_node *n, bool last)
{
	if (last) {
		go_on(f, n);
		return true;
	}
	if (!ask_for_witness(f, n))
		return false;
	f->order = (uint32_t)f->orders.len;
	for (size_t i = 0; i < f->verify.order.len; i++)
		evr_vec_push(&f->orders, f->verify.order.data[i]);
	return true;
}

/* Give the read its next value. False: there is none. */
static bool read_next(struct evr_rvf_search *f, struct evr_rvf_node *n, const struct evr_rvf_pending *p)
{
	list_values(f, n, p);
	n->values = (uint32_t)f->values.len;
	while (n->value < f->values.len) {
		struct evr_rvf_value v = f->values.data[n->value++];
		evr_rvf_append_pending(f, n, p, v.value, 0);
		uint32_t part = (uint32_t)f->x.parts.len - 1;
		for (size_t i = 0; i < f->sources.len; i++)
			if (evr_rvf_same_value(value_from(f, p, f->sources.data[i]), v))
				evr_rvf_add_good(&f->x, part, f->sources.data[i], true);
		if (evr_rvf_find_witness(f, n, evr_rvf_good(&f->x, part, n->active)))
			return true;
		evr_rvf_rewind(&f->x, n->events);
	}
	return false;
}

static bool take_next(struct evr_rvf_search *f, struct evr_rvf_node *n, const struct evr_rvf_pending *p)
{
	if (p->kind != EVR_CHOOSE)
		return EVR_LIKELY(p->cells == 1) ? read_next(f, n, p) : evr_rvf_read_divided(f, n, p);
	n->values = (uint32_t)p->choices;
	if (n->value >= n->values)
		return false;
	evr_rvf_append_pending(f, n, p, n->value++, 0);
	go_on(f, n);
	return true;
}

/* The child has been found: from now on the node waits for signals. */
static void ask(struct evr_rvf_search *f, struct evr_rvf_node *n, const struct evr_rvf_pending *p)
{
	const struct evr_rvf_event *y = &evr_vec_last(&f->x.events);
	n->has_child = true;
	if (p->location == EVR_NO_LOCATION)
		return;
	if (p->kind != EVR_READ)
		evr_rvf_signal(f, y);
	n->wrote = y->flags & EVR_RVF_WRITES;
	n->above = f->asking.data[p->location];
	n->asks = true;
	f->asking.data[p->location] = (uint32_t)(n - f->nodes.data);
}

bool evr_rvf_next_child(struct evr_rvf_search *f, struct evr_rvf_node *n)
{
	for (; n->first < n->end && EVR_LIKELY(!f->base.costly); n->first++) {
		const struct evr_rvf_pending *p = &f->mutate.data[n->first];
		uint32_t *causal = &evr_rvf_causal(f, n)[p->thread];
		if (!n->reading) {
			if (!n->backtrack)
				return false;
			if (*causal == NONE && !(f->verify.off & EVR_RVF_SIGNALS) && !f->unsignalled)
				n->backtrack = false;
			n->value = n->values = 0;
			n->reading = true;
			n->active = p->cells == 1 ? evr_rvf_active(f, n, p->cell) : NONE;
		}
		if (!n->given && take_next(f, n, p)) {
			ask(f, n, p);
			return true;
		}
		if (EVR_UNLIKELY(n->given))
			evr_rvf_join(f, n);
		/* The other reads are the parent's. */
		if (EVR_UNLIKELY(f->is_copy) && n == &f->nodes.data[f->floor])
			return false;
		n->reading = false;
		*causal = (uint32_t)(n - f->nodes.data);
	}
	return false;
}

bool evr_rvf_find_child(struct evr_rvf_search *f)
{
	while (f->nodes.len > f->floor) {
		struct evr_rvf_node *n = evr_rvf_top(f);
		evr_rvf_rewind_to(f, n);
		if (evr_rvf_next_child(f, n))
			return true;
		f->base.redundant += !n->has_child;
		f->nodes.len--;
	}
	return false;
}
