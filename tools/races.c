#include "races.h"

#include <string.h>

enum { MAIN = MAX_ROLES, ACTORS, MAX_FRAMES = 4, MAX_EVENTS = 64, BYTES = 64, MOST_EXECUTIONS = 200000 };

enum kind { ACCESS, FENCE_EVENT, LOCK_EVENT, UNLOCK_EVENT, CREATED, JOINED };

struct event {
	enum kind kind;
	unsigned actor, other, line; /* other: who was created or joined */
	enum order order;
	unsigned at, size;
	bool reads, writes, atomic;
	uint64_t sources; /* set of events: whose bytes were read; of a lock, the last unlock */
};

/* A block that is being executed. */
struct frame {
	const struct block *block;
	const struct stmt *of;
	size_t at;
	int round;
};

struct actor {
	bool born, ended;
	unsigned frames;
	struct frame frame[MAX_FRAMES];
	int reg[REGISTERS];
};

struct world {
	struct actor actor[ACTORS];
	uint8_t memory[BYTES];
	int writer[BYTES]; /* event, or -1 */
	int holder[MAX_MUTEXES], unlock[MAX_MUTEXES]; /* actor, event; or -1 */
	bool freed;
	unsigned events;
	struct event event[MAX_EVENTS];
};

struct search {
	const struct program *p;
	struct races *out;
	struct block main;
	uint64_t executions;
};

/* Static variables, then the bytes that places share, then the block on the heap. */
static unsigned address_of(const struct program *p, unsigned place)
{
	const struct place *x = &p->layout->place[place];
	if (x->block)
		return 48 + 4 * (x->name[3] == '1');
	return x->name[0] == 'A' ? 16 + x->at : 4 * place;
}

static unsigned size_of(const struct program *p, unsigned place)
{
	return p->layout->place[place].cell * p->layout->place[place].cells;
}

static bool acquires(enum order o)
{
	return o == ACQUIRE || o == ACQ_REL || o == SEQ_CST;
}

static bool releases(enum order o)
{
	return o == RELEASE || o == ACQ_REL || o == SEQ_CST;
}

/* ---- happens-before ---- */

/* Where what comes before the write is released: by itself, by fences before it, by the sequence that it continues. */
static uint64_t released(const struct world *w, unsigned write)
{
	const struct event *e = &w->event[write];
	uint64_t set = 0;
	if (e->kind != ACCESS || !e->atomic)
		return 0;
	if (releases(e->order))
		set |= UINT64_C(1) << write;
	for (unsigned i = 0; i < write; i++) {
		const struct event *f = &w->event[i];
		if (f->kind == FENCE_EVENT && f->actor == e->actor && releases(f->order))
			set |= UINT64_C(1) << i;
		if (e->reads && e->sources >> i & 1)
			set |= released(w, i);
	}
	return set;
}

static uint64_t released_to(const struct world *w, unsigned read)
{
	uint64_t set = 0;
	for (unsigned i = 0; i < read; i++)
		if (w->event[read].sources >> i & 1)
			set |= released(w, i);
	return set;
}

/* The events that come directly before event e by something else than what they read. */
static bool ordered(const struct event *a, const struct event *b)
{
	return a->actor == b->actor || (a->kind == CREATED && a->other == b->actor) ||
	       (b->kind == JOINED && b->other == a->actor);
}

static uint64_t synchronised(const struct world *w, unsigned e)
{
	const struct event *x = &w->event[e];
	uint64_t set = 0;
	if (x->kind == LOCK_EVENT)
		return x->sources;
	if (x->kind == ACCESS && x->reads && x->atomic && acquires(x->order))
		set |= released_to(w, e);
	for (unsigned i = 0; i < e && x->kind == FENCE_EVENT && acquires(x->order); i++) {
		const struct event *r = &w->event[i];
		if (r->kind == ACCESS && r->actor == x->actor && r->reads && r->atomic)
			set |= released_to(w, i);
	}
	return set;
}

static void note(struct races *out, unsigned a, unsigned b)
{
	struct race_lines pair = { a < b ? a : b, a < b ? b : a };
	for (size_t i = 0; i < out->pairs.len; i++)
		if (out->pairs.data[i].first == pair.first && out->pairs.data[i].second == pair.second)
			return;
	evr_vec_push(&out->pairs, pair);
}

static void find_races(struct search *s, const struct world *w)
{
	uint64_t before[MAX_EVENTS];
	for (unsigned j = 0; j < w->events; j++) {
		const struct event *b = &w->event[j];
		uint64_t direct = synchronised(w, j);
		before[j] = 0;
		for (unsigned i = 0; i < j; i++)
			if (direct >> i & 1 || ordered(&w->event[i], b))
				before[j] |= before[i] | UINT64_C(1) << i;
		for (unsigned i = 0; i < j; i++) {
			const struct event *a = &w->event[i];
			if (a->kind == ACCESS && b->kind == ACCESS && a->actor != b->actor &&
			    (a->writes || b->writes) && !(a->atomic && b->atomic) && a->at < b->at + b->size &&
			    b->at < a->at + a->size && !(before[j] >> i & 1))
				note(s->out, a->line, b->line);
		}
	}
}

/* ---- steps ---- */

static struct event *add(struct search *s, struct world *w, unsigned actor, enum kind kind, const struct stmt *t)
{
	static struct event none;
	if (w->events == MAX_EVENTS) {
		s->out->too_large = true;
		return &none;
	}
	struct event *e = &w->event[w->events++];
	*e = (struct event){ .kind = kind, .actor = actor, .line = t->line, .order = t->order };
	return e;
}

static int load(const struct world *w, unsigned at, unsigned size)
{
	uint32_t value = 0;
	for (unsigned i = 0; i < size; i++)
		value |= (uint32_t)w->memory[at + i] << 8 * i;
	return (int)value;
}

/* A load, store or read-modify-write, or freeing a block. */
static void make_access(struct search *s, struct world *w, unsigned actor, const struct stmt *t)
{
	struct actor *a = &w->actor[actor];
	bool frees = t->kind == S_FREE;
	unsigned at = frees ? 48 : address_of(s->p, t->place), size = frees ? 8 : size_of(s->p, t->place);
	if (at >= 48 && w->freed) {
		s->out->faulty = true;
		return;
	}
	struct event *e = add(s, w, actor, ACCESS, t);
	int old = load(w, at, size), new = t->value;
	e->at = at;
	e->size = size;
	e->atomic = !frees && t->order != PLAIN;
	e->reads = !frees && t->kind != S_STORE;
	e->writes = t->kind != S_LOAD && !(t->kind == S_CAS && old != t->expected);
	for (unsigned i = 0; i < size && e->reads; i++)
		if (w->writer[at + i] >= 0)
			e->sources |= UINT64_C(1) << w->writer[at + i];
	if (t->kind == S_CAS && !e->writes)
		e->order = t->failure == PLAIN ? RELAXED : t->failure;
	if (t->kind == S_STORE && t->from_register)
		new = (a->reg[t->reg] + t->value) & 3;
	if (t->kind == S_ADD)
		new = old + t->value;
	if (e->reads)
		a->reg[t->reg] = old;
	for (unsigned i = 0; i < size && e->writes; i++) {
		w->memory[at + i] = (uint8_t)((unsigned)new >> 8 * i);
		w->writer[at + i] = (int)w->events - 1;
	}
	w->freed |= frees;
}

static void take_lock(struct search *s, struct world *w, unsigned actor, const struct stmt *t)
{
	struct event *e = add(s, w, actor, LOCK_EVENT, t);
	if (w->unlock[t->place] >= 0)
		e->sources = UINT64_C(1) << w->unlock[t->place];
	w->holder[t->place] = (int)actor;
}

static void drop_lock(struct search *s, struct world *w, unsigned actor, const struct stmt *t)
{
	add(s, w, actor, UNLOCK_EVENT, t);
	w->unlock[t->place] = (int)w->events - 1;
	w->holder[t->place] = -1;
}

static void enter(struct actor *a, const struct block *b, const struct stmt *of)
{
	if (a->frames == MAX_FRAMES)
		evr_die("a program is nested too deep");
	a->frame[a->frames++] = (struct frame){ b, of, 0, 0 };
}

static void start(struct search *s, struct world *w, unsigned actor)
{
	w->actor[actor].born = true;
	enter(&w->actor[actor], actor == MAIN ? &s->main : &s->p->role[actor], NULL);
}

static bool holds(const struct actor *a, const struct stmt *t)
{
	return (a->reg[t->reg] == t->value) != t->negated;
}

/* The end of a block; true: of a trylock's, which has something left to do. */
static bool leave(struct actor *a)
{
	struct frame *f = &a->frame[a->frames - 1];
	if (f->of && f->of->kind == S_LOOP && ++f->round < f->of->expected && !holds(a, f->of)) {
		f->at = 0;
		return false;
	}
	if (f->of && f->of->kind == S_TRYLOCK && f->block == &f->of->body)
		return true;
	a->frames--;
	a->ended = !a->frames;
	return false;
}

static const struct stmt *next(const struct actor *a)
{
	const struct frame *f = a->frames ? &a->frame[a->frames - 1] : NULL;
	return f && f->at < f->block->len ? &f->block->data[f->at] : NULL;
}

/* What nobody else can notice is done at once; false: there is nothing of the kind. */
static bool make_quiet(struct search *s, struct world *w, unsigned actor)
{
	struct actor *a = &w->actor[actor];
	if (!a->born || a->ended)
		return false;
	const struct stmt *t = next(a);
	if (!t)
		return !leave(a);
	switch (t->kind) {
	case S_FENCE:
		add(s, w, actor, FENCE_EVENT, t);
		break;
	case S_CREATE:
		add(s, w, actor, CREATED, t)->other = t->place;
		start(s, w, t->place);
		break;
	case S_JOIN:
		if (!w->actor[t->place].ended)
			return false;
		add(s, w, actor, JOINED, t)->other = t->place;
		break;
	case S_IF:
		a->frame[a->frames - 1].at++;
		enter(a, holds(a, t) ? &t->body : &t->other, t);
		return true;
	case S_LOOP:
		a->frame[a->frames - 1].at++;
		enter(a, &t->body, t);
		return true;
	default:
		return false;
	}
	a->frame[a->frames - 1].at++;
	return true;
}

/* A step that others can notice; false: the actor waits, or has ended. */
static bool make_step(struct search *s, struct world *w, unsigned actor)
{
	struct actor *a = &w->actor[actor];
	if (!a->born || a->ended)
		return false;
	const struct stmt *t = next(a);
	struct frame *f = &a->frame[a->frames - 1];
	if (!t) {
		drop_lock(s, w, actor, f->of);
		a->frames--;
		return true;
	}
	bool is_held = (t->kind == S_LOCK || t->kind == S_TRYLOCK) && w->holder[t->place] >= 0;
	if (t->kind == S_JOIN || (t->kind == S_LOCK && is_held))
		return false;
	f->at++;
	if (t->kind == S_LOCK || (t->kind == S_TRYLOCK && !is_held))
		take_lock(s, w, actor, t);
	if (t->kind == S_UNLOCK)
		drop_lock(s, w, actor, t);
	if (t->kind == S_TRYLOCK)
		enter(a, is_held ? &t->other : &t->body, t);
	if (t->kind <= S_CAS || t->kind == S_FREE)
		make_access(s, w, actor, t);
	return true;
}

static void explore(struct search *s, struct world *w);

static void choose(struct search *s, const struct world *w, unsigned actor, const struct stmt *t)
{
	for (int k = 0; k < t->value; k++) {
		struct world other = *w;
		other.actor[actor].reg[t->reg] = k;
		other.actor[actor].frame[other.actor[actor].frames - 1].at++;
		explore(s, &other);
	}
}

static bool is_over(const struct search *s)
{
	return s->out->too_large || s->out->faulty;
}

static void explore(struct search *s, struct world *w)
{
	bool more = true, stuck = true;
	while (more) {
		more = false;
		for (unsigned i = 0; i < ACTORS && !is_over(s); i++)
			more |= make_quiet(s, w, i);
	}
	for (unsigned i = 0; i < ACTORS; i++) {
		const struct stmt *t = next(&w->actor[i]);
		if (t && t->kind == S_CHOOSE) {
			choose(s, w, i, t);
			return;
		}
	}
	for (unsigned i = 0; i < ACTORS && !is_over(s); i++) {
		struct world other = *w;
		if (!make_step(s, &other, i))
			continue;
		stuck = false;
		if (!is_over(s))
			explore(s, &other);
	}
	if (stuck && !is_over(s)) {
		s->out->too_large = ++s->executions > MOST_EXECUTIONS;
		find_races(s, w);
	}
}

/* Main, as one more role. */
static void make_main(struct search *s)
{
	const struct program *p = s->p;
	for (unsigned r = 0; r < p->roles; r++)
		if (program_by_main(p, r))
			evr_vec_push(&s->main, ((struct stmt){ .kind = S_CREATE, .place = r }));
	for (size_t i = 0; p->main_runs && !p->dropped[0] && i < p->role[0].len; i++)
		evr_vec_push(&s->main, p->role[0].data[i]);
	for (unsigned r = 0; r < p->roles; r++)
		if (program_by_main(p, r))
			evr_vec_push(&s->main, ((struct stmt){ .kind = S_JOIN, .place = r }));
	for (unsigned v = 0; v < p->vars && p->epilogue; v++)
		evr_vec_push(&s->main, ((struct stmt){ .kind = S_LOAD, .place = v, .reg = v, .line = MAIN_LINES + v }));
	if (p->layout->blocks && p->frees)
		evr_vec_push(&s->main, ((struct stmt){ .kind = S_FREE, .place = 1, .line = MAIN_FREES + 1 }));
}

void races_of(const struct program *p, struct races *out)
{
	struct search s = { .p = p, .out = out };
	struct world w = { 0 };
	*out = (struct races){ 0 };
	memset(w.writer, -1, sizeof(w.writer));
	memset(w.holder, -1, sizeof(w.holder));
	memset(w.unlock, -1, sizeof(w.unlock));
	make_main(&s);
	start(&s, &w, MAIN);
	explore(&s, &w);
	evr_vec_release(&s.main);
}

char *races_differ(const struct races *r, const char *const *findings, size_t n, uint64_t seed)
{
	size_t count = 0;
	for (size_t i = 0; i < n; i++)
		count += !strncmp(findings[i], "race ", 5);
	for (size_t k = 0; k < r->pairs.len; k++) {
		char *text = evr_format("race at p%llu.c:%u with p%llu.c:%u", (unsigned long long)seed,
					r->pairs.data[k].second, (unsigned long long)seed, r->pairs.data[k].first);
		bool found = false;
		for (size_t i = 0; i < n; i++)
			found |= !strcmp(findings[i], text);
		if (!found)
			return text;
		free(text);
	}
	return count == r->pairs.len ? NULL : evr_format("%zu races, and there should be %zu", count, r->pairs.len);
}
