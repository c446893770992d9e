/*
 * Cycles are searched depth first, as chains of races. Invariant: in each thread that a chain has come to, it goes on from an access that
 * may come after the one where it arrived.
 */
#include "event/predict.h"

#include "base/map.h"

#include <stdlib.h>
#include <string.h>

#define NONE EVR_NO_EVENT

/* All accesses of a thread from one label to one location. */
struct access {
	evr_thread_id thread;
	uint32_t label;
	uintptr_t address;
	uint32_t first, last; /* when, in its thread */
	uint32_t next;        /* of the same location, or EVR_NO_EVENT */
};

struct label {
	const struct evr_site *site;
	bool stores;
};

/*
 * A potential race between two labels in two threads. Of its many instances those count that leave most room for what comes before
 * in the one thread and after in the other: `from` is late, `to` is early.
 */
struct race {
	evr_thread_id from_thread, to_thread;
	uint32_t from, to; /* labels */
	uint32_t from_last, to_first; /* where these instances are in their threads */
	uintptr_t address; /* 0: of several locations */
	uint32_t next; /* from the same thread */
};

struct evr_prediction {
	unsigned length;
	EVR_VEC(struct label) labels;
	struct evr_map label_of; /* site -> label + 1 */
	/* The execution that is looked at. */
	EVR_VEC(struct access) accesses;
	struct evr_map access_of; /* hash of thread, label and address -> access + 1 */
	struct evr_map at;        /* address -> access + 1 */
	EVR_VEC(struct race) races;
	uint32_t races_of[EVR_MAX_THREADS];
	unsigned threads;
	/* The chain of races that is being followed. */
	uint32_t chain[EVR_MAX_CYCLE / 2];
	unsigned depth;
	struct evr_map known; /* hash of a cycle */
	evr_predictions cycles;
};

struct evr_prediction *evr_prediction_new(unsigned length)
{
	struct evr_prediction *p = evr_alloc(sizeof(*p));
	p->length = length;
	return p;
}

void evr_prediction_free(struct evr_prediction *p)
{
	evr_vecs_release(&p->labels, &p->accesses, &p->races, &p->cycles);
	evr_map_release(&p->label_of);
	evr_map_release(&p->access_of);
	evr_map_release(&p->at);
	evr_map_release(&p->known);
	free(p);
}

/* ---- an execution, summed up ---- */

static uint32_t label_of(struct evr_prediction *p, const struct evr_event *e)
{
	uint64_t *known = evr_map_get(&p->label_of, (uint64_t)(uintptr_t)e->site);
	if (known)
		return (uint32_t)*known - 1;
	evr_vec_push(&p->labels, (struct label){ e->site, e->kind != EVR_READ });
	evr_map_put(&p->label_of, (uint64_t)(uintptr_t)e->site, p->labels.len);
	return (uint32_t)p->labels.len - 1;
}

static void add_access(struct evr_prediction *p, const struct evr_event *e, uint32_t when)
{
	uint32_t label = label_of(p, e);
	/* The map has no keys but 64 bits; a collision is put off to the next slot. */
	uint64_t key = evr_hash64((uint64_t)e->thread << 32 | label) ^ evr_hash64(e->address + 1);
	for (uint64_t *known; (known = evr_map_get(&p->access_of, key)); key++) {
		struct access *a = &p->accesses.data[*known - 1];
		if (a->thread == e->thread && a->label == label && a->address == e->address) {
			a->last = when;
			return;
		}
	}
	uint64_t *others = evr_map_get(&p->at, e->address);
	evr_vec_push(&p->accesses, (struct access){ e->thread, label, e->address, when, when,
						    others ? (uint32_t)*others - 1 : NONE });
	evr_map_put(&p->access_of, key, p->accesses.len);
	evr_map_put(&p->at, e->address, p->accesses.len);
}

static void sum_up(struct evr_prediction *p, const struct evr_trace *t)
{
	uint32_t counts[EVR_MAX_THREADS] = { 0 };
	evr_vec_clear(&p->accesses);
	evr_map_clear(&p->access_of);
	evr_map_clear(&p->at);
	p->threads = 0;
	for (size_t i = 0; i < t->events.len; i++) {
		const struct evr_event *e = &t->events.data[i];
		if (!evr_event_is_access(e) || !e->site)
			continue;
		add_access(p, e, counts[e->thread]++);
		if (e->thread >= p->threads)
			p->threads = e->thread + 1u;
	}
}

/* ---- races ---- */

/* One that leaves as much room as another one does not count. */
static void add_race(struct evr_prediction *p, const struct access *from, const struct access *to)
{
	for (uint32_t i = p->races_of[from->thread]; i != NONE; i = p->races.data[i].next) {
		struct race *r = &p->races.data[i];
		if (r->to_thread != to->thread || r->from != from->label || r->to != to->label)
			continue;
		bool worse = r->from_last >= from->last && r->to_first <= to->first;
		bool better = r->from_last <= from->last && r->to_first >= to->first;
		if (!worse && !better)
			continue;
		if (better) {
			r->from_last = from->last;
			r->to_first = to->first;
		}
		if (r->address != from->address)
			r->address = 0;
		return;
	}
	evr_vec_push(&p->races, (struct race){ from->thread, to->thread, from->label, to->label, from->last, to->first,
					       from->address, p->races_of[from->thread] });
	p->races_of[from->thread] = (uint32_t)p->races.len - 1;
}

static void find_races(struct evr_prediction *p)
{
	evr_vec_clear(&p->races);
	for (unsigned t = 0; t < p->threads; t++)
		p->races_of[t] = NONE;
	for (size_t i = 0; i < p->accesses.len; i++) {
		const struct access *a = &p->accesses.data[i];
		for (uint32_t k = a->next; k != NONE; k = p->accesses.data[k].next) {
			const struct access *b = &p->accesses.data[k];
			if (a->thread == b->thread ||
			    !(p->labels.data[a->label].stores || p->labels.data[b->label].stores))
				continue;
			add_race(p, a, b);
			add_race(p, b, a);
		}
	}
}

/* ---- cycles ---- */

static int compare_sites(const struct evr_site *a, const struct evr_site *b)
{
	int c = strcmp(a->file, b->file);
	if (c)
		return c;
	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	return a->column < b->column ? -1 : a->column > b->column;
}

static uint64_t number_of(struct evr_prediction *p, const struct evr_site *site)
{
	return *evr_map_get(&p->label_of, (uint64_t)(uintptr_t)site);
}

static int compare_from(struct evr_prediction *p, const struct evr_predicted *c, unsigned i, unsigned k)
{
	for (unsigned n = 0; n < c->length; n++) {
		const struct evr_site *a = c->label[(i + n) % c->length], *b = c->label[(k + n) % c->length];
		int order = compare_sites(a, b);
		if (order)
			return order;
		/* Labels at the same place, as those of x++, must not be taken for the same. */
		if (a != b)
			return number_of(p, a) < number_of(p, b) ? -1 : 1;
	}
	return 0;
}

/* Of its rotations the least one, so that each cycle is known by one. */
static void rotate(struct evr_prediction *p, struct evr_predicted *c)
{
	unsigned best = 0;
	for (unsigned i = 2; i < c->length; i += 2)
		if (compare_from(p, c, i, best) < 0)
			best = i;
	struct evr_predicted turned = { .length = c->length };
	for (unsigned i = 0; i < c->length; i++) {
		turned.label[i] = c->label[(best + i) % c->length];
		turned.stores[i] = c->stores[(best + i) % c->length];
	}
	*c = turned;
}

static int compare_cycles(const void *a, const void *b)
{
	const struct evr_predicted *x = a, *y = b;
	if (x->length != y->length)
		return x->length < y->length ? -1 : 1;
	for (unsigned i = 0; i < x->length; i++) {
		int order = compare_sites(x->label[i], y->label[i]);
		if (order)
			return order;
	}
	return 0;
}

static uint64_t hash_cycle(const struct evr_predicted *c)
{
	uint64_t hash = 0;
	for (unsigned i = 0; i < c->length; i++)
		hash = evr_hash64(hash ^ (uint64_t)(uintptr_t)c->label[i]) + i;
	return hash;
}

static void report(struct evr_prediction *p)
{
	struct evr_predicted c = { .length = 2 * p->depth };
	for (unsigned i = 0; i < p->depth; i++) {
		const struct race *r = &p->races.data[p->chain[i]];
		/* The race from the second of a pair to the first of the next. */
		uint32_t labels[2] = { r->from, r->to };
		for (unsigned k = 0; k < 2; k++) {
			unsigned at = (2 * i + 1 + k) % c.length;
			c.label[at] = p->labels.data[labels[k]].site;
			c.stores[at] = p->labels.data[labels[k]].stores;
		}
	}
	rotate(p, &c);
	uint64_t key = hash_cycle(&c);
	for (uint64_t *known; (known = evr_map_get(&p->known, key)); key++)
		if (!memcmp(p->cycles.data[*known - 1].label, c.label, sizeof(c.label)))
			return;
	evr_vec_push(&p->cycles, c);
	evr_map_put(&p->known, key, p->cycles.len);
}

/* Does this race end where the chain begins? In between, each thread goes on from where a race has led it. */
static bool closes(const struct evr_prediction *p, const struct race *r)
{
	const struct race *first = &p->races.data[p->chain[0]];
	return r->to_thread == first->from_thread && r->to_first <= first->from_last;
}

static bool visits(const struct evr_prediction *p, evr_thread_id thread)
{
	for (unsigned i = 0; i < p->depth; i++)
		if (p->races.data[p->chain[i]].from_thread == thread)
			return true;
	return false;
}

/* Accesses to one location are coherent in every model. */
static bool of_one_location(const struct evr_prediction *p, const struct race *r)
{
	for (unsigned i = 0; i < p->depth; i++)
		if (!r->address || p->races.data[p->chain[i]].address != r->address)
			return false;
	return true;
}

/* Could it, without what comes after it, end where the chain begins? */
static bool is_part_of_shorter(const struct evr_prediction *p, const struct race *r)
{
	const struct race *last = &p->races.data[p->chain[p->depth - 1]];
	for (uint32_t i = p->races_of[r->from_thread]; i != NONE; i = p->races.data[i].next) {
		const struct race *other = &p->races.data[i];
		if (other->from == r->from && other->from_last >= last->to_first && closes(p, other) &&
		    !of_one_location(p, other))
			return true;
	}
	return false;
}

static void extend(struct evr_prediction *p)
{
	const struct race *last = &p->races.data[p->chain[p->depth - 1]];
	for (uint32_t i = p->races_of[last->to_thread]; i != NONE; i = p->races.data[i].next) {
		const struct race *r = &p->races.data[i];
		if (last->to_first > r->from_last)
			continue;
		p->chain[p->depth] = i;
		if (closes(p, r)) {
			if (of_one_location(p, r))
				continue;
			p->depth++;
			report(p);
			p->depth--;
		} else if (2 * p->depth + 2 < p->length && !visits(p, r->to_thread) && !is_part_of_shorter(p, r)) {
			p->depth++;
			extend(p);
			p->depth--;
		}
	}
}

void evr_prediction_add(struct evr_prediction *p, const struct evr_trace *t)
{
	sum_up(p, t);
	find_races(p);
	for (uint32_t i = 0; i < p->races.len; i++) {
		p->chain[0] = i;
		p->depth = 1;
		extend(p);
	}
}

const evr_predictions *evr_prediction_cycles(struct evr_prediction *p)
{
	if (p->cycles.len)
		qsort(p->cycles.data, p->cycles.len, sizeof(*p->cycles.data), compare_cycles);
	return &p->cycles;
}
