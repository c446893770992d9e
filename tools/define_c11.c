#include "define_c11.h"

#include "base/map.h"
#include "base/set.h"
#include "threads_c11.h"

#include <string.h>

/* What needs more graphs, or more orders of writes in all, is too large. */
enum { MOST_GRAPHS = 60000, MOST_ORDERS = 40000000 };

struct search {
	const struct c11_options *options;
	struct c11_meaning *out;
	struct c11_threads threads;
	struct evr_set partial, complete; /* keys of graphs that have been there */
	uint64_t orders;
};

/* ---- complete graphs ---- */

/* A number for an event that had several ways; 0 for all others. */
static uint16_t way_of(const struct c11_state *g, const struct c11_event *v)
{
	enum { FIRST_CHOICE = 8, FIRST_WRITE = 16 };
	if (v->kind == C11_CHOSEN)
		return (uint16_t)(FIRST_CHOICE + v->value);
	if (v->kind != C11_READ)
		return 0;
	const struct c11_event *w = v->source >= 0 ? &g->graph.event[v->source] : NULL;
	return (uint16_t)(w ? FIRST_WRITE + w->actor * RELATION_SIZE + w->position : 1 + (unsigned)v->value);
}

/* A deterministic program: reads-from and choices tell all of a graph. In whatever order its events were added, its key is the same. */
static struct evr_key key_of(const struct c11_state *g)
{
	uint16_t text[C11_ACTORS * (RELATION_SIZE + 1)] = { 0 };
	unsigned start[C11_ACTORS], n = 0;
	for (unsigned a = 0; a < C11_ACTORS; a++) {
		start[a] = n;
		n += g->actor[a].events;
		/* Where an actor's events end must not look like one of them. */
		text[n++] = (uint16_t)(UINT16_MAX - g->actor[a].waits);
	}
	for (unsigned e = 0; e < g->graph.events; e++) {
		const struct c11_event *v = &g->graph.event[e];
		if (v->actor < C11_ACTORS)
			text[start[v->actor] + v->position] = way_of(g, v);
	}
	struct evr_key key = { evr_hash_bytes(text, n * sizeof(*text)), n };
	for (unsigned i = 0; i < n; i++)
		key.two = evr_hash64(key.two * 31 + text[i]);
	return key;
}

static void take_result(struct c11_meaning *out, uint64_t sum)
{
	size_t i = 0;
	while (i < out->results.len && out->results.data[i] < sum)
		i++;
	if (i < out->results.len && out->results.data[i] == sum)
		return;
	evr_vec_push(&out->results, sum);
	memmove(&out->results.data[i + 1], &out->results.data[i], (out->results.len - 1 - i) * sizeof(sum));
	out->results.data[i] = sum;
}

/* Who waits for ever, or has been stopped, tells nothing: such an execution does not end. */
static void take_outcome(struct search *s, const struct c11_state *g)
{
	struct c11_outcome o;
	uint64_t sum = g->actor[C11_MAIN].told;
	bool any = sum != 0, waits = false, stopped = false, unfinished = false, locks = false;
	for (unsigned a = 0; a < C11_ACTORS; a++) {
		const struct c11_actor *actor = &g->actor[a];
		memcpy(o.reg[a], actor->reg, sizeof(o.reg[a]));
		any |= actor->ended;
		if (actor->ended)
			sum += result_part(a == C11_MAIN ? MAIN_ROLE : a, c11_told(actor));
		waits |= actor->waits;
		stopped |= actor->stopped;
		unfinished |= actor->born && !actor->ended;
		locks |= c11_waits_for_mutex(actor);
	}
	if (waits && !stopped)
		*(locks ? &s->out->both : &s->out->no_progress) = true;
	s->out->deadlock |= unfinished && !waits && !stopped;
	/* In a deadlock, nobody may have told anything. */
	if (any && !waits && !stopped)
		take_result(s->out, sum);
	if (s->options->outcome && !waits && !stopped)
		s->options->outcome(s->options->context, &o);
}

static void judge_graph(struct search *s, struct c11_state *g)
{
	if (!evr_set_add(&s->complete, key_of(g), NULL) || !c11_restrict_last(g))
		return;
	struct c11_verdict v = c11_judge(s->options, &g->graph);
	s->out->graphs++;
	s->orders += v.tried;
	s->out->too_large |= v.too_large || s->orders > MOST_ORDERS;
	s->out->used |= v.used;
	if (!v.orders)
		return;
	s->out->pairs += v.orders;
	s->out->classes++;
	s->out->racy |= v.racy;
	for (unsigned l = 0; l < C11_LOCATIONS; l++)
		if (!(s->out->shared & bit(l)) && c11_is_contended(s->options, &g->graph, l))
			s->out->shared |= bit(l);
	take_outcome(s, g);
}

/* Reads that were promised a value get every source that has it. */
static void keep_promises(struct search *s, struct c11_state *g, unsigned from)
{
	while (from < g->graph.events &&
	       (g->graph.event[from].kind != C11_READ || g->graph.event[from].source != C11_PROMISED))
		from++;
	if (from == g->graph.events) {
		judge_graph(s, g);
		return;
	}
	struct c11_event *r = &g->graph.event[from];
	for (unsigned e = 0; e < g->graph.events; e++) {
		const struct c11_event *w = &g->graph.event[e];
		if (w->kind != C11_WRITE || w->location != r->location || w->value != r->value || w->read == (int)from)
			continue;
		r->source = (int)e;
		keep_promises(s, g, from + 1);
	}
	r->source = C11_PROMISED;
}

/* ---- all graphs ---- */

/*
 * A thread's next event that has but one way is part of every graph that this one can become, and is added at once: whoever is to
 * come before it can still do so. Of reads, any may be next, and may read from any write that is there.
 */
static void build(struct search *s, const struct c11_state *from)
{
	struct c11_state g = *from;
	struct c11_way ways[C11_MOST_WAYS];
	for (bool more = true; more && !g.too_large && !g.dead;) {
		more = false;
		for (unsigned a = 0; a < C11_ACTORS; a++)
			more |= c11_advance(&s->threads, &g, a);
	}
	s->out->too_large |= g.too_large;
	if (s->out->too_large || g.dead || !evr_set_add(&s->partial, key_of(&g), NULL))
		return;
	s->out->too_large |= s->partial.len > MOST_GRAPHS;
	bool some = false;
	for (unsigned a = 0; a < C11_ACTORS; a++) {
		unsigned n = c11_ways(&s->threads, &g, a, ways);
		for (unsigned i = 0; i < n && !s->out->too_large; i++) {
			struct c11_state more = g;
			c11_take(&s->threads, &more, a, ways[i]);
			build(s, &more);
		}
		some |= n > 0;
	}
	/* Who has looked in vain for one of two values once too often, and has found the other one nowhere, is in no graph. */
	for (unsigned a = 0; a < C11_ACTORS; a++)
		some |= g.actor[a].second;
	if (!some)
		keep_promises(s, &g, 0);
}

void define_c11(const struct program *p, const struct c11_options *options, struct c11_meaning *out)
{
	struct search s = { .options = options, .out = out };
	struct c11_state g;
	*out = (struct c11_meaning){ 0 };
	c11_threads_init(&s.threads, p, options);
	c11_begin(&s.threads, &g);
	build(&s, &g);
	c11_threads_release(&s.threads);
	evr_set_release(&s.partial);
	evr_set_release(&s.complete);
}

bool define_c11_quiet(const struct program *p, const struct c11_options *options, const struct c11_meaning *loud,
		      struct c11_meaning *out)
{
	struct c11_options quiet = *options;
	quiet.quiet = loud->used & ~loud->shared;
	*out = (struct c11_meaning){ 0 };
	if (quiet.quiet)
		define_c11(p, &quiet, out);
	return !quiet.quiet || (!out->too_large && out->classes == loud->classes);
}

void c11_meaning_release(struct c11_meaning *m)
{
	evr_vec_release(&m->results);
}

/* ---- stronger models ---- */

enum { HIDDEN = MAX_VARS - 1 };

static void strengthen(struct block *b, bool sc)
{
	size_t n = 0;
	for (size_t i = 0; i < b->len; i++) {
		struct stmt *s = &b->data[i];
		strengthen(&s->body, sc);
		strengthen(&s->other, sc);
		if (s->kind == S_FENCE && s->order != SEQ_CST && !sc)
			continue;
		if (s->kind == S_FENCE && !sc)
			*s = (struct stmt){ .kind = S_ADD, .place = HIDDEN, .reg = REGISTERS };
		bool loads = s->kind == S_LOAD || s->kind == S_AWAIT;
		if (s->kind <= S_CAS || loads || s->kind == S_UPDATE) {
			s->order = sc ? SEQ_CST : loads ? ACQUIRE : s->kind == S_STORE ? RELEASE : ACQ_REL;
			s->failure = sc ? SEQ_CST : ACQUIRE;
		}
		b->data[n++] = *s;
	}
	b->len = n;
}

void c11_as_sc(struct program *to, const struct program *from)
{
	program_copy(to, from);
	for (unsigned r = 0; r < MAX_ROLES; r++)
		strengthen(&to->role[r], true);
}

void c11_as_ra(struct program *to, const struct program *from)
{
	program_copy(to, from);
	for (unsigned r = 0; r < MAX_ROLES; r++)
		strengthen(&to->role[r], false);
}
