/*
 * The search for a predicted cycle in a trace goes along the cycle, label by label. Two accesses of different threads to a location
 * are ordered by the number of the write that each of them is, or has read, counted in the order in which writes took effect.
 *
 * Invariant: the accesses chosen so far are on a path of the cycle, and each thread occurs in one stretch of it.
 */
#include "event/confirm.h"

#include "base/map.h"

#include <stdlib.h>
#include <string.h>

#define NONE EVR_NO_EVENT
#define NEVER UINT32_MAX  /* the number of a write that did not take effect */
#define PATIENCE 10000000 /* so many events are looked at for a cycle in a long execution */

typedef EVR_VEC(evr_event_id) evr_event_ids;

/* A load that its own thread's store buffer has served. */
struct forwarded {
	evr_event_id load, store;
};

/* The order in which writes took effect. */
struct commits {
	/* Of an access: which write to its location it is, or has read, counted from 1 in this order; 0: the initial one. */
	EVR_VEC(uint32_t) of;
	EVR_VEC(evr_event_id) effect; /* of an access: where in the trace it took effect; EVR_NO_EVENT: never */
	struct evr_map count; /* address -> how many writes to it have taken effect so far */
	evr_event_ids buffered[EVR_MAX_THREADS]; /* the thread's stores that have not taken effect so far */
	EVR_VEC(struct forwarded) forwarded;
};

static uint32_t count_at(struct commits *c, uintptr_t address)
{
	uint64_t *known = evr_map_get(&c->count, address);
	return known ? (uint32_t)*known : 0;
}

static void commit(struct commits *c, evr_event_id e, uintptr_t address)
{
	uint32_t n = count_at(c, address) + 1;
	evr_map_put(&c->count, address, n);
	c->of.data[e] = n;
}

static void update(struct commits *c, const struct evr_trace *t, evr_event_id id)
{
	const struct evr_event *e = &t->events.data[id];
	evr_event_ids *buffer = &c->buffered[e->thread];
	commit(c, id, e->address);
	for (size_t i = 0; i < buffer->len; i++) {
		evr_event_id store = buffer->data[i];
		if (t->events.data[store].index != e->index)
			continue;
		c->of.data[store] = c->of.data[id];
		c->effect.data[store] = id;
		memmove(&buffer->data[i], &buffer->data[i + 1], (buffer->len - i - 1) * sizeof(*buffer->data));
		buffer->len--;
		return;
	}
}

/* A load that its own thread's buffer serves: the store, or EVR_NO_EVENT. */
static evr_event_id forwarded_from(const struct commits *c, const struct evr_trace *t, const struct evr_event *e)
{
	for (size_t i = c->buffered[e->thread].len; i-- > 0;) {
		evr_event_id store = c->buffered[e->thread].data[i];
		if (t->events.data[store].address == e->address)
			return store;
	}
	return NONE;
}

static void take_access(struct commits *c, const struct evr_trace *t, evr_event_id id)
{
	const struct evr_event *e = &t->events.data[id];
	c->effect.data[id] = id;
	if (evr_event_is_buffered(e)) {
		c->effect.data[id] = NONE;
		evr_vec_push(&c->buffered[e->thread], id);
	} else if (evr_event_writes(e)) {
		commit(c, id, e->address);
	} else if (e->kind == EVR_READ && e->flags & EVR_STALE) {
		c->of.data[id] = e->source == NONE ? 0 : c->of.data[e->source];
		c->effect.data[id] = e->source == NONE ? 0 : e->source;
	} else {
		evr_event_id store = e->kind == EVR_READ ? forwarded_from(c, t, e) : NONE;
		c->of.data[id] = count_at(c, e->address);
		if (store != NONE)
			evr_vec_push(&c->forwarded, (struct forwarded){ id, store });
	}
}

static void find_commits(struct commits *c, const struct evr_trace *t)
{
	evr_vec_reserve(&c->of, t->events.len + 1);
	evr_vec_reserve(&c->effect, t->events.len + 1);
	EVR_ASSERT(c->of.data);
	memset(c->of.data, 0, t->events.len * sizeof(*c->of.data));
	for (evr_event_id i = 0; i < t->events.len; i++) {
		if (t->events.data[i].kind == EVR_UPDATE)
			update(c, t, i);
		else if (evr_event_is_access(&t->events.data[i]))
			take_access(c, t, i);
	}
	/* A forwarded load has read a store that took effect after the load, or never. */
	for (size_t i = 0; i < c->forwarded.len; i++) {
		uint32_t store = c->of.data[c->forwarded.data[i].store];
		c->of.data[c->forwarded.data[i].load] = store ? store : NEVER;
	}
}

static void release_commits(struct commits *c)
{
	evr_vecs_release(&c->of, &c->effect, &c->forwarded);
	evr_map_release(&c->count);
	for (unsigned i = 0; i < EVR_MAX_THREADS; i++)
		evr_vec_release(&c->buffered[i]);
}

/* A search for the events of the cycle: those in `out` up to some length are a path along it. */
struct confirming {
	const struct evr_predicted *cycle;
	const struct evr_trace *t;
	struct commits commits;
	evr_event_ids at[EVR_MAX_CYCLE]; /* the accesses from each label, in the order of the trace */
	struct evr_confirmed *out;
	size_t patience; /* how many more accesses are tried */
};

/* The paper's conflict order: a comes first at their location. */
static bool conflicts(const struct confirming *k, evr_event_id a, evr_event_id b)
{
	const struct evr_event *x = &k->t->events.data[a], *y = &k->t->events.data[b];
	uint32_t c = k->commits.of.data[a], d = k->commits.of.data[b];
	bool stored = evr_event_writes(x), stores = evr_event_writes(y);
	/* A store that never took effect comes after all that did; of two that did not, nobody knows. */
	if (stored && !c)
		c = NEVER;
	if (stores && !d)
		d = NEVER;
	if (x->address != y->address || x->thread == y->thread || c == NEVER)
		return false;
	return stores ? c < d : stored && c <= d;
}

static bool is_visited(const struct confirming *k, unsigned length, evr_thread_id thread)
{
	for (unsigned i = 0; i < length; i += 2)
		if (k->t->events.data[k->out->event[i]].thread == thread)
			return true;
	return false;
}

static bool is_patient(struct confirming *k)
{
	k->patience -= k->patience > 0;
	return k->patience;
}

static bool find_second(struct confirming *k, unsigned i);

/* The i-th event, the second one of its thread, has been found: is there a next one? The earliest of a thread will do. */
static bool cross(struct confirming *k, unsigned i)
{
	evr_event_id from = k->out->event[i];
	if (i + 1 == k->cycle->length)
		return conflicts(k, from, k->out->event[0]);
	for (size_t n = 0; n < k->at[i + 1].len && is_patient(k); n++) {
		evr_event_id e = k->at[i + 1].data[n];
		if (!conflicts(k, from, e) || is_visited(k, i + 1, k->t->events.data[e].thread))
			continue;
		k->out->event[i + 1] = e;
		if (find_second(k, i + 2))
			return true;
	}
	return false;
}

/* The second one of a thread: the same as the first, or one behind it. */
static bool find_second(struct confirming *k, unsigned i)
{
	evr_event_id first = k->out->event[i - 1];
	for (size_t n = 0; n < k->at[i].len && is_patient(k); n++) {
		evr_event_id e = k->at[i].data[n];
		if (e < first || k->t->events.data[e].thread != k->t->events.data[first].thread)
			continue;
		k->out->event[i] = e;
		if (cross(k, i))
			return true;
	}
	return false;
}

bool evr_predicted_confirm(const struct evr_predicted *c, const struct evr_trace *t, struct evr_confirmed *out)
{
	struct confirming k = { .cycle = c, .t = t, .out = out, .patience = PATIENCE };
	bool found = false;
	for (evr_event_id i = 0; i < t->events.len; i++)
		for (unsigned n = 0; evr_event_is_access(&t->events.data[i]) && n < c->length; n++)
			if (t->events.data[i].site == c->label[n])
				evr_vec_push(&k.at[n], i);
	bool possible = true;
	for (unsigned n = 0; n < c->length; n++)
		possible &= k.at[n].len > 0;
	if (possible)
		find_commits(&k.commits, t);
	for (size_t n = 0; possible && !found && n < k.at[0].len; n++) {
		out->event[0] = k.at[0].data[n];
		found = find_second(&k, 1);
	}
	for (unsigned n = 0; found && n < c->length; n += 2) {
		evr_event_id a = k.commits.effect.data[out->event[n]], b = k.commits.effect.data[out->event[n + 1]];
		out->overtook[n / 2] = out->event[n] != out->event[n + 1] && b < a;
	}
	release_commits(&k.commits);
	for (unsigned n = 0; n < c->length; n++)
		evr_vec_release(&k.at[n]);
	return found;
}
