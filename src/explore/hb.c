/*
 * Events are a stack: each remembers what it has replaced at its location and in its chain, and so can be undone.
 * Invariant: the clock of an event is complete when the event has been added, and does not change.
 */
#include "explore/hb.h"

#include <string.h>

#define NONE ((uint32_t)-1)

/* What is known of a location, in the trace so far. */
struct evr_hb_location {
	evr_event_id access, write;
	evr_event_id acquire; /* the lock that took this mutex last */
};

void evr_hb_init(struct evr_hb *o, const struct evr_trace *t)
{
	*o = (struct evr_hb){ .trace = t };
	for (unsigned i = 0; i < EVR_MAX_THREADS; i++)
		o->thread_chain[i] = o->update_chain[i] = o->created[i] = NONE;
	evr_forwards_init(&o->forwards, t);
}

void evr_hb_release(struct evr_hb *o)
{
	evr_vecs_release(&o->events, &o->races, &o->last, &o->next);
	evr_locations_release(&o->locations);
	evr_vec_release(&o->at);
	evr_forwards_release(&o->forwards);
	evr_clocks_release(&o->clocks);
	evr_clocks_release(&o->now);
}

/* ---- clocks ---- */

static int32_t *clock_of(const struct evr_hb *o, evr_event_id e)
{
	return evr_clocks_at(&o->clocks, e);
}

static void join(const struct evr_hb *o, int32_t *clock, evr_event_id e)
{
	evr_clock_join(clock, clock_of(o, e), o->clocks.width);
}

static bool covers(const struct evr_hb *o, const int32_t *clock, evr_event_id e)
{
	const struct evr_hb_event *x = &o->events.data[e];
	return evr_clock_has(clock, x->chain, x->position);
}

/* Events without a clock may have gone beyond the last row. */
static void resize(struct evr_hb *o, uint32_t width, size_t rows)
{
	evr_clocks_resize(&o->clocks, width, rows, o->events.len);
	evr_clocks_resize(&o->now, width, 1, 1);
}

static void add_chain(struct evr_hb *o)
{
	uint32_t width = o->clocks.width;
	size_t rows = o->clocks.rows;
	if (o->last.len == width)
		resize(o, width ? 2 * width : EVR_CLOCK_LANES, rows > o->events.len ? rows : 2 * o->events.len + 64);
	evr_vec_push(&o->last, EVR_NO_EVENT);
	evr_vec_push(&o->next, NONE);
}

static uint32_t thread_chain(struct evr_hb *o, evr_thread_id t)
{
	if (EVR_UNLIKELY(o->thread_chain[t] == NONE)) {
		o->thread_chain[t] = (uint32_t)o->last.len;
		add_chain(o);
	}
	return o->thread_chain[t];
}

/* A chain of the thread's updates whose last one is in the past of this one: under TSO any. */
static uint32_t update_chain(struct evr_hb *o, evr_thread_id t, evr_event_id id)
{
	for (uint32_t c = o->update_chain[t]; c != NONE; c = o->next.data[c]) {
		evr_event_id last = o->last.data[c];
		if (last == EVR_NO_EVENT || covers(o, clock_of(o, id), last))
			return c;
	}
	uint32_t c = (uint32_t)o->last.len;
	add_chain(o);
	o->next.data[c] = o->update_chain[t];
	o->update_chain[t] = c;
	return c;
}

static inline void append_to_chain(struct evr_hb *o, evr_event_id id, uint32_t chain)
{
	struct evr_hb_event *x = &o->events.data[id];
	x->chain = chain;
	x->before = o->last.data[chain];
	x->position = x->before == EVR_NO_EVENT ? 0 : o->events.data[x->before].position + 1;
	evr_clock_set(clock_of(o, id), chain, x->position);
	o->last.data[chain] = id;
	evr_clock_set(o->now.data, chain, x->position);
}

/* ---- edges and races ---- */

/* Could b have happened without a, which is before it? */
static bool reversible(const struct evr_event *a, const struct evr_event *b)
{
	/* A lock waits until the mutex is free; `expected` says whether it was free before a. */
	return b->kind != EVR_LOCK || !evr_event_is_mutex(a) || !a->holder;
}

/* An access that must come before event id, if nothing else says so already. To be called from the newest to the oldest. */
static void after(struct evr_hb *o, evr_event_id id, evr_event_id earlier)
{
	const struct evr_event *a = &o->trace->events.data[earlier], *b = &o->trace->events.data[id];
	int32_t *clock = clock_of(o, id);
	if (covers(o, clock, earlier))
		return;
	/* Within a thread only two updates of the same bytes: there is no order between a thread's load and its own update. */
	if (a->thread == b->thread && (a->kind != EVR_UPDATE || b->kind != EVR_UPDATE))
		return;
	if (a->thread != b->thread && reversible(a, b))
		evr_vec_push(&o->races, (struct evr_race){ earlier, id });
	join(o, clock, earlier);
}

/* After all accesses to these bytes that an event that changes them must follow, by looking at every event. */
static void change_slowly(struct evr_hb *o, evr_event_id id, const struct evr_access *a)
{
	bool update = o->trace->events.data[id].kind == EVR_UPDATE;
	for (evr_event_id i = id; i-- > 0;) {
		const struct evr_access *x = &o->events.data[i].access;
		if (o->events.data[i].chain == NONE || x->kind == EVR_ACCESS_NONE ||
		    !evr_overlap(x->address, x->size, a->address, a->size) || (x->kind == EVR_ACCESS_FREE && !update))
			continue;
		if (x->forward) {
			uint32_t bytes = evr_common_bytes(x->address, x->size, a->address, a->size);
			if (!(bytes & evr_memory_bytes(&o->forwards, x)) &&
			    !evr_forwards_updated_since(&o->forwards, x, o->trace->events.data[i].thread, bytes))
				continue;
		}
		after(o, id, i);
	}
}

static void read_slowly(struct evr_hb *o, evr_event_id id, const struct evr_access *a)
{
	/* Of a larger piece of memory all changes count: those that others have overwritten do no harm. */
	bool large = a->size > 32;
	uint32_t open = evr_memory_bytes(&o->forwards, a);
	for (evr_event_id i = id; i-- > 0 && open;) {
		const struct evr_access *x = &o->events.data[i].access;
		if (o->events.data[i].chain == NONE || x->kind != EVR_ACCESS_WRITE ||
		    !evr_overlap(x->address, x->size, a->address, a->size))
			continue;
		uint32_t bytes = evr_common_bytes(a->address, a->size, x->address, x->size);
		if (bytes & open || large)
			after(o, id, i);
		if (!large)
			open &= ~bytes;
	}
}

static void change(struct evr_hb *o, evr_event_id id, const struct evr_hb_location *l)
{
	evr_event_id i = l->access;
	for (; i != EVR_NO_EVENT && i != l->write; i = o->events.data[i].older_access)
		after(o, id, i);
	if (i == EVR_NO_EVENT)
		return;
	after(o, id, i);
	evr_event_id store = o->events.data[i].store;
	if (store != EVR_NO_EVENT && o->events.data[store].forwarded != EVR_NO_EVENT)
		after(o, id, o->events.data[store].forwarded);
}

static void remember(struct evr_hb *o, evr_event_id id, struct evr_hb_location *l)
{
	struct evr_hb_event *x = &o->events.data[id];
	x->older_access = l->access;
	x->older_write = l->write;
	l->access = id;
	if (x->access.kind == EVR_ACCESS_WRITE)
		l->write = id;
}

/* A load that takes nothing from memory; it will count as a reader of that store when the store is in memory. */
static void remember_forwarded(struct evr_hb *o, evr_event_id id)
{
	struct evr_hb_event *x = &o->events.data[id];
	x->store = evr_forwards_source(&o->forwards, &x->access, o->trace->events.data[id].thread);
	x->older_access = o->events.data[x->store].forwarded;
	o->events.data[x->store].forwarded = id;
	x->location = NONE;
}

static bool acquires(const struct evr_event *e)
{
	bool locks = e->kind == EVR_LOCK || e->kind == EVR_TRYLOCK || e->kind == EVR_TIMEDLOCK;
	return locks && !e->result && !e->holder;
}

/* The lock could have been the one before; the unlock between them is no reason, since it would then not be there. */
static void acquire(struct evr_hb *o, evr_event_id id, struct evr_hb_location *l)
{
	evr_event_id k = l->acquire;
	if (k != EVR_NO_EVENT && o->trace->events.data[k].thread != o->trace->events.data[id].thread &&
	    !covers(o, clock_of(o, id), k))
		evr_vec_push(&o->races, (struct evr_race){ k, id });
	o->events.data[id].older_acquire = k;
	l->acquire = id;
}

/* It may be about any part of a mutex, so that it has no location of its own; after a finding speed does not matter. */
static bool is_anywhere(const struct evr_event *e)
{
	return e->kind == EVR_FAULT;
}

/* Memory is gone: after the stores that have taken effect in it. */
static void come_after_updates(struct evr_hb *o, evr_event_id id, const struct evr_event *e)
{
	for (evr_event_id i = id; i-- > 0;) {
		const struct evr_event *x = &o->trace->events.data[i];
		if (x->kind == EVR_UPDATE && evr_overlap(x->address, x->size, e->address, e->size))
			after(o, id, i);
	}
}

static inline struct evr_hb_location *at(struct evr_hb *o, uint32_t location)
{
	while (EVR_UNLIKELY(o->at.len <= location))
		evr_vec_push(&o->at, (struct evr_hb_location){ EVR_NO_EVENT, EVR_NO_EVENT, EVR_NO_EVENT });
	return &o->at.data[location];
}

static void access_memory(struct evr_hb *o, evr_event_id id, const struct evr_event *e)
{
	struct evr_hb_event *x = &o->events.data[id];
	const struct evr_access *a = &x->access;
	struct evr_hb_location *l = NULL;
	bool mixed = false;
	if (!is_anywhere(e)) {
		uint32_t location = evr_locations_get(&o->locations, a->address, a->size);
		x->location = location;
		l = at(o, location);
		mixed = o->locations.all.data[location].mixed;
		x->acquires = acquires(e);
		if (x->acquires)
			acquire(o, id, l);
	}
	bool slowly = !l || mixed || o->faults || (o->frees && e->kind == EVR_UPDATE);
	if (a->kind == EVR_ACCESS_WRITE) {
		if (slowly)
			change_slowly(o, id, a);
		else
			change(o, id, l);
	} else if (slowly) {
		read_slowly(o, id, a);
	} else if (!a->forward && l->write != EVR_NO_EVENT) {
		after(o, id, l->write);
	}
	if (l && !(a->forward && !mixed))
		remember(o, id, l);
	else if (l)
		remember_forwarded(o, id);
	o->faults += is_anywhere(e);
}

static void set_access(struct evr_hb *o, struct evr_access *a, const struct evr_event *e)
{
	a->address = e->address;
	a->size = e->size;
	a->kind = EVR_ACCESS_NONE;
	a->forward = 0;
	switch (e->kind) {
	case EVR_READ:
		a->kind = EVR_ACCESS_READ;
		if (o->forwards.buffered[e->thread].len)
			a->forward = evr_forwards_of(&o->forwards, e);
		break;
	case EVR_WRITE:
		a->kind = e->flags & EVR_BUFFERED ? EVR_ACCESS_NONE : EVR_ACCESS_WRITE;
		break;
	case EVR_FAULT:
		a->kind = EVR_ACCESS_READ;
		break;
	case EVR_FREE:
		a->kind = EVR_ACCESS_FREE;
		break;
	case EVR_START:
	case EVR_EXIT:
	case EVR_CREATE:
	case EVR_JOIN:
		break;
	default:
		if (evr_event_writes(e))
			a->kind = EVR_ACCESS_WRITE;
		else if (evr_event_reads(e))
			a->kind = EVR_ACCESS_READ;
	}
}

/* The event whose clock is that of the thread, now. */
static inline evr_event_id last_of(const struct evr_hb *o, evr_thread_id t)
{
	uint32_t chain = o->thread_chain[t];
	return chain != NONE && o->last.data[chain] != EVR_NO_EVENT ? o->last.data[chain] : o->created[t];
}

static void after_chain(struct evr_hb *o, int32_t *clock, uint32_t chain)
{
	if (chain != NONE && o->last.data[chain] != EVR_NO_EVENT)
		join(o, clock, o->last.data[chain]);
}

static void after_own_updates(struct evr_hb *o, int32_t *clock, evr_thread_id t)
{
	for (uint32_t c = o->update_chain[t]; c != NONE; c = o->next.data[c])
		after_chain(o, clock, c);
}

static void after_thread(struct evr_hb *o, int32_t *clock, evr_thread_id t)
{
	evr_event_id last = last_of(o, t);
	if (last != EVR_NO_EVENT)
		join(o, clock, last);
	after_own_updates(o, clock, t);
}

static void add_update(struct evr_hb *o, evr_event_id id, const struct evr_event *e)
{
	evr_event_id store = evr_forwards_update(&o->forwards, e->thread, e->index);
	int32_t *clock = clock_of(o, id);
	o->events.data[id].store = store;
	evr_clock_copy(clock, clock_of(o, store), o->clocks.width);
	for (uint32_t c = o->update_chain[e->thread]; c != NONE; c = o->next.data[c]) {
		evr_event_id u = o->last.data[c];
		while (u != EVR_NO_EVENT && o->trace->events.data[u].index >= e->barrier)
			u = o->events.data[u].before;
		if (u != EVR_NO_EVENT)
			join(o, clock, u);
	}
	access_memory(o, id, e);
	append_to_chain(o, id, update_chain(o, e->thread, id));
}

static void buffer(struct evr_hb *o, evr_event_id id, const struct evr_event *e)
{
	o->buffers = true;
	evr_vec_push(&o->forwards.buffered[e->thread], id);
	/* Its location must be known to overlap before a load takes some of its bytes from here, and others from memory. */
	evr_locations_get(&o->locations, e->address, e->size);
}

/* Does it order nothing that was not ordered before? Then it needs no clock. */
static bool is_idle(struct evr_hb *o, const struct evr_event *e)
{
	if (e->kind == EVR_CREATE && o->update_chain[e->thread] == NONE) {
		o->created[(evr_thread_id)e->other] = last_of(o, e->thread);
		return true;
	}
	return e->kind == EVR_START || e->kind == EVR_EXIT || (e->kind == EVR_FREE && !(e->flags & EVR_OVERTAKES));
}

static void add_thread_event(struct evr_hb *o, evr_event_id id, const struct evr_event *e)
{
	evr_thread_id t = e->thread;
	uint32_t chain = thread_chain(o, t);
	int32_t *clock = clock_of(o, id);
	evr_event_id before = last_of(o, t);
	if (EVR_LIKELY(before != EVR_NO_EVENT))
		evr_clock_copy(clock, clock_of(o, before), o->clocks.width);
	else
		evr_clock_clear(clock, o->clocks.width);
	if (o->update_chain[t] != NONE && evr_event_flushes(e))
		after_own_updates(o, clock, t);
	if (e->kind == EVR_JOIN)
		after_thread(o, clock, (evr_thread_id)e->other);
	else if (e->kind == EVR_CREATE)
		o->created[(evr_thread_id)e->other] = id;
	else if (evr_event_is_buffered(e))
		buffer(o, id, e);
	else if (e->kind == EVR_CHOOSE && e->choices > 1)
		evr_vec_push(&o->races, (struct evr_race){ id, id });
	else if (EVR_UNLIKELY(e->kind == EVR_FREE))
		come_after_updates(o, id, e);
	else if (o->events.data[id].access.kind != EVR_ACCESS_NONE)
		access_memory(o, id, e);
	o->frees += e->kind == EVR_FREE;
	append_to_chain(o, id, chain);
}

/* ---- what nearly all events are ---- */

/*
 * Where no store was ever buffered, nothing is freed and no access has failed: a thread's access to a location that no other overlaps. Its own accesses
 * are in its clock, and those of others are ordered and race as in after(). False: it is none of these.
 */
static inline bool add_simple(struct evr_hb *o, evr_event_id id, const struct evr_event *e)
{
	const uint32_t chain = o->thread_chain[e->thread], width = o->clocks.width;
	if (e->kind >= EVR_CREATE || e->kind == EVR_FENCE || chain == NONE || id >= o->clocks.rows ||
	    EVR_UNLIKELY(o->buffers | o->faults | o->frees))
		return false;
	const bool mutex = e->kind >= EVR_LOCK;
	const bool writes = e->kind != EVR_READ && (e->kind <= EVR_RMW || evr_event_writes(e));
	if ((mutex && !writes && !evr_event_reads(e)) || EVR_UNLIKELY(evr_event_is_buffered(e)))
		return false;
	const uint32_t location = evr_locations_get(&o->locations, e->address, e->size);
	if (EVR_UNLIKELY(o->locations.all.data[location].mixed))
		return false;
	struct evr_hb_location *l = at(o, location);
	struct evr_hb_event *events = o->events.data, *x = &events[id];
	int32_t *clocks = o->clocks.data, *clock = &clocks[(size_t)id * width];
	const evr_event_id before = o->last.data[chain], write = l->write;
	const evr_event_id cause = before != EVR_NO_EVENT ? before : o->created[e->thread];
	if (EVR_LIKELY(cause != EVR_NO_EVENT))
		evr_clock_copy(clock, &clocks[(size_t)cause * width], width);
	else
		evr_clock_clear(clock, width);
	x->access = (struct evr_access){ e->address, e->size, writes ? EVR_ACCESS_WRITE : EVR_ACCESS_READ, 0 };
	x->chain = chain;
	x->position = (uint32_t)o->now.data[chain];
	x->before = before;
	x->location = location;
	x->older_access = l->access;
	x->older_write = write;
	x->older_acquire = x->forwarded = x->store = EVR_NO_EVENT;
	x->acquires = mutex && acquires(e);
	x->simple = true;
	if (EVR_UNLIKELY(x->acquires))
		acquire(o, id, l);
	for (evr_event_id i = writes ? l->access : write; i != EVR_NO_EVENT;
	     i = i == write ? EVR_NO_EVENT : events[i].older_access) {
		if (evr_clock_has(clock, events[i].chain, events[i].position))
			continue;
		if (reversible(&o->trace->events.data[i], e))
			evr_vec_push(&o->races, (struct evr_race){ i, id });
		evr_clock_join(clock, &clocks[(size_t)i * width], width);
	}
	evr_clock_set(clock, chain, x->position);
	l->access = id;
	l->write = writes ? id : write;
	o->last.data[chain] = id;
	o->now.data[chain]++;
	o->events.len++;
	return true;
}

void evr_hb_add(struct evr_hb *o)
{
	evr_event_id id = (evr_event_id)o->events.len;
	const struct evr_event *e = &o->trace->events.data[id];
	evr_vec_reserve(&o->events, id + 1u);
	if (EVR_LIKELY(add_simple(o, id, e)))
		return;
	struct evr_hb_event *x = &o->events.data[id];
	x->chain = x->location = NONE;
	x->simple = x->acquires = false;
	if (is_idle(o, e)) {
		o->events.len++;
		return;
	}
	thread_chain(o, e->thread);
	if (EVR_UNLIKELY(id >= o->clocks.rows))
		resize(o, o->clocks.width, 2 * ((size_t)id + 1));
	set_access(o, &x->access, e);
	x->older_access = x->older_write = x->older_acquire = x->forwarded = x->store = EVR_NO_EVENT;
	o->events.len++;
	if (e->kind == EVR_UPDATE)
		add_update(o, id, e);
	else
		add_thread_event(o, id, e);
}

static void undo_last(struct evr_hb *o)
{
	evr_event_id id = (evr_event_id)o->events.len - 1;
	const struct evr_hb_event *x = &o->events.data[id];
	const struct evr_event *e = &o->trace->events.data[id];
	o->events.len--;
	if (e->kind == EVR_CREATE)
		o->created[(evr_thread_id)e->other] = EVR_NO_EVENT;
	if (x->chain == NONE)
		return;
	o->last.data[x->chain] = x->before;
	o->now.data[x->chain]--;
	if (x->location != NONE) {
		struct evr_hb_location *l = &o->at.data[x->location];
		l->access = x->older_access;
		l->write = x->older_write;
		if (x->acquires)
			l->acquire = x->older_acquire;
	} else if (x->store != EVR_NO_EVENT && e->kind == EVR_READ) {
		o->events.data[x->store].forwarded = x->older_access;
	}
	if (x->simple)
		return;
	if (e->kind == EVR_UPDATE)
		evr_forwards_undo_update(&o->forwards, e->thread, x->store);
	else if (evr_event_is_buffered(e))
		o->forwards.buffered[e->thread].len--;
	o->frees -= e->kind == EVR_FREE;
	o->faults -= is_anywhere(e);
}

void evr_hb_rewind(struct evr_hb *o, evr_event_id n)
{
	while (o->races.len && evr_vec_last(&o->races).second >= n)
		o->races.len--;
	while (o->events.len > n)
		undo_last(o);
}

bool evr_hb_only(const struct evr_hb *o, const int32_t *lengths, evr_event_id a, evr_event_id b)
{
	const struct evr_hb_event *x = &o->events.data[a], *y = &o->events.data[b];
	return evr_clock_missing(lengths, clock_of(o, b), o->clocks.width) == 2 &&
	       (int32_t)x->position == lengths[x->chain] && (int32_t)y->position == lengths[y->chain];
}

bool evr_hb_known_to(const struct evr_hb *o, evr_event_id e, evr_thread_id t)
{
	evr_event_id last = last_of(o, t);
	if (last != EVR_NO_EVENT && evr_hb_before(o, e, last))
		return true;
	for (uint32_t c = o->update_chain[t]; c != NONE; c = o->next.data[c])
		if (o->last.data[c] != EVR_NO_EVENT && evr_hb_before(o, e, o->last.data[c]))
			return true;
	return false;
}

evr_event_id evr_hb_holder(const struct evr_hb *o, uintptr_t mutex, uint32_t size)
{
	uint32_t location = evr_locations_find(&o->locations, mutex, size);
	return location < o->at.len ? o->at.data[location].acquire : EVR_NO_EVENT;
}
