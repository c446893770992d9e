#include "define_c11.h"

#include "axioms_c11.h"
#include "base/map.h"
#include "base/set.h"

#include <string.h>

/* What needs more graphs, or more orders of writes in all, is too large. */
enum { MOST_GRAPHS = 60000, MOST_ORDERS = 40000000, MOST_FRAMES = 6 };
/* A read whose source is to come; values that it may be promised; a statement that tells what role 0 knows. */
enum { PROMISED = -2, PROMISES = 4, TELL_ROLE_0 = STMT_KINDS };
enum { FREE_MUTEX, TAKEN };

/* A block that is being executed. */
struct frame {
	const struct block *block;
	const struct stmt *of;
	size_t at;
};

struct actor {
	bool born, ended;
	unsigned frames, events;
	struct frame frame[MOST_FRAMES];
	uint64_t told; /* role 0, if main has its part: result_part() of what it knew before main went on to join */
	int reg[REGISTERS + 1];
};

/* A graph as far as it has been built, and where the threads are. */
struct state {
	struct c11_graph graph;
	struct actor actor[C11_ACTORS];
};

struct search {
	const struct program *p;
	const struct c11_options *options;
	struct c11_meaning *out;
	struct block main;
	struct evr_set partial, complete; /* keys of graphs that have been there */
	uint64_t orders;
};

/* ---- complete graphs ---- */

/* A deterministic program: reads-from tell all of a graph. In whatever order its events were added, its key is the same. */
static struct evr_key key_of(const struct state *g)
{
	uint16_t text[C11_ACTORS * RELATION_SIZE] = { 0 };
	unsigned n = 0;
	for (unsigned a = 0; a < C11_ACTORS; a++)
		for (unsigned k = 0; k <= g->actor[a].events; k++, n++) {
			/* Where an actor's events end must not look like one of them. */
			if (k == g->actor[a].events)
				text[n] = UINT16_MAX;
			for (unsigned e = 0; e < g->graph.events && k < g->actor[a].events; e++) {
				const struct c11_event *v = &g->graph.event[e];
				if (v->actor != a || v->position != k || v->kind != C11_READ)
					continue;
				const struct c11_event *w = v->source >= 0 ? &g->graph.event[v->source] : NULL;
				text[n] = (uint16_t)(w ? 16 + w->actor * RELATION_SIZE + w->position
						       : 1 + (unsigned)v->value);
			}
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

static uint64_t told(const struct actor *a)
{
	return ((((uint64_t)a->reg[0] * 64 + (uint64_t)a->reg[1]) * 64) + (uint64_t)a->reg[2]) * 64 +
	       (uint64_t)a->reg[3];
}

static void take_outcome(struct search *s, const struct state *g)
{
	struct c11_outcome o;
	uint64_t sum = g->actor[C11_MAIN].told;
	bool any = sum != 0;
	for (unsigned a = 0; a < C11_ACTORS; a++) {
		memcpy(o.reg[a], g->actor[a].reg, sizeof(o.reg[a]));
		any |= g->actor[a].ended;
		if (g->actor[a].ended)
			sum += result_part(a == C11_MAIN ? MAIN_ROLE : a, told(&g->actor[a]));
		s->out->deadlock |= g->actor[a].born && !g->actor[a].ended;
	}
	/* In a deadlock, nobody may have told anything. */
	if (any)
		take_result(s->out, sum);
	if (s->options->outcome)
		s->options->outcome(s->options->context, &o);
}

static void judge_graph(struct search *s, const struct state *g)
{
	if (!evr_set_add(&s->complete, key_of(g), NULL))
		return;
	struct c11_verdict v = c11_judge(s->options, &g->graph);
	s->out->graphs++;
	s->orders += v.tried;
	s->out->too_large |= v.too_large || s->orders > MOST_ORDERS;
	if (!v.orders)
		return;
	s->out->pairs += v.orders;
	s->out->classes++;
	s->out->racy |= v.racy;
	take_outcome(s, g);
}

/* Reads that were promised a value get every source that has it. */
static void keep_promises(struct search *s, struct state *g, unsigned from)
{
	while (from < g->graph.events &&
	       (g->graph.event[from].kind != C11_READ || g->graph.event[from].source != PROMISED))
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
	r->source = PROMISED;
}

/* ---- events ---- */

static struct c11_event *add(struct search *s, struct state *g, unsigned actor, enum c11_event_kind kind)
{
	if (g->graph.events == RELATION_SIZE) {
		s->out->too_large = true;
		g->graph.events--;
	}
	struct c11_event *e = &g->graph.event[g->graph.events++];
	*e = (struct c11_event){
		.kind = kind, .actor = actor, .location = C11_NOWHERE, .source = C11_NONE, .read = C11_NONE
	};
	if (actor < C11_ACTORS)
		e->position = g->actor[actor].events++;
	return e;
}

static void add_write(struct search *s, struct state *g, unsigned actor, int location, int value, enum order order)
{
	struct c11_event *e = add(s, g, actor, C11_WRITE);
	e->location = location;
	e->value = value;
	e->order = order;
}

static enum order without_consume(enum order o)
{
	return o == CONSUME ? ACQUIRE : o;
}

/* Of a read-modify-write, each event has its half of the order. */
static enum order read_half(enum order o)
{
	return o == ACQ_REL || o == CONSUME ? ACQUIRE : o == RELEASE ? RELAXED : o;
}

static enum order write_half(enum order o)
{
	return o == ACQ_REL ? RELEASE : o == ACQUIRE || o == CONSUME ? RELAXED : o;
}

static void enter(struct actor *a, const struct block *b, const struct stmt *of)
{
	if (a->frames == MOST_FRAMES)
		evr_die("a program is nested too deep");
	a->frame[a->frames++] = (struct frame){ b, of, 0 };
}

static void start(struct search *s, struct state *g, unsigned actor)
{
	g->actor[actor].born = true;
	enter(&g->actor[actor], actor == C11_MAIN ? &s->main : &s->p->role[actor], NULL);
	add(s, g, actor, C11_STARTED);
}

static void unlock(struct search *s, struct state *g, unsigned actor, unsigned mutex)
{
	enum order o = s->options->locks;
	add_write(s, g, actor, (int)(C11_MUTEX + mutex), FREE_MUTEX, o == PLAIN ? RELEASE : write_half(o));
}

static const struct stmt *next(const struct actor *a)
{
	const struct frame *f = a->frames ? &a->frame[a->frames - 1] : NULL;
	return f && f->at < f->block->len ? &f->block->data[f->at] : NULL;
}

/* The end of a block. */
static void leave(struct search *s, struct state *g, unsigned actor)
{
	struct actor *a = &g->actor[actor];
	struct frame *f = &a->frame[--a->frames];
	if (f->of && f->of->kind == S_TRYLOCK && f->block == &f->of->body)
		unlock(s, g, actor, f->of->place);
	a->ended = !a->frames;
	if (a->ended)
		add(s, g, actor, C11_ENDED);
}

/* What does not read, and so has no choice. False: the thread has ended, reads next, or waits. */
static bool make_unconditional(struct search *s, struct state *g, unsigned actor)
{
	struct actor *a = &g->actor[actor];
	if (!a->born || a->ended)
		return false;
	const struct stmt *t = next(a);
	if (!t) {
		leave(s, g, actor);
		return true;
	}
	if (t->kind == S_JOIN && !g->actor[t->place].ended)
		return false;
	struct frame *f = &a->frame[a->frames - 1];
	switch ((int)t->kind) {
	case S_STORE:
		add_write(s, g, actor, (int)t->place, t->from_register ? (a->reg[t->reg] + t->value) & 3 : t->value,
			  t->order);
		break;
	case S_FENCE:
		add(s, g, actor, C11_FENCE)->order = without_consume(t->order);
		break;
	case S_UNLOCK:
		unlock(s, g, actor, t->place);
		break;
	case S_CREATE:
		add(s, g, actor, C11_CREATED)->other = t->place;
		start(s, g, t->place);
		break;
	case S_JOIN:
		add(s, g, actor, C11_JOINED)->other = t->place;
		break;
	case S_IF:
		f->at++;
		enter(a, (a->reg[t->reg] == t->value) != t->negated ? &t->body : &t->other, t);
		return true;
	case TELL_ROLE_0:
		a->told = result_part(0, told(a));
		break;
	default:
		return false;
	}
	f->at++;
	return true;
}

/* ---- reads ---- */

static bool is_lock(const struct stmt *t)
{
	return t->kind == S_LOCK || t->kind == S_TRYLOCK;
}

static int location_of(const struct stmt *t)
{
	return (int)(is_lock(t) ? C11_MUTEX + t->place : t->place);
}

static bool is_updated(const struct state *g, unsigned write)
{
	for (unsigned e = 0; e < g->graph.events; e++)
		if (g->graph.event[e].kind == C11_WRITE && g->graph.event[e].read != C11_NONE &&
		    g->graph.event[g->graph.event[e].read].source == (int)write)
			return true;
	return false;
}

/*
 * May the statement read this write? A mutex is taken by whoever reads that it is free, and by nobody else: ATOMICITY would say so
 * in the end, but whether a thread waits for it must be known now.
 */
static bool may_read(const struct state *g, const struct stmt *t, unsigned write)
{
	const struct c11_event *w = &g->graph.event[write];
	if (w->kind != C11_WRITE || w->location != location_of(t))
		return false;
	if (is_lock(t))
		return w->value == FREE_MUTEX ? !is_updated(g, write) : t->kind == S_TRYLOCK;
	return true;
}

static bool writes(const struct stmt *t, int old)
{
	return t->kind == S_ADD || t->kind == S_EXCHANGE || (t->kind == S_CAS && old == t->expected) ||
	       (is_lock(t) && old == FREE_MUTEX);
}

static void take_read(struct search *s, struct state *g, unsigned actor, int source, int value)
{
	struct actor *a = &g->actor[actor];
	const struct stmt *t = next(a);
	bool updates = writes(t, value);
	enum order o = t->order, locks = s->options->locks;
	if (is_lock(t))
		o = locks != PLAIN ? locks : updates ? ACQUIRE : RELAXED;
	else if (t->kind == S_CAS && !updates)
		o = t->failure == PLAIN ? RELAXED : t->failure;
	struct c11_event *r = add(s, g, actor, C11_READ);
	r->location = location_of(t);
	r->source = source;
	r->value = value;
	r->order = read_half(o);
	int number = (int)(r - g->graph.event);
	if (updates) {
		int new = t->kind == S_ADD ? value + t->value : is_lock(t) ? TAKEN : t->value;
		add_write(s, g, actor, location_of(t), new, write_half(o));
		g->graph.event[g->graph.events - 1].read = number;
	}
	a->frame[a->frames - 1].at++;
	if (t->kind == S_TRYLOCK)
		enter(a, updates ? &t->body : &t->other, t);
	else if (t->kind != S_LOCK)
		a->reg[t->reg] = value;
}

static void build(struct search *s, const struct state *from);

/* The next event of the actor reads: try every source. False: there is no such event, or none it can read. */
static bool try_sources(struct search *s, const struct state *g, unsigned actor)
{
	const struct stmt *t = next(&g->actor[actor]);
	bool some = false;
	if (!t || t->kind == S_JOIN)
		return false;
	for (unsigned e = 0; e < g->graph.events; e++) {
		if (!may_read(g, t, e))
			continue;
		struct state more = *g;
		take_read(s, &more, actor, (int)e, g->graph.event[e].value);
		build(s, &more);
		some = true;
	}
	for (int value = 0; value < PROMISES && s->options->promises && !is_lock(t); value++) {
		struct state more = *g;
		take_read(s, &more, actor, PROMISED, value);
		build(s, &more);
	}
	return some;
}

/*
 * A thread's next event that does not read is part of every graph that this one can become, and is added at once: whoever is to
 * come before it can still do so. Of reads, any may be next, and may read from any write that is there.
 */
static void build(struct search *s, const struct state *from)
{
	struct state g = *from;
	for (bool more = true; more && !s->out->too_large;) {
		more = false;
		for (unsigned a = 0; a < C11_ACTORS; a++)
			more |= make_unconditional(s, &g, a);
	}
	if (s->out->too_large || !evr_set_add(&s->partial, key_of(&g), NULL))
		return;
	s->out->too_large |= s->partial.len > MOST_GRAPHS;
	bool some = false;
	for (unsigned a = 0; a < C11_ACTORS && !s->out->too_large; a++)
		if (g.actor[a].born && !g.actor[a].ended)
			some |= try_sources(s, &g, a);
	if (!some)
		keep_promises(s, &g, 0);
}

/* ---- the whole ---- */

static void make_main(struct search *s)
{
	const struct program *p = s->p;
	for (unsigned r = 0; r < p->roles; r++)
		if (program_by_main(p, r))
			evr_vec_push(&s->main, ((struct stmt){ .kind = S_CREATE, .place = r }));
	if (p->main_runs && !p->dropped[0]) {
		for (size_t i = 0; i < p->role[0].len; i++)
			evr_vec_push(&s->main, p->role[0].data[i]);
		evr_vec_push(&s->main, ((struct stmt){ .kind = (enum stmt_kind)TELL_ROLE_0 }));
	}
	for (unsigned r = 0; r < p->roles; r++)
		if (program_by_main(p, r))
			evr_vec_push(&s->main, ((struct stmt){ .kind = S_JOIN, .place = r }));
	for (unsigned v = 0; v < p->vars && p->epilogue; v++)
		evr_vec_push(&s->main, ((struct stmt){ .kind = S_LOAD, .place = v, .reg = v }));
}

void define_c11(const struct program *p, const struct c11_options *options, struct c11_meaning *out)
{
	struct search s = { .p = p, .options = options, .out = out };
	struct state g = { 0 };
	*out = (struct c11_meaning){ 0 };
	for (unsigned l = 0; l < C11_LOCATIONS; l++) {
		add_write(&s, &g, C11_ACTORS, (int)l, l < p->vars ? p->initial[l] : FREE_MUTEX, PLAIN);
		g.graph.event[l].position = l;
	}
	make_main(&s);
	start(&s, &g, C11_MAIN);
	build(&s, &g);
	evr_vec_release(&s.main);
	evr_set_release(&s.partial);
	evr_set_release(&s.complete);
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
		if (s->kind <= S_CAS) {
			s->order = sc ? SEQ_CST : s->kind == S_LOAD ? ACQUIRE : s->kind == S_STORE ? RELEASE : ACQ_REL;
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
