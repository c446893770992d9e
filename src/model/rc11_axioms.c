/*
 * RC11 once more, to judge its steps: by sets of events and by numbers.
 *
 * Happens-before is found in one pass over the trace, whose order respects program order and reads-from: each thread carries what
 * it knows, what an acquire fence would make it know, and what it knew at its last release fence; each write has what it hands on. Coherence is a
 * matter of numbers (numbered.c). So is what the SC axiom says about memory: the k-th write to a location has the rank 2k, and who only
 * reads it has 2k + 1; the lower comes first.
 */
#include "model/rc11.h"

#include "model/model.h"

#include <string.h>

/* Sets of events, in rows. */
struct sets {
	size_t words;
	EVR_VEC(uint64_t) bits;
};

struct judged {
	const struct evr_trace *t;
	size_t n;
	unsigned threads;
	struct sets knows; /* of each thread */
	struct sets seen; /* of each thread: by relaxed reads */
	struct sets fenced; /* of each thread: at its last release fence */
	struct sets handed; /* of each event: what who acquires from it learns */
	struct sets past; /* of each event: what happens before it */
	struct evr_relation before; /* the same, the other way round */
	EVR_VEC(long) rank; /* of each event; -1: it has none */
};

static uint64_t *row(const struct sets *s, size_t i)
{
	return &s->bits.data[i * s->words];
}

static void reset(struct sets *s, size_t rows, size_t n)
{
	s->words = (n + 63) / 64;
	evr_vec_reserve(&s->bits, rows * s->words + 1);
	EVR_ASSERT(s->bits.data);
	memset(s->bits.data, 0, rows * s->words * sizeof(uint64_t));
}

static void learn(const struct sets *s, uint64_t *to, const uint64_t *from)
{
	for (size_t i = 0; i < s->words; i++)
		to[i] |= from[i];
}

static void put(uint64_t *set, size_t e)
{
	set[e / 64] |= UINT64_C(1) << (e % 64);
}

static bool in(const uint64_t *set, size_t e)
{
	return set[e / 64] >> (e % 64) & 1;
}

/* ---- happens-before ---- */

enum strength { NOTHING, RELAXED_ACCESS, ACQUIRE_ONLY, RELEASE_ONLY, BOTH, SEQUENTIAL };

static enum strength strength_of(const struct evr_event *e)
{
	static const enum strength of_order[] = {
		NOTHING, RELAXED_ACCESS, ACQUIRE_ONLY, RELEASE_ONLY, BOTH, SEQUENTIAL
	};
	switch (e->kind) {
	case EVR_READ:
	case EVR_WRITE:
	case EVR_RMW:
	case EVR_FENCE:
		return of_order[e->site ? e->site->order : 0];
	case EVR_CAS:
		return of_order[e->read == e->expected ? e->site->order : evr_site_failure(e->site)];
	case EVR_LOCK:
	case EVR_TRYLOCK:
	case EVR_TIMEDLOCK:
		return e->result || e->lock == EVR_LOCK_COND ? RELAXED_ACCESS : ACQUIRE_ONLY;
	case EVR_UNLOCK:
		return e->lock == EVR_LOCK_COND ? RELAXED_ACCESS : RELEASE_ONLY;
	case EVR_MUTEX_INIT:
	case EVR_MUTEX_DESTROY:
		return RELAXED_ACCESS;
	default:
		return NOTHING;
	}
}

static bool can_acquire(enum strength s)
{
	return s == ACQUIRE_ONLY || s >= BOTH;
}

static bool can_release(enum strength s)
{
	return s >= RELEASE_ONLY;
}

static void read_source(struct judged *j, const struct evr_event *e, enum strength s)
{
	if (!evr_event_reads(e) || s == NOTHING || e->source == EVR_NO_EVENT)
		return;
	const struct sets *to = can_acquire(s) ? &j->knows : &j->seen;
	learn(to, row(to, e->thread), row(&j->handed, e->source));
}

/* In C11 a store also hands on what its thread's earlier stores to the location released. */
static void continue_sequences(struct judged *j, size_t i)
{
	const struct evr_event *e = &j->t->events.data[i];
	for (size_t k = 0; k < i; k++) {
		const struct evr_event *w = &j->t->events.data[k];
		if (w->thread != e->thread || w->address != e->address || !evr_event_writes(w) ||
		    !can_release(strength_of(w)))
			continue;
		learn(&j->handed, row(&j->handed, i), row(&j->past, k));
		put(row(&j->handed, i), k);
	}
}

static void hand_on(struct judged *j, size_t i, enum strength s)
{
	const struct evr_event *e = &j->t->events.data[i];
	uint64_t *handed = row(&j->handed, i);
	if (!evr_event_writes(e) || s == NOTHING)
		return;
	learn(&j->handed, handed, row(can_release(s) ? &j->knows : &j->fenced, e->thread));
	if (evr_event_reads(e) && e->source != EVR_NO_EVENT)
		learn(&j->handed, handed, row(&j->handed, e->source));
	if (j->t->c11_release_sequences)
		continue_sequences(j, i);
}

static void pass(struct judged *j)
{
	for (size_t i = 0; i < j->n; i++) {
		const struct evr_event *e = &j->t->events.data[i];
		enum strength s = strength_of(e);
		uint64_t *mine = row(&j->knows, e->thread);
		read_source(j, e, s);
		if (e->kind == EVR_FENCE && can_acquire(s))
			learn(&j->knows, mine, row(&j->seen, e->thread));
		if (e->kind == EVR_JOIN)
			learn(&j->knows, mine, row(&j->knows, (size_t)e->other));
		learn(&j->past, row(&j->past, i), mine);
		put(mine, i);
		if (e->kind == EVR_FENCE && can_release(s))
			learn(&j->fenced, row(&j->fenced, e->thread), mine);
		if (e->kind == EVR_CREATE)
			learn(&j->knows, row(&j->knows, (size_t)e->other), mine);
		hand_on(j, i, s);
	}
}

/* ---- the SC axiom ---- */

static bool is_access(const struct evr_event *e)
{
	return evr_event_reads(e) || evr_event_writes(e);
}

static bool elsewhere(const struct evr_event *a, const struct evr_event *b)
{
	return !is_access(a) || !is_access(b) || a->address != b->address;
}

static void find_ranks(struct judged *j, const struct evr_graph *g)
{
	evr_vec_clear(&j->rank);
	for (size_t i = 0; i < j->n; i++) {
		const struct evr_event *e = &j->t->events.data[i];
		long rank = -1;
		if (is_access(e)) {
			const struct evr_graph_byte *b = &g->bytes.data[*evr_map_get(&g->byte_of, e->address)];
			evr_event_id write = evr_event_writes(e) ? (evr_event_id)i : e->source;
			size_t k = 0;
			while (write != EVR_NO_EVENT && b->writes.data[k++] != write)
				;
			rank = 2 * (long)k + !evr_event_writes(e);
		}
		evr_vec_push(&j->rank, rank);
	}
}

/* scb of a: what must come after it in an order of all seq_cst events, if a and the other one are such. */
static void find_after(const struct judged *j, size_t a, uint64_t *after, uint64_t *around)
{
	const struct evr_event *e = j->t->events.data, *x = &e[a];
	memset(around, 0, j->past.words * sizeof(*around));
	for (size_t c = a + 1; c < j->n; c++)
		if (e[c].thread == x->thread && elsewhere(x, &e[c]))
			learn(&j->past, around, &j->before.bits.data[c * j->before.words]);
	memset(after, 0, j->past.words * sizeof(*after));
	for (size_t b = 0; b < j->n; b++) {
		const struct evr_event *y = &e[b];
		bool follows = y->thread == x->thread && b > a;
		if (!elsewhere(x, y) && b != a)
			follows |=
				in(row(&j->past, b), a) || (evr_event_writes(y) && j->rank.data[a] < j->rank.data[b]);
		for (size_t d = 0; d < b && !follows; d++)
			follows = in(around, d) && e[d].thread == y->thread && elsewhere(&e[d], y);
		if (follows)
			put(after, b);
	}
}

static bool is_sc_fence(const struct evr_event *e)
{
	return e->kind == EVR_FENCE && strength_of(e) == SEQUENTIAL;
}

/* Is an access that the fence comes before, in an earlier state of its location than one that comes before the other fence? */
static bool fences_disagree(const struct judged *j, size_t f, size_t g)
{
	for (size_t x = f; x < j->n; x++)
		for (size_t y = 0; y < g && in(row(&j->past, x), f) && j->rank.data[x] >= 0; y++)
			if (in(row(&j->past, g), y) && !elsewhere(&j->t->events.data[x], &j->t->events.data[y]) &&
			    j->rank.data[x] < j->rank.data[y])
				return true;
	return false;
}

/* psc from a: into `out`. `follow` has scb, by row. */
static void find_psc(const struct judged *j, size_t a, const struct sets *follow, uint64_t *out)
{
	const struct evr_event *e = j->t->events.data;
	uint64_t *reached = row(follow, j->n); /* room for a set */
	memcpy(reached, row(follow, a), follow->words * sizeof(*reached));
	for (size_t x = 0; x < j->n && is_sc_fence(&e[a]); x++)
		if (in(row(&j->past, x), a))
			learn(follow, reached, row(follow, x));
	for (size_t b = 0; b < j->n; b++) {
		bool follows = false;
		if (strength_of(&e[b]) != SEQUENTIAL)
			continue;
		follows = in(reached, b);
		for (size_t w = 0; w < follow->words && is_sc_fence(&e[b]); w++)
			follows |= reached[w] & row(&j->past, b)[w];
		if (!follows && is_sc_fence(&e[a]) && is_sc_fence(&e[b]))
			follows = in(row(&j->past, b), a) || fences_disagree(j, a, b);
		if (follows)
			put(out, b);
	}
}

/* Can the seq_cst events be taken away one after the other, each when nothing that is left must come after it? */
static bool is_acyclic(const struct judged *j, const struct sets *psc)
{
	const struct evr_event *e = j->t->events.data;
	uint64_t *left = row(psc, j->n);
	bool any = false, taken = true;
	for (size_t i = 0; i < j->n; i++)
		if (strength_of(&e[i]) == SEQUENTIAL)
			put(left, i);
	while (taken) {
		taken = any = false;
		for (size_t i = 0; i < j->n; i++) {
			uint64_t after = 0;
			if (!in(left, i))
				continue;
			for (size_t w = 0; w < psc->words; w++)
				after |= row(psc, i)[w] & left[w];
			if (after)
				any = true;
			else
				left[i / 64] &= ~(UINT64_C(1) << (i % 64)), taken = true;
		}
	}
	return !any;
}

static bool is_sequential(struct judged *j, const struct evr_graph *g)
{
	struct sets follow = { 0 }, psc = { 0 };
	bool any = false;
	for (size_t i = 0; i < j->n; i++)
		any |= strength_of(&j->t->events.data[i]) == SEQUENTIAL;
	if (!any)
		return true;
	find_ranks(j, g);
	reset(&follow, j->n + 1, j->n);
	reset(&psc, j->n + 1, j->n);
	for (size_t a = 0; a < j->n; a++)
		find_after(j, a, row(&follow, a), row(&follow, j->n));
	for (size_t a = 0; a < j->n; a++)
		if (strength_of(&j->t->events.data[a]) == SEQUENTIAL)
			find_psc(j, a, &follow, row(&psc, a));
	bool fine = is_acyclic(j, &psc);
	evr_vecs_release(&follow.bits, &psc.bits);
	return fine;
}

bool evr_rc11_allows(const struct evr_graph *g)
{
	struct judged j = { .t = g->trace, .n = g->trace->events.len };
	for (size_t i = 0; i < j.n; i++) {
		const struct evr_event *e = &j.t->events.data[i];
		unsigned last = e->kind == EVR_CREATE && e->other > e->thread ? (unsigned)e->other : e->thread;
		j.threads = last >= j.threads ? last + 1 : j.threads;
	}
	reset(&j.knows, j.threads, j.n);
	reset(&j.seen, j.threads, j.n);
	reset(&j.fenced, j.threads, j.n);
	reset(&j.handed, j.n, j.n);
	reset(&j.past, j.n, j.n);
	pass(&j);
	evr_relation_clear(&j.before, j.n);
	for (size_t b = 0; b < j.n; b++)
		for (size_t a = 0; a < b; a++)
			if (in(row(&j.past, b), a))
				evr_relation_add(&j.before, (evr_event_id)a, (evr_event_id)b);
	bool fine = evr_axiom_numbered(g, &j.before) && is_sequential(&j, g);
	evr_vecs_release(&j.knows.bits, &j.seen.bits, &j.fenced.bits, &j.handed.bits, &j.past.bits, &j.rank);
	evr_relation_release(&j.before);
	return fine;
}
