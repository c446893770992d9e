#include "threads_c11.h"

#include <string.h>

/* A statement that tells what role 0 knows. */
enum { TELL_ROLE_0 = STMT_KINDS };
enum { FREE_MUTEX, TAKEN };
/* A loop that counts its rounds makes fewer. */
enum { MOST_ROUNDS = 8 };

uint64_t c11_told(const struct c11_actor *a)
{
	return ((((uint64_t)a->reg[0] * 64 + (uint64_t)a->reg[1]) * 64) + (uint64_t)a->reg[2]) * 64 +
	       (uint64_t)a->reg[3];
}

/* ---- events ---- */

static struct c11_event *add(struct c11_state *g, unsigned actor, enum c11_event_kind kind)
{
	if (g->graph.events == RELATION_SIZE) {
		g->too_large = true;
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

static void add_write(struct c11_state *g, unsigned actor, int location, int value, enum order order)
{
	struct c11_event *e = add(g, actor, C11_WRITE);
	e->location = location;
	e->value = value;
	e->order = order;
	e->may_write = true;
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

/* ---- loops ---- */

enum form {
	UNKNOWN,
	WAITS, /* one access until it finds something; if it fails, it leaves memory as it is */
	TESTS, /* a loop that only reads, and then one access, until that finds something */
	UPDATES, /* compare-exchange with what was found last */
};

static bool fits(const struct stmt *loop, const struct stmt *s)
{
	return s->reg == loop->reg &&
	       (s->kind == S_LOAD || (s->kind == S_CAS && !loop->negated && loop->value == s->expected) ||
		(s->kind == S_EXCHANGE && loop->negated && loop->value == s->value));
}

static enum form form_of(const struct stmt *loop)
{
	const struct block *b = &loop->body;
	const struct stmt *first = b->data, *last = b->len ? &b->data[b->len - 1] : NULL;
	if (loop->expected || !b->len || b->len > 2)
		return UNKNOWN;
	if (last->kind == S_UPDATE) {
		bool reads = b->len == 1 ||
			     (first->kind == S_LOAD && first->place == last->place && first->reg == last->reg);
		bool succeeds = loop->reg == last->index && loop->value == 1 && !loop->negated;
		return reads && succeeds && last->index != last->reg ? UPDATES : UNKNOWN;
	}
	if (!fits(loop, last))
		return UNKNOWN;
	if (b->len == 1)
		return WAITS;
	bool tests = first->kind == S_AWAIT ||
		     (first->kind == S_RETRY && form_of(first) == WAITS && first->body.data[0].kind == S_LOAD);
	return tests ? TESTS : UNKNOWN;
}

/* A round has failed. */
static void go_round(const struct c11_threads *t, struct c11_state *g, struct c11_frame *f)
{
	f->at = 0;
	f->rounds++;
	if (form_of(f->of) != UPDATES) {
		g->dead = f->rounds > t->options->rounds;
		return;
	}
	/* What has no consistent beginning is not consistent: without this there would be no end. */
	g->dead = !c11_is_consistent_if_quiet(t->options, &g->graph);
	g->too_large |= !g->dead && f->rounds > MOST_ROUNDS;
}

static bool holds(const struct c11_actor *a, const struct stmt *s)
{
	return (a->reg[s->reg] == s->value) != s->negated;
}

/* ---- statements without a choice ---- */

static void enter(struct c11_actor *a, const struct block *b, const struct stmt *of)
{
	if (a->frames == C11_MOST_FRAMES)
		evr_die("a program is nested too deep");
	a->frame[a->frames++] = (struct c11_frame){ .block = b, .of = of };
}

static void start(const struct c11_threads *t, struct c11_state *g, unsigned actor)
{
	g->actor[actor].born = true;
	enter(&g->actor[actor], actor == C11_MAIN ? &t->main : &t->p->role[actor], NULL);
	add(g, actor, C11_STARTED);
}

static void unlock(const struct c11_threads *t, struct c11_state *g, unsigned actor, unsigned mutex)
{
	enum order o = t->options->locks;
	add_write(g, actor, (int)(C11_MUTEX + mutex), FREE_MUTEX, o == PLAIN ? RELEASE : write_half(o));
}

static struct c11_frame *top(struct c11_actor *a)
{
	return &a->frame[a->frames - 1];
}

static const struct stmt *next(const struct c11_actor *a)
{
	const struct c11_frame *f = a->frames ? &a->frame[a->frames - 1] : NULL;
	return f && f->at < f->block->len ? &f->block->data[f->at] : NULL;
}

/* The end of a block. */
static void leave(const struct c11_threads *t, struct c11_state *g, unsigned actor)
{
	struct c11_actor *a = &g->actor[actor];
	struct c11_frame *f = top(a);
	if (f->of && f->of->kind == S_RETRY && !holds(a, f->of)) {
		go_round(t, g, f);
		return;
	}
	a->frames--;
	if (f->of && f->of->kind == S_RETRY)
		top(a)->at++;
	if (f->of && f->of->kind == S_TRYLOCK && f->block == &f->of->body)
		unlock(t, g, actor, f->of->place);
	a->ended = !a->frames;
	if (a->ended)
		add(g, actor, C11_ENDED);
}

bool c11_waits_for_mutex(const struct c11_actor *a)
{
	const struct stmt *s = a->born && !a->ended && !a->waits ? next(a) : NULL;
	return s && s->kind == S_LOCK;
}

/* False: the statement is of another kind. */
static bool execute(const struct c11_threads *t, struct c11_state *g, unsigned actor, const struct stmt *s)
{
	struct c11_actor *a = &g->actor[actor];
	switch ((int)s->kind) {
	case S_STORE:
		add_write(g, actor, (int)s->place, s->from_register ? (a->reg[s->reg] + s->value) & 3 : s->value,
			  s->order);
		return true;
	case S_FENCE:
		add(g, actor, C11_FENCE)->order = without_consume(s->order);
		return true;
	case S_UNLOCK:
		unlock(t, g, actor, s->place);
		return true;
	case S_CREATE:
		add(g, actor, C11_CREATED)->other = s->place;
		start(t, g, s->place);
		return true;
	case S_JOIN:
		add(g, actor, C11_JOINED)->other = s->place;
		return true;
	case S_SET:
		a->reg[s->reg] = s->value;
		return true;
	case TELL_ROLE_0:
		a->told = result_part(0, c11_told(a));
		return true;
	default:
		return false;
	}
}

bool c11_advance(const struct c11_threads *t, struct c11_state *g, unsigned actor)
{
	struct c11_actor *a = &g->actor[actor];
	if (!a->born || a->ended || a->waits || a->stopped || g->dead || g->too_large)
		return false;
	const struct stmt *s = next(a);
	if (!s) {
		leave(t, g, actor);
		return true;
	}
	if (s->kind == S_JOIN && !g->actor[s->place].ended)
		return false;
	if (s->kind == S_RETRY) {
		g->too_large |= form_of(s) == UNKNOWN;
		enter(a, &s->body, s);
		return true;
	}
	if (s->kind == S_IF) {
		top(a)->at++;
		enter(a, holds(a, s) ? &s->body : &s->other, s);
		return true;
	}
	bool done = execute(t, g, actor, s);
	top(a)->at += done;
	return done;
}

/* ---- reads ---- */

static bool is_lock(const struct stmt *s)
{
	return s->kind == S_LOCK || s->kind == S_TRYLOCK || s->kind == S_SPIN_ON_TRYLOCK;
}

static int location_of(const struct c11_actor *a, const struct stmt *s)
{
	return (int)(is_lock(s) ? C11_MUTEX + s->place : a->second ? s->place2 : s->place);
}

/* What an await looks for in its first or second variable. */
static bool finds(const struct stmt *s, bool second, int value)
{
	return second ? value == s->expected : (value == s->value) != s->negated;
}

static bool is_updated(const struct c11_state *g, unsigned write)
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
static bool may_read(const struct c11_threads *t, const struct c11_state *g, unsigned actor, unsigned write)
{
	const struct c11_actor *a = &g->actor[actor];
	const struct stmt *s = next(a);
	const struct c11_event *w = &g->graph.event[write];
	bool more = a->rounds < t->options->rounds;
	if (w->kind != C11_WRITE || w->location != location_of(a, s))
		return false;
	if (is_lock(s))
		return w->value == FREE_MUTEX ? !is_updated(g, write)
					      : s->kind == S_TRYLOCK || (s->kind == S_SPIN_ON_TRYLOCK && more);
	if (s->kind == S_AWAIT && !finds(s, a->second, w->value))
		return more || (s->either && !a->second);
	return true;
}

static bool writes(const struct c11_actor *a, const struct stmt *s, int old)
{
	switch (s->kind) {
	case S_ADD:
	case S_EXCHANGE:
		return true;
	case S_CAS:
		return old == s->expected && a->cas != IN_VAIN;
	case S_UPDATE:
		return old == a->reg[s->reg] && a->cas != IN_VAIN;
	default:
		return is_lock(s) && old == FREE_MUTEX;
	}
}

static int new_value(const struct stmt *s, int old)
{
	return s->kind == S_ADD      ? old + s->value
	       : s->kind == S_UPDATE ? (old + s->value) & 3
	       : is_lock(s)          ? TAKEN
				     : s->value;
}

static enum order order_of(const struct c11_threads *t, const struct stmt *s, bool updates)
{
	enum order locks = t->options->locks;
	if (is_lock(s))
		return locks != PLAIN ? locks : updates ? ACQUIRE : RELAXED;
	if ((s->kind == S_CAS || s->kind == S_UPDATE) && !updates)
		return s->failure == PLAIN ? RELAXED : s->failure;
	return s->order;
}

/* One of two variables, or the whole await. */
static void await(struct c11_actor *a, const struct stmt *s, int value)
{
	if (finds(s, a->second, value)) {
		if (s->from_register && !s->either)
			a->reg[s->reg] = value;
		top(a)->at++;
		a->rounds = 0;
		a->second = false;
	} else {
		a->rounds += !s->either || a->second;
		a->second = s->either && !a->second;
	}
}

/* What the thread makes of the value that it has read. */
static void use(struct c11_actor *a, const struct stmt *s, int value, bool updates)
{
	bool in_vain = a->cas == IN_VAIN;
	int expected = s->kind == S_CAS ? s->expected : a->reg[s->reg];
	a->cas = UNDECIDED;
	a->spurious += in_vain;
	if (s->kind == S_AWAIT) {
		await(a, s, value);
		return;
	}
	if (s->kind == S_SPIN_ON_TRYLOCK && !updates) {
		a->rounds++;
		return;
	}
	a->rounds = 0;
	top(a)->at++;
	if (s->kind == S_TRYLOCK)
		enter(a, updates ? &s->body : &s->other, s);
	else if (!is_lock(s))
		a->reg[s->reg] = value;
	if (s->kind == S_UPDATE)
		a->reg[s->index] = updates;
	/* It would have failed anyway: that is another execution. */
	a->stopped = in_vain && value != expected;
}

static void take_read(const struct c11_threads *t, struct c11_state *g, unsigned actor, int source, int value)
{
	struct c11_actor *a = &g->actor[actor];
	const struct stmt *s = next(a);
	bool updates = writes(a, s, value);
	enum order o = order_of(t, s, updates);
	struct c11_event *r = add(g, actor, C11_READ);
	r->location = location_of(a, s);
	r->source = source;
	r->value = value;
	r->order = read_half(o);
	r->may_write = s->kind != S_LOAD && s->kind != S_AWAIT;
	int number = (int)(r - g->graph.event);
	if (updates) {
		add_write(g, actor, location_of(a, s), new_value(s, value), write_half(o));
		g->graph.event[g->graph.events - 1].read = number;
	}
	use(a, s, value, updates);
}

/* ---- ways to go on ---- */

static bool is_weak(const struct c11_threads *t, const struct c11_actor *a, const struct stmt *s)
{
	return (s->kind == S_CAS || s->kind == S_UPDATE) && s->weak && a->spurious < t->options->spurious;
}

/* The loop at whose start the thread is, if it may wait there for ever; NULL: it may not. */
static const struct stmt *wait_of(const struct c11_actor *a)
{
	const struct stmt *s = next(a);
	const struct c11_frame *f = &a->frame[a->frames - 1];
	if (s->kind == S_AWAIT || s->kind == S_SPIN_ON_TRYLOCK)
		return a->second ? NULL : s;
	bool loops = f->of && f->of->kind == S_RETRY && f->at == 0 && a->cas == UNDECIDED;
	return loops && form_of(f->of) == WAITS ? f->of : NULL;
}

unsigned c11_ways(const struct c11_threads *t, const struct c11_state *g, unsigned actor,
		  struct c11_way ways[C11_MOST_WAYS])
{
	const struct c11_actor *a = &g->actor[actor];
	const struct stmt *s = next(a);
	unsigned n = 0;
	if (!a->born || a->ended || a->waits || a->stopped || !s || s->kind == S_JOIN)
		return 0;
	if (wait_of(a))
		ways[n++] = (struct c11_way){ C11_FOR_EVER, 0 };
	int choices = s->kind == S_CHOOSE ? s->value : is_weak(t, a, s) && a->cas == UNDECIDED ? 2 : 0;
	for (int i = 0; i < choices && i < C11_PROMISES; i++)
		ways[n++] = (struct c11_way){ C11_CHOICE, i };
	if (choices)
		return n;
	for (unsigned e = 0; e < g->graph.events; e++)
		if (may_read(t, g, actor, e))
			ways[n++] = (struct c11_way){ C11_FROM, (int)e };
	for (int value = 0; value < C11_PROMISES && t->options->promises && !is_lock(s); value++)
		ways[n++] = (struct c11_way){ C11_PROMISE, value };
	return n;
}

void c11_take(const struct c11_threads *t, struct c11_state *g, unsigned actor, struct c11_way way)
{
	struct c11_actor *a = &g->actor[actor];
	const struct stmt *s = next(a);
	switch (way.kind) {
	case C11_FROM:
		take_read(t, g, actor, way.number, g->graph.event[way.number].value);
		break;
	case C11_PROMISE:
		take_read(t, g, actor, C11_PROMISED, way.number);
		break;
	case C11_CHOICE:
		add(g, actor, C11_CHOSEN)->value = way.number;
		if (s->kind == S_CHOOSE) {
			a->reg[s->reg] = way.number;
			top(a)->at++;
		} else {
			a->cas = way.number ? IN_VAIN : IN_EARNEST;
		}
		break;
	case C11_FOR_EVER:
		a->waits = true;
		break;
	}
}

/* ---- who waits for ever ---- */

/* Does the loop go on waiting if it finds this value? */
static bool fails(const struct stmt *loop, bool second, int value)
{
	if (loop->kind == S_SPIN_ON_TRYLOCK)
		return value == TAKEN;
	if (loop->kind == S_AWAIT)
		return !finds(loop, second, value);
	return (value == loop->value) == loop->negated;
}

static bool restrict_location(struct c11_state *g, const struct stmt *loop, int location, bool second)
{
	uint64_t *last = &g->graph.last[location], some = 0;
	for (unsigned e = 0; e < g->graph.events; e++) {
		const struct c11_event *w = &g->graph.event[e];
		if (w->kind == C11_WRITE && w->location == location && fails(loop, second, w->value))
			some |= bit(e);
	}
	*last = *last ? *last & some : some;
	return *last;
}

bool c11_restrict_last(struct c11_state *g)
{
	bool possible = true;
	memset(g->graph.last, 0, sizeof(g->graph.last));
	for (unsigned i = 0; i < C11_ACTORS && possible; i++) {
		const struct c11_actor *a = &g->actor[i];
		if (!a->waits)
			continue;
		const struct stmt *loop = wait_of(a);
		possible = restrict_location(g, loop, location_of(a, next(a)), false);
		if (possible && loop->kind == S_AWAIT && loop->either)
			possible = restrict_location(g, loop, (int)loop->place2, true);
	}
	return possible;
}

/* ---- the beginning ---- */

static void make_main(struct c11_threads *t)
{
	const struct program *p = t->p;
	for (unsigned r = 0; r < p->roles; r++)
		if (program_by_main(p, r))
			evr_vec_push(&t->main, ((struct stmt){ .kind = S_CREATE, .place = r }));
	if (p->main_runs && !p->dropped[0]) {
		for (size_t i = 0; i < p->role[0].len; i++)
			evr_vec_push(&t->main, p->role[0].data[i]);
		evr_vec_push(&t->main, ((struct stmt){ .kind = (enum stmt_kind)TELL_ROLE_0 }));
	}
	for (unsigned r = 0; r < p->roles; r++)
		if (program_by_main(p, r))
			evr_vec_push(&t->main, ((struct stmt){ .kind = S_JOIN, .place = r }));
	for (unsigned v = 0; v < p->vars && p->epilogue; v++)
		evr_vec_push(&t->main, ((struct stmt){ .kind = S_LOAD, .place = v, .reg = v }));
}

void c11_threads_init(struct c11_threads *t, const struct program *p, const struct c11_options *options)
{
	*t = (struct c11_threads){ .p = p, .options = options };
	make_main(t);
}

void c11_threads_release(struct c11_threads *t)
{
	evr_vec_release(&t->main);
}

void c11_begin(const struct c11_threads *t, struct c11_state *g)
{
	memset(g, 0, sizeof(*g));
	for (unsigned l = 0; l < C11_LOCATIONS; l++) {
		add_write(g, C11_ACTORS, (int)l, l < t->p->vars ? t->p->initial[l] : FREE_MUTEX, PLAIN);
		g->graph.event[l].position = l;
	}
	start(t, g, C11_MAIN);
}
