#include "interpret_await.h"

#include "base/map.h"
#include "components.h"
#include "instructions.h"

#include <string.h>

enum { MOST_STATES = 200000, MOST_EDGES = 2000000, BUFFER = 8, MOST_LOCAL_STEPS = 1000, LARGEST_VALUE = 60 };

enum model { SC, TSO, PSO };

/* ---- states ---- */

enum phase {
	UNBORN,
	RUNNING,
	ENDED,
	STOPPED, /* by an assumption */
	FAILED, /* an assertion */
};

struct buffered {
	uint8_t place, release, group; /* those of an older group go first */
	int8_t value;
};

struct thread {
	uint16_t at;
	uint8_t phase, stores, group, unused;
	int8_t reg[REGISTERS];
	struct buffered buffer[BUFFER];
};

/* Compared byte by byte: no padding. */
struct world {
	struct thread thread[MAX_ROLES];
	int8_t var[MAX_VARS];
	uint8_t mutex[MAX_MUTEXES]; /* who holds it, from 1 */
};

struct edge {
	uint8_t thread; /* whose step it is */
	bool changes; /* memory or a buffer */
	uint16_t again; /* it begins another round of the loop that this instruction ends; 0: of none */
	int8_t reg[REGISTERS]; /* with these registers */
};

struct interpreter {
	const struct program *p;
	enum model model;
	struct await_meaning *m;
	struct code code;
	struct evr_map seen; /* hash of a state -> its number */
	EVR_VEC(struct world) worlds;
	EVR_VEC(struct edge) edges; /* of the first state, then of the second, ... */
	EVR_VEC(uint32_t) to; /* where each leads */
	EVR_VEC(size_t) first; /* the first edge of each state */
};

static const struct instruction *next(const struct interpreter *in, const struct thread *t)
{
	return &in->code.list.data[t->at];
}

static bool holds(const struct thread *t, const struct stmt *s)
{
	return (t->reg[s->reg] == s->value) != s->negated;
}

static void jump(struct thread *t, size_t to)
{
	t->at = (uint16_t)to;
}

/* ---- steps that nobody else notices ---- */

static void fail(struct interpreter *in, struct thread *t, unsigned line)
{
	t->phase = FAILED;
	for (size_t i = 0; i < in->m->failures.len; i++)
		if (in->m->failures.data[i] == line)
			return;
	evr_vec_push(&in->m->failures, line);
}

static void execute_local(struct interpreter *in, struct thread *t, const struct stmt *s)
{
	jump(t, t->at + 1u);
	if (s->kind == S_SET)
		t->reg[s->reg] = (int8_t)s->value;
	else if (holds(t, s))
		return;
	else if (s->kind == S_ASSUME)
		t->phase = STOPPED;
	else
		fail(in, t, s->line);
}

/* A loop that is bounded counts its rounds. */
static bool is_over(struct thread *t, const struct stmt *s)
{
	return holds(t, s) || (s->expected && ++t->reg[s->index] >= s->expected);
}

static void go_round(struct thread *t, const struct instruction *i, struct edge *e)
{
	e->again = t->at;
	memcpy(e->reg, t->reg, sizeof(e->reg));
	jump(t, i->target);
}

/* Until something is to be done that others may notice. */
static void settle(struct interpreter *in, struct thread *t, struct edge *e)
{
	unsigned steps = 0;
	for (const struct instruction *i; t->phase == RUNNING && (i = next(in, t))->op >= OP_LOCAL; steps++) {
		if (steps == MOST_LOCAL_STEPS) {
			in->m->endless = true;
			return;
		}
		if (i->op == OP_LOCAL)
			execute_local(in, t, i->s);
		else if (i->op == OP_AGAIN && !is_over(t, i->s))
			go_round(t, i, e);
		else if (i->op == OP_JUMP || (i->op == OP_IF && !holds(t, i->s)) ||
			 (i->op == OP_LEAVE && holds(t, i->s)))
			jump(t, i->target);
		else
			jump(t, t->at + 1u);
		if (i->op == OP_RESET)
			t->reg[i->s->index] = 0;
	}
}

/* ---- memory ---- */

static int8_t value_of(const struct world *w, const struct thread *t, unsigned place)
{
	for (unsigned i = t->stores; i-- > 0;)
		if (t->buffer[i].place == place)
			return t->buffer[i].value;
	return w->var[place];
}

static void store(struct interpreter *in, struct world *w, struct thread *t, const struct stmt *s)
{
	int8_t value = (int8_t)(s->from_register ? (t->reg[s->reg] + s->value) & 3 : s->value);
	if (in->model == SC || s->order == SEQ_CST)
		w->var[s->place] = value;
	else if (t->stores == BUFFER)
		in->m->too_large = true;
	else
		t->buffer[t->stores++] = (struct buffered){ (uint8_t)s->place, s->order == RELEASE, t->group, value };
}

/* May the i-th store of the buffer reach memory? */
static bool may_leave(const struct interpreter *in, const struct thread *t, unsigned i)
{
	const struct buffered *b = &t->buffer[i];
	if (in->model == TSO || b->release)
		return i == 0;
	for (unsigned k = 0; k < i; k++)
		if (t->buffer[k].place == b->place || t->buffer[k].group != b->group)
			return false;
	return true;
}

static void leave(struct world *w, struct thread *t, unsigned i)
{
	w->var[t->buffer[i].place] = t->buffer[i].value;
	memmove(&t->buffer[i], &t->buffer[i + 1], (t->stores - i - 1) * sizeof(*t->buffer));
	t->buffer[--t->stores] = (struct buffered){ 0 };
	if (!t->stores)
		t->group = 0;
}

static void access_memory(struct interpreter *in, struct world *w, struct thread *t, const struct stmt *s)
{
	int8_t old = value_of(w, t, s->place), *x = &w->var[s->place];
	if (s->kind == S_STORE) {
		store(in, w, t, s);
		return;
	}
	if (s->kind == S_UPDATE) {
		bool success = old == t->reg[s->reg];
		if (success)
			*x = (int8_t)((old + s->value) & 3);
		t->reg[s->reg] = old;
		t->reg[s->index] = success;
		return;
	}
	if (s->kind == S_ADD)
		*x = (int8_t)(old + s->value);
	else if (s->kind == S_EXCHANGE || (s->kind == S_CAS && old == s->expected))
		*x = (int8_t)s->value;
	in->m->endless |= *x > LARGEST_VALUE;
	t->reg[s->reg] = old;
}

/* ---- steps ---- */

/* Does it wait until the thread's stores are in memory? */
static bool drains(const struct instruction *i)
{
	switch (i->op) {
	case OP_AWAIT:
	case OP_AWAIT_OTHER:
		return false;
	case OP_STEP:
		return !(i->s->kind == S_LOAD || i->s->kind == S_CHOOSE ||
			 ((i->s->kind == S_STORE || i->s->kind == S_FENCE) && i->s->order != SEQ_CST));
	default:
		return true;
	}
}

/* In how many ways the thread's next step can be made; 0: it has to wait. */
static unsigned ways_of(const struct interpreter *in, const struct world *w, const struct thread *t)
{
	if (t->phase != RUNNING)
		return 0;
	const struct instruction *i = next(in, t);
	if (drains(i) && t->stores)
		return 0;
	if (i->op != OP_STEP)
		return 1;
	switch (i->s->kind) {
	case S_LOCK:
		return !w->mutex[i->s->place];
	case S_JOIN:
		return w->thread[i->s->place].phase == ENDED;
	case S_CHOOSE:
		return (unsigned)i->s->value;
	default:
		return 1;
	}
}

static void begin_role(struct interpreter *in, struct world *w, unsigned r)
{
	struct edge none;
	w->thread[r].phase = RUNNING;
	jump(&w->thread[r], in->code.role[r]);
	settle(in, &w->thread[r], &none);
}

static void execute(struct interpreter *in, struct world *w, unsigned me, const struct stmt *s, unsigned way)
{
	struct thread *t = &w->thread[me];
	switch (s->kind) {
	case S_FENCE:
		if (in->model == PSO && t->stores && (s->order == RELEASE || s->order == ACQ_REL))
			t->group++;
		break;
	case S_SPIN_ON_TRYLOCK:
		if (w->mutex[s->place])
			return;
		w->mutex[s->place] = (uint8_t)(me + 1);
		break;
	case S_LOCK:
		w->mutex[s->place] = (uint8_t)(me + 1);
		break;
	case S_UNLOCK:
		w->mutex[s->place] = 0;
		break;
	case S_CREATE:
		begin_role(in, w, s->place);
		break;
	case S_JOIN:
		break;
	case S_CHOOSE:
		t->reg[s->reg] = (int8_t)way;
		break;
	default:
		access_memory(in, w, t, s);
	}
	jump(t, t->at + 1u);
}

static void await(const struct world *w, struct thread *t, const struct instruction *i)
{
	const struct stmt *s = i->s;
	bool other = i->op == OP_AWAIT_OTHER;
	int8_t found = value_of(w, t, other ? s->place2 : s->place);
	bool success = other ? found == s->expected : (found == s->value) != s->negated;
	if (success && !s->either && s->from_register)
		t->reg[s->reg] = found;
	jump(t, success ? t->at + 1u : i->target);
}

static void step(struct interpreter *in, struct world *w, unsigned me, unsigned way)
{
	struct thread *t = &w->thread[me];
	const struct instruction *i = next(in, t);
	switch (i->op) {
	case OP_STEP:
		execute(in, w, me, i->s, way);
		break;
	case OP_AWAIT:
	case OP_AWAIT_OTHER:
		await(w, t, i);
		break;
	case OP_TRYLOCK:
		jump(t, w->mutex[i->s->place] ? i->target : t->at + 1u);
		if (!w->mutex[i->s->place])
			w->mutex[i->s->place] = (uint8_t)(me + 1);
		break;
	case OP_RELEASE:
		w->mutex[i->s->place] = 0;
		jump(t, t->at + 1u);
		break;
	default:
		t->phase = ENDED;
	}
}

/* ---- the graph ---- */

static uint32_t number_of(struct interpreter *in, const struct world *w)
{
	uint64_t key = evr_hash_bytes(w, sizeof(*w)), *known = evr_map_get(&in->seen, key);
	if (known)
		return (uint32_t)*known;
	evr_map_put(&in->seen, key, in->worlds.len);
	evr_vec_push(&in->worlds, *w);
	return (uint32_t)in->worlds.len - 1;
}

static bool changes(const struct world *a, const struct world *b, unsigned t)
{
	return memcmp(a->var, b->var, sizeof(a->var)) != 0 || a->thread[t].stores != b->thread[t].stores;
}

static void add_edge(struct interpreter *in, const struct world *from, const struct world *to, struct edge e)
{
	evr_vec_push(&in->to, number_of(in, to));
	e.changes = changes(from, to, e.thread);
	evr_vec_push(&in->edges, e);
}

/* All that can happen next. */
static void expand(struct interpreter *in, const struct world *w)
{
	for (unsigned t = 0; t < MAX_ROLES; t++) {
		const struct thread *old = &w->thread[t];
		unsigned ways = ways_of(in, w, old);
		for (unsigned way = 0; way < ways; way++) {
			struct world other = *w;
			struct edge e = { .thread = (uint8_t)t };
			step(in, &other, t, way);
			settle(in, &other.thread[t], &e);
			add_edge(in, w, &other, e);
		}
		for (unsigned i = 0; i < old->stores; i++)
			if (may_leave(in, old, i)) {
				struct world other = *w;
				leave(&other, &other.thread[t], i);
				add_edge(in, w, &other, (struct edge){ .thread = (uint8_t)t });
			}
	}
}

static void build_graph(struct interpreter *in)
{
	for (size_t i = 0; i < in->worlds.len && !in->m->too_large && !in->m->endless; i++) {
		struct world w = in->worlds.data[i];
		evr_vec_push(&in->first, in->edges.len);
		expand(in, &w);
		in->m->too_large |= in->worlds.len > MOST_STATES || in->edges.len > MOST_EDGES;
	}
	evr_vec_push(&in->first, in->edges.len);
}

/* ---- what came of it ---- */

struct component {
	bool left; /* a step leads out of it */
	unsigned spins; /* threads that make steps in it, as a bit set */
	const struct world *some; /* one of its states */
};

/* For whom the thread waits, from 1; 0 if for nobody. */
static unsigned waits_for(const struct interpreter *in, const struct world *w, const struct thread *t)
{
	if (t->phase != RUNNING || next(in, t)->op != OP_STEP)
		return 0;
	const struct stmt *s = next(in, t)->s;
	return s->kind == S_LOCK ? w->mutex[s->place] : s->kind == S_JOIN ? s->place + 1 : 0;
}

/* Of a thread that waits: is it for one that spins, in the end? Otherwise, for one that has ended, or in a cycle. */
static bool waits_for_loop(const struct interpreter *in, const struct component *c, unsigned me)
{
	for (unsigned n = 0; n <= MAX_ROLES; n++) {
		if (c->spins >> me & 1)
			return true;
		unsigned other = waits_for(in, c->some, &c->some->thread[me]);
		if (!other)
			return false;
		me = other - 1;
	}
	return false;
}

static void note_stuck(struct interpreter *in, const struct component *c)
{
	bool stopped = false, dead = false;
	for (unsigned t = 0; t < MAX_ROLES; t++) {
		enum phase phase = c->some->thread[t].phase;
		stopped |= phase == STOPPED || phase == FAILED;
		dead |= phase == RUNNING && !waits_for_loop(in, c, t);
	}
	if (stopped)
		in->m->maybe |= dead;
	else
		*(!c->spins ? &in->m->deadlock : dead ? &in->m->both : &in->m->no_progress) = true;
}

static uint64_t known(const int8_t *reg)
{
	uint64_t sum = 0;
	for (unsigned i = 0; i < REGISTERS; i++)
		sum = sum * 64 + (uint64_t)reg[i];
	return sum;
}

static uint64_t result_of(const struct program *p, const struct world *w)
{
	int8_t own[REGISTERS] = { 0 };
	uint64_t result = 0;
	for (unsigned r = 0; r < MAX_ROLES; r++)
		if (w->thread[r].phase == ENDED)
			result += result_part(r, known(w->thread[r].reg));
	if (p->main_runs && !p->dropped[0])
		memcpy(own, w->thread[0].reg, sizeof(own));
	for (unsigned v = 0; v < p->vars && p->epilogue; v++)
		own[v] = w->var[v];
	return result + result_part(MAIN_ROLE, known(own));
}

static void note_result(struct interpreter *in, const struct world *w)
{
	uint64_t result = result_of(in->p, w);
	for (size_t i = 0; i < in->m->results.len; i++)
		if (in->m->results.data[i] == result)
			return;
	evr_vec_push(&in->m->results, result);
}

/* A component that cannot be left. */
static void note_end(struct interpreter *in, const struct component *c)
{
	bool all = true, running = false;
	for (unsigned t = 0; t < MAX_ROLES; t++) {
		enum phase phase = c->some->thread[t].phase;
		all &= phase == ENDED || phase == UNBORN;
		running |= phase == RUNNING;
	}
	if (all)
		note_result(in, c->some);
	else if (running)
		note_stuck(in, c);
}

/* Does every round of the loop, in this component, begin with the same registers? The first that is asked about says with which. */
static bool is_same_round(struct evr_map *rounds, uint32_t component, const struct edge *e)
{
	uint64_t key = evr_hash64((uint64_t)component << 32 | (uint32_t)e->again << 8 | e->thread);
	uint32_t registers;
	memcpy(&registers, e->reg, sizeof(registers));
	uint64_t *first = evr_map_get(rounds, key);
	if (!first)
		evr_map_put(rounds, key, registers);
	return !first || *first == registers;
}

static void note_edges(struct interpreter *in, const uint32_t *component, struct component *components)
{
	struct evr_map rounds = { 0 };
	for (uint32_t i = 0; i < in->worlds.len; i++) {
		struct component *c = &components[component[i]];
		c->some = &in->worlds.data[i];
		for (size_t k = in->first.data[i]; k < in->first.data[i + 1]; k++) {
			const struct edge *e = &in->edges.data[k];
			if (component[in->to.data[k]] != component[i]) {
				c->left = true;
				continue;
			}
			c->spins |= 1u << e->thread;
			in->m->endless |= e->changes || (e->again && !is_same_round(&rounds, component[i], e));
		}
	}
	evr_map_release(&rounds);
}

static void judge_graph(struct interpreter *in)
{
	uint32_t *component = evr_alloc(in->worlds.len * sizeof(*component));
	size_t n = components_of(in->worlds.len, in->first.data, in->to.data, component);
	struct component *components = evr_alloc((n + 1) * sizeof(*components));
	note_edges(in, component, components);
	for (size_t c = 1; c <= n; c++)
		if (!components[c].left)
			note_end(in, &components[c]);
	free(components);
	free(component);
}

static void begin(struct interpreter *in)
{
	const struct program *p = in->p;
	struct world w;
	memset(&w, 0, sizeof(w));
	for (unsigned v = 0; v < p->vars; v++)
		w.var[v] = (int8_t)p->initial[v];
	code_of(p, &in->code);
	/* What main does before and after is nothing that anybody could disturb. */
	for (unsigned r = 0; r < p->roles; r++)
		if (!p->dropped[r] && !p->nested[r])
			begin_role(in, &w, r);
	number_of(in, &w);
}

static int by_number(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;
	return *x == *y ? 0 : *x < *y ? -1 : 1;
}

static int by_line(const void *a, const void *b)
{
	const unsigned *x = a, *y = b;
	return *x == *y ? 0 : *x < *y ? -1 : 1;
}

bool interpret_await_can(const char *model)
{
	return !strcmp(model, "sc") || !strcmp(model, "tso") || !strcmp(model, "pso");
}

void interpret_await(const struct program *p, const char *model, struct await_meaning *m)
{
	struct interpreter in = { .p = p, .m = m };
	in.model = !strcmp(model, "sc") ? SC : !strcmp(model, "tso") ? TSO : PSO;
	*m = (struct await_meaning){ 0 };
	begin(&in);
	build_graph(&in);
	m->states = in.worlds.len;
	if (!m->too_large && !m->endless)
		judge_graph(&in);
	if (m->results.len)
		qsort(m->results.data, m->results.len, sizeof(uint64_t), by_number);
	if (m->failures.len)
		qsort(m->failures.data, m->failures.len, sizeof(unsigned), by_line);
	code_release(&in.code);
	evr_vec_release(&in.worlds);
	evr_vec_release(&in.edges);
	evr_vec_release(&in.to);
	evr_vec_release(&in.first);
	evr_map_release(&in.seen);
}

void await_meaning_release(struct await_meaning *m)
{
	evr_vec_release(&m->results);
	evr_vec_release(&m->failures);
}
