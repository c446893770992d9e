#include "explore/verify_sc.h"

#include "base/map.h"

#include <string.h>

#define NONE EVR_NO_EVENT
#define GREEDY NONE   /* the rank of a step that has no alternatives */
#define BUCKETS 1024u /* a power of two, to begin with */

struct evr_verify_location {
	evr_event_id active; /* EVR_NO_EVENT: the initial write */
	uint32_t held;       /* by so many reads */
	uint32_t wanted;     /* the initial write is good for so many reads that have not been executed */
	bool used;
};

struct evr_verify_step {
	evr_event_id event;
	evr_event_id overwritten; /* what was active before it, if it writes */
	uint32_t rank; /* those of lower rank have been tried in its place; or GREEDY */
};

char *evr_rvf_heuristics(const char *names, unsigned *set)
{
	static const char *const known[] = { "closure", "guide", "greedy", "signals" };
	*set = 0;
	for (;; names++) {
		size_t n = strcspn(names, ","), i = 0;
		while (i < EVR_COUNT(known) && (strlen(known[i]) != n || strncmp(known[i], names, n) != 0))
			i++;
		if (i == EVR_COUNT(known))
			return evr_format("%.*s", (int)n, names);
		*set |= 1u << i;
		names += n;
		if (!*names)
			return NULL;
	}
}

/* ---- a witness state ---- */

static const struct evr_rvf_event *event_of(const struct evr_verify *v, evr_event_id e)
{
	return &v->x->events.data[e];
}

static bool is_executed(const struct evr_verify *v, evr_event_id e)
{
	return v->executed[event_of(v, e)->thread] > event_of(v, e)->index;
}

static void begin_location(struct evr_verify *v, uint32_t location)
{
	struct evr_verify_location *l = &v->at.data[location];
	if (l->used)
		return;
	*l = (struct evr_verify_location){ .active = NONE, .used = true };
	evr_vec_push(&v->locations, location);
}

static void begin_event(struct evr_verify *v, evr_event_id e)
{
	const struct evr_rvf_event *y = event_of(v, e);
	v->left.data[e] = y->goods;
	v->rank.data[e] = e;
	if (y->location == EVR_NO_LOCATION)
		return;
	begin_location(v, y->location);
	for (uint32_t i = 0; i < y->goods; i++) {
		evr_event_id w = v->x->goods.data[y->good + i].write;
		if (w != NONE) {
			v->wanted.data[w]++;
			continue;
		}
		v->at.data[y->location].wanted++;
		v->left.data[e]--;
	}
	if (y->flags & EVR_RVF_READS && !v->left.data[e])
		v->at.data[y->location].held++;
}

static void begin(struct evr_verify *v, const evr_event_id *guide, size_t n)
{
	const struct evr_rvf *x = v->x;
	for (size_t i = 0; i < v->locations.len; i++)
		v->at.data[v->locations.data[i]].used = false;
	evr_vec_clear(&v->locations);
	while (v->at.len < x->at.len)
		evr_vec_push(&v->at, (struct evr_verify_location){ .used = false });
	evr_vec_reserve(&v->wanted, x->events.len);
	evr_vec_reserve(&v->left, x->events.len);
	evr_vec_reserve(&v->rank, x->events.len);
	evr_vec_reserve(&v->path, x->events.len);
	memset(v->wanted.data, 0, x->events.len * sizeof(*v->wanted.data));
	for (evr_event_id e = 0; e < x->events.len; e++)
		begin_event(v, e);
	for (size_t i = 0; !(v->off & EVR_RVF_GUIDE) && i < n; i++)
		v->rank.data[guide[i]] = (evr_event_id)i;
	memset(v->executed, 0, x->threads * sizeof(*v->executed));
	evr_vec_clear(&v->path);
}

static void execute_read(struct evr_verify *v, evr_event_id e, const struct evr_rvf_event *y)
{
	struct evr_verify_location *l = &v->at.data[y->location];
	l->held -= !v->left.data[e];
	for (uint32_t i = 0; i < y->goods; i++) {
		evr_event_id w = v->x->goods.data[y->good + i].write;
		(*(w == NONE ? &l->wanted : &v->wanted.data[w]))--;
	}
}

static void execute_write(struct evr_verify *v, evr_event_id e, const struct evr_rvf_event *y)
{
	struct evr_verify_location *l = &v->at.data[y->location];
	l->active = e;
	for (uint32_t i = y->wanted; i != NONE; i = v->x->goods.data[i].next) {
		evr_event_id r = v->x->goods.data[i].read;
		if (!--v->left.data[r] && !is_executed(v, r))
			l->held++;
	}
}

static void execute(struct evr_verify *v, evr_event_id e, uint32_t rank)
{
	const struct evr_rvf_event *y = event_of(v, e);
	struct evr_verify_step s = { e, NONE, rank };
	if (y->flags & EVR_RVF_READS)
		execute_read(v, e, y);
	v->executed[y->thread]++;
	if (y->flags & EVR_RVF_WRITES) {
		s.overwritten = v->at.data[y->location].active;
		execute_write(v, e, y);
	}
	v->path.data[v->path.len++] = s;
	v->states++;
}

static void take_back_write(struct evr_verify *v, const struct evr_rvf_event *y, evr_event_id overwritten)
{
	struct evr_verify_location *l = &v->at.data[y->location];
	l->active = overwritten;
	for (uint32_t i = y->wanted; i != NONE; i = v->x->goods.data[i].next) {
		evr_event_id r = v->x->goods.data[i].read;
		if (!v->left.data[r]++ && !is_executed(v, r))
			l->held--;
	}
}

static void take_back_read(struct evr_verify *v, evr_event_id e, const struct evr_rvf_event *y)
{
	struct evr_verify_location *l = &v->at.data[y->location];
	l->held += !v->left.data[e];
	for (uint32_t i = 0; i < y->goods; i++) {
		evr_event_id w = v->x->goods.data[y->good + i].write;
		(*(w == NONE ? &l->wanted : &v->wanted.data[w]))++;
	}
}

static struct evr_verify_step take_back(struct evr_verify *v)
{
	struct evr_verify_step s = v->path.data[--v->path.len];
	const struct evr_rvf_event *y = event_of(v, s.event);
	if (y->flags & EVR_RVF_WRITES)
		take_back_write(v, y, s.overwritten);
	v->executed[y->thread]--;
	if (y->flags & EVR_RVF_READS)
		take_back_read(v, s.event, y);
	return s;
}

/* ---- what can be executed ---- */

/* Has all been executed that must come before? */
static bool is_minimal(const struct evr_verify *v, evr_event_id e, const struct evr_rvf_event *y)
{
	const uint32_t *past = v->x->pasts.data[y->past].count;
	for (unsigned t = 0; y->flags & EVR_RVF_FIRST && t < v->x->threads; t++)
		if (past[t] > v->executed[t])
			return false;
	for (unsigned t = 0; v->closed && t < v->x->threads; t++)
		if (v->closure.before[(size_t)e * v->closure.stride + t] > v->executed[t])
			return false;
	for (size_t i = 0; i < v->pairs.len; i++)
		if (v->pairs.data[i].second == e && !is_executed(v, v->pairs.data[i].first))
			return false;
	return true;
}

static bool is_executable(const struct evr_verify *v, evr_event_id e)
{
	const struct evr_rvf_event *y = event_of(v, e);
	if (y->location == EVR_NO_LOCATION)
		return is_minimal(v, e, y);
	const struct evr_verify_location *l = &v->at.data[y->location];
	bool reads = y->flags & EVR_RVF_READS;
	/* It may hold its location itself. */
	if (y->flags & EVR_RVF_WRITES && l->held > (reads && !v->left.data[e]))
		return false;
	return (!reads || evr_rvf_is_good(v->x, e, l->active)) && is_minimal(v, e, y);
}

/* The event that a thread makes next, if it can be executed. */
static evr_event_id next_of(const struct evr_verify *v, unsigned thread)
{
	const evr_rvf_ids *all = &v->x->of_thread[thread];
	if (v->executed[thread] == all->len)
		return NONE;
	evr_event_id e = all->data[v->executed[thread]];
	return is_executable(v, e) ? e : NONE;
}

/* Nobody wants what the write overwrites, nor what it writes. */
static bool is_unwanted(const struct evr_verify *v, evr_event_id e)
{
	const struct evr_verify_location *l = &v->at.data[event_of(v, e)->location];
	return !v->wanted.data[e] && !(l->active == NONE ? l->wanted : v->wanted.data[l->active]);
}

/*
 * An event that can be executed first if there is a witness at all; otherwise the one that comes next in the auxiliary trace, of
 * those whose rank is at least `rank`.
 */
static evr_event_id choose(const struct evr_verify *v, uint32_t *rank)
{
	evr_event_id best = NONE, unwanted = NONE;
	bool greedy = !*rank && !(v->off & EVR_RVF_GREEDY);
	for (unsigned t = 0; t < v->x->threads; t++) {
		evr_event_id e = next_of(v, t);
		if (e == NONE)
			continue;
		unsigned flags = event_of(v, e)->flags & (EVR_RVF_READS | EVR_RVF_WRITES);
		if (greedy && flags != EVR_RVF_WRITES && flags != (EVR_RVF_READS | EVR_RVF_WRITES)) {
			*rank = GREEDY;
			return e;
		}
		if (greedy && flags == EVR_RVF_WRITES && unwanted == NONE && is_unwanted(v, e))
			unwanted = e;
		if (v->rank.data[e] >= *rank && (best == NONE || v->rank.data[e] < v->rank.data[best]))
			best = e;
	}
	if (unwanted != NONE) {
		*rank = GREEDY;
		return unwanted;
	}
	if (best != NONE)
		*rank = v->rank.data[best] + 1;
	return best;
}

/* ---- the search ---- */

static struct evr_witness_state state_of(const struct evr_verify *v)
{
	struct evr_witness_state s = { 0, 1 };
	for (unsigned t = 0; t < v->x->threads; t++) {
		s.one = evr_hash64(s.one ^ v->executed[t]) + t;
		s.two = evr_hash64(s.two * 31 + v->executed[t]);
	}
	for (size_t i = 0; i < v->locations.len; i++) {
		evr_event_id active = v->at.data[v->locations.data[i]].active;
		s.one = evr_hash64(s.one ^ active) + i;
		s.two = evr_hash64(s.two * 31 + active);
	}
	return s;
}

/* Open addressing; 0 is nobody, others are one more than an index. */
static uint32_t *bucket_of(const struct evr_verify *v, struct evr_witness_state s)
{
	size_t mask = v->buckets.len - 1, i = (size_t)s.one & mask;
	while (v->buckets.data[i]) {
		const struct evr_witness_state *d = &v->dead.data[v->buckets.data[i] - 1];
		if (d->one == s.one && d->two == s.two)
			break;
		i = (i + 1) & mask;
	}
	return &v->buckets.data[i];
}

static bool is_dead(const struct evr_verify *v)
{
	return v->dead.len && *bucket_of(v, state_of(v));
}

static void forget_dead(struct evr_verify *v)
{
	if (v->dead.len)
		memset(v->buckets.data, 0, v->buckets.len * sizeof(*v->buckets.data));
	evr_vec_clear(&v->dead);
}

static void enlarge(struct evr_verify *v)
{
	size_t n = v->buckets.len ? 2 * v->buckets.len : BUCKETS;
	evr_vec_reserve(&v->buckets, n);
	v->buckets.len = n;
	memset(v->buckets.data, 0, n * sizeof(*v->buckets.data));
	for (size_t i = 0; i < v->dead.len; i++)
		*bucket_of(v, v->dead.data[i]) = (uint32_t)i + 1;
}

static void note_dead(struct evr_verify *v)
{
	if (2 * v->dead.len >= v->buckets.len)
		enlarge(v);
	struct evr_witness_state s = state_of(v);
	uint32_t *bucket = bucket_of(v, s);
	if (*bucket)
		return;
	evr_vec_push(&v->dead, s);
	*bucket = (uint32_t)v->dead.len;
}

/* Depth first. False: there is no witness, or patience has run out. */
static bool search(struct evr_verify *v, size_t patience)
{
	while (v->path.len < v->x->events.len) {
		uint32_t rank = 0;
		evr_event_id e = is_dead(v) ? NONE : choose(v, &rank);
		while (e == NONE) {
			note_dead(v);
			if (!v->path.len || v->dead.len > patience)
				return false;
			rank = take_back(v).rank;
			e = rank == GREEDY ? NONE : choose(v, &rank);
		}
		execute(v, e, rank);
	}
	return true;
}

bool evr_verify_sc(struct evr_verify *v, const struct evr_rvf *x, const evr_event_id *guide, size_t n)
{
	v->x = x;
	v->asked++;
	v->closed = false;
	bool closure = !(v->off & EVR_RVF_CLOSURE);
	begin(v, guide, n);
	bool found = search(v, closure ? v->patience : SIZE_MAX);
	if (!found && v->path.len) {
		v->filtered += !(v->closed = evr_closure_find(&v->closure, x, &v->pairs));
		forget_dead(v);
		begin(v, guide, n);
		found = v->closed && search(v, SIZE_MAX);
	}
	v->refuted += !found;
	forget_dead(v);
	evr_vec_reserve(&v->order, x->events.len + 1);
	v->order.len = found ? v->path.len : 0;
	for (size_t i = 0; i < v->order.len; i++)
		v->order.data[i] = v->path.data[i].event;
	return found;
}

void evr_verify_release(struct evr_verify *v)
{
	evr_closure_release(&v->closure);
	evr_vec_release(&v->pairs);
	evr_vec_release(&v->order);
	evr_vec_release(&v->rank);
	evr_vec_release(&v->left);
	evr_vec_release(&v->wanted);
	evr_vec_release(&v->at);
	evr_vec_release(&v->path);
	evr_vec_release(&v->locations);
	evr_vec_release(&v->dead);
	evr_vec_release(&v->buckets);
}
