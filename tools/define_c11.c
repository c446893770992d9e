#include "define_c11.h"

#include "base/map.h"
#include "base/set.h"

#include <string.h>

/* Events are bits of a word, and so are their sets. What needs more graphs or orders than this is too large. */
enum {
	MOST_EVENTS = 64,
	MOST_FRAMES = 6,
	MUTEX = MAX_VARS,
	LOCATIONS = MAX_VARS + MAX_MUTEXES,
	NOWHERE = -1,
	NONE = -1
};
enum {
	MOST_WRITES = 10,
	MOST_GRAPHS = 60000,
	MOST_ORDERS = 40000000,
	PROMISED = -2,
	PROMISES = 4,
	TELL_ROLE_0 = STMT_KINDS
};
enum { FREE_MUTEX, TAKEN };

enum kind { READ, WRITE, FENCE, CREATED, JOINED };

/* A read-modify-write is two events, its read and its write, as in the paper. */
struct event {
	enum kind kind;
	unsigned actor,
		position; /* the position-th of its actor; an initial write is its location's of actor C11_ACTORS */
	int location;
	enum order order;
	int value;
	int source; /* of a read */
	int read; /* of a write: that of the same read-modify-write */
	unsigned other; /* who is created or joined */
};

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
struct graph {
	unsigned events;
	struct event event[MOST_EVENTS]; /* initial writes first, one for each location */
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

static bool has(const struct search *s, enum c11_clause clause)
{
	return !(s->options->without & clause);
}

/* ---- relations ---- */

/* b is in row[a]: a is related to b. */
struct relation {
	uint64_t row[MOST_EVENTS];
};

static uint64_t bit(unsigned e)
{
	return UINT64_C(1) << e;
}

static struct relation identity(uint64_t on)
{
	struct relation r = { { 0 } };
	for (unsigned a = 0; a < MOST_EVENTS; a++)
		r.row[a] = on & bit(a);
	return r;
}

static struct relation unite(const struct relation *x, const struct relation *y)
{
	struct relation r;
	for (unsigned a = 0; a < MOST_EVENTS; a++)
		r.row[a] = x->row[a] | y->row[a];
	return r;
}

/* x; y */
static struct relation compose(const struct relation *x, const struct relation *y)
{
	struct relation r = { { 0 } };
	for (unsigned a = 0; a < MOST_EVENTS; a++)
		for (uint64_t left = x->row[a]; left; left &= left - 1)
			r.row[a] |= y->row[__builtin_ctzll(left)];
	return r;
}

/* x; y? */
static struct relation compose_maybe(const struct relation *x, const struct relation *y)
{
	struct relation r = compose(x, y);
	return unite(x, &r);
}

/* [from]; x; [to] */
static struct relation restrict_to(const struct relation *x, uint64_t from, uint64_t to)
{
	struct relation r = { { 0 } };
	for (unsigned a = 0; a < MOST_EVENTS; a++)
		if (from & bit(a))
			r.row[a] = x->row[a] & to;
	return r;
}

static struct relation inverse(const struct relation *x)
{
	struct relation r = { { 0 } };
	for (unsigned a = 0; a < MOST_EVENTS; a++)
		for (uint64_t left = x->row[a]; left; left &= left - 1)
			r.row[__builtin_ctzll(left)] |= bit(a);
	return r;
}

/* x+ */
static struct relation closure(const struct relation *x)
{
	struct relation r = *x;
	for (unsigned k = 0; k < MOST_EVENTS; k++)
		for (unsigned a = 0; a < MOST_EVENTS; a++)
			if (r.row[a] & bit(k))
				r.row[a] |= r.row[k];
	return r;
}

static bool irreflexive(const struct relation *x)
{
	for (unsigned a = 0; a < MOST_EVENTS; a++)
		if (x->row[a] & bit(a))
			return false;
	return true;
}

static bool acyclic(const struct relation *x)
{
	struct relation r = closure(x);
	return irreflexive(&r);
}

/* ---- the definition ---- */

/* What the axioms are about. All but mo, rb and eco depend on reads-from alone. */
struct execution {
	const struct search *s;
	const struct graph *g;
	uint64_t reads, writes, fences, atomic; /* atomic: relaxed or stronger */
	uint64_t releases, acquires, sc;
	struct relation sb, rf, rmw, sw, hb;
	struct relation same_location; /* of events that have one */
	struct relation mo, rb, eco;
};

static void find_sets(struct execution *x)
{
	for (unsigned e = 0; e < x->g->events; e++) {
		const struct event *v = &x->g->event[e];
		x->reads |= v->kind == READ ? bit(e) : 0;
		x->writes |= v->kind == WRITE ? bit(e) : 0;
		x->fences |= v->kind == FENCE ? bit(e) : 0;
		x->atomic |= v->order != PLAIN ? bit(e) : 0;
		/* A read does not release, and a write does not acquire, whatever the order is that they have. */
		bool strong = v->order == ACQ_REL || v->order == SEQ_CST;
		if (v->kind != READ && (strong || v->order == RELEASE))
			x->releases |= bit(e);
		if (v->kind != WRITE && (strong || v->order == ACQUIRE))
			x->acquires |= bit(e);
		x->sc |= v->order == SEQ_CST ? bit(e) : 0;
	}
}

static void find_given(struct execution *x)
{
	const struct graph *g = x->g;
	for (unsigned b = 0; b < g->events; b++) {
		const struct event *v = &g->event[b];
		if (v->kind == READ)
			x->rf.row[v->source] |= bit(b);
		if (v->kind == WRITE && v->read != NONE)
			x->rmw.row[v->read] |= bit(b);
		for (unsigned a = 0; a < g->events; a++) {
			const struct event *u = &g->event[a];
			if (u->actor == v->actor && u->actor != C11_ACTORS && u->position < v->position)
				x->sb.row[a] |= bit(b);
			if (a != b && u->location != NOWHERE && u->location == v->location)
				x->same_location.row[a] |= bit(b);
		}
	}
}

/* rs = [W]; (sb|loc)?; [W, atomic]; (rf; rmw)* where the second part is C11's. */
static struct relation release_sequences(const struct execution *x)
{
	struct relation heads = identity(x->writes), step = { { 0 } }, none = identity(~UINT64_C(0));
	if (x->s->options->c11_sequences) {
		for (unsigned a = 0; a < MOST_EVENTS; a++)
			if (x->writes & bit(a))
				heads.row[a] |= x->sb.row[a] & x->same_location.row[a];
	}
	heads = restrict_to(&heads, x->writes, x->writes & x->atomic);
	if (has(x->s, C11_RS_RMW))
		step = compose(&x->rf, &x->rmw);
	step = closure(&step);
	step = unite(&none, &step);
	return compose(&heads, &step);
}

/* sw = [rel]; ([F]; sb)?; rs; rf; [R, atomic]; (sb; [F])?; [acq] */
static void find_sw(struct execution *x)
{
	struct relation rs = release_sequences(x);
	struct relation from = { { 0 } }, to = { { 0 } };
	struct relation fence_sb = restrict_to(&x->sb, x->fences & x->releases, x->writes);
	struct relation sb_fence = restrict_to(&x->sb, x->reads, x->fences & x->acquires);
	if (has(x->s, C11_RELEASE))
		from = identity(x->writes & x->releases);
	if (has(x->s, C11_RELEASE_FENCE))
		from = unite(&from, &fence_sb);
	if (has(x->s, C11_ACQUIRE))
		to = identity(x->reads & x->acquires);
	if (has(x->s, C11_ACQUIRE_FENCE))
		to = unite(&to, &sb_fence);
	struct relation sw = compose(&from, &rs);
	sw = compose(&sw, &x->rf);
	sw = restrict_to(&sw, ~UINT64_C(0), x->reads & x->atomic);
	x->sw = compose(&sw, &to);
}

/* hb = (sb u sw u create u join)+, and initial writes come before all. */
static void find_hb(struct execution *x)
{
	struct relation hb = unite(&x->sb, &x->sw);
	for (unsigned a = 0; a < x->g->events; a++)
		for (unsigned b = 0; b < x->g->events; b++) {
			const struct event *u = &x->g->event[a], *v = &x->g->event[b];
			bool initial = u->actor == C11_ACTORS && v->actor != C11_ACTORS;
			if ((has(x->s, C11_CREATE) && u->kind == CREATED && u->other == v->actor) ||
			    (has(x->s, C11_JOIN) && v->kind == JOINED && v->other == u->actor) || initial)
				hb.row[a] |= bit(b);
		}
	x->hb = closure(&hb);
}

/* From mo: rb = rf^-1; mo \ id, eco = rf u mo; rf? u rb; rf? */
static void find_eco(struct execution *x)
{
	struct relation from = inverse(&x->rf);
	x->rb = compose(&from, &x->mo);
	for (unsigned a = 0; a < MOST_EVENTS; a++)
		x->rb.row[a] &= ~bit(a);
	struct relation mo_rf = compose_maybe(&x->mo, &x->rf), rb_rf = compose_maybe(&x->rb, &x->rf);
	x->eco = unite(&x->rf, &mo_rf);
	x->eco = unite(&x->eco, &rb_rf);
}

/* hb; eco? irreflexive. That hb; rf is so follows from NO-THIN-AIR; the rest can be left out part by part. */
static bool coherent(const struct execution *x)
{
	struct relation mo_rf = compose(&x->mo, &x->rf), rb_rf = compose(&x->rb, &x->rf), hb_eco;
	if (!has(x->s, C11_COHERENCE))
		return true;
	if (!(x->s->options->without & (C11_HB_MO | C11_HB_MO_RF | C11_HB_RB | C11_HB_RB_RF))) {
		hb_eco = compose_maybe(&x->hb, &x->eco);
		return irreflexive(&hb_eco);
	}
	struct relation eco = x->rf;
	if (has(x->s, C11_HB_MO))
		eco = unite(&eco, &x->mo);
	if (has(x->s, C11_HB_MO_RF))
		eco = unite(&eco, &mo_rf);
	if (has(x->s, C11_HB_RB))
		eco = unite(&eco, &x->rb);
	if (has(x->s, C11_HB_RB_RF))
		eco = unite(&eco, &rb_rf);
	hb_eco = compose_maybe(&x->hb, &eco);
	return irreflexive(&hb_eco);
}

/* rmw n (rb; mo) is empty. */
static bool atomic(const struct execution *x)
{
	struct relation rb_mo = compose(&x->rb, &x->mo);
	for (unsigned a = 0; a < MOST_EVENTS && has(x->s, C11_ATOMICITY); a++)
		if (rb_mo.row[a] & x->rmw.row[a])
			return false;
	return true;
}

/* sb u rf acyclic */
static bool not_out_of_thin_air(const struct execution *x)
{
	struct relation r = unite(&x->sb, &x->rf);
	return !has(x->s, C11_NO_THIN_AIR) || acyclic(&r);
}

/* scb = sb u sb|!=loc; hb; sb|!=loc u hb|loc u mo u rb */
static struct relation find_scb(const struct execution *x)
{
	struct relation scb = { { 0 } }, other = x->sb, hb_loc = x->hb;
	for (unsigned a = 0; a < MOST_EVENTS; a++) {
		other.row[a] &= ~x->same_location.row[a];
		hb_loc.row[a] &= x->same_location.row[a];
	}
	struct relation around = compose(&other, &x->hb);
	around = compose(&around, &other);
	if (has(x->s, C11_SCB_SB))
		scb = unite(&scb, &x->sb);
	if (has(x->s, C11_SCB_SB_HB_SB))
		scb = unite(&scb, &around);
	if (has(x->s, C11_SCB_HB_LOC))
		scb = unite(&scb, &hb_loc);
	if (has(x->s, C11_SCB_MO))
		scb = unite(&scb, &x->mo);
	if (has(x->s, C11_SCB_RB))
		scb = unite(&scb, &x->rb);
	return scb;
}

/* psc = ([SC] u [Fsc]; hb?); scb; ([SC] u hb?; [Fsc])  u  [Fsc]; (hb u hb; eco; hb); [Fsc] acyclic */
static bool sequentially_consistent(const struct execution *x)
{
	if (!x->sc || !has(x->s, C11_SC))
		return true;
	uint64_t all = ~UINT64_C(0), fences = x->fences & x->sc;
	struct relation scb = find_scb(x), left = identity(x->sc), right = left;
	struct relation fence_hb = restrict_to(&x->hb, fences, all), hb_fence = restrict_to(&x->hb, all, fences);
	if (has(x->s, C11_FENCE_HB))
		left = unite(&left, &fence_hb);
	if (has(x->s, C11_HB_FENCE))
		right = unite(&right, &hb_fence);
	struct relation psc = compose(&left, &scb);
	psc = compose(&psc, &right);
	struct relation between = { { 0 } };
	if (has(x->s, C11_FENCE_HB_ECO_HB)) {
		between = compose(&x->hb, &x->eco);
		between = compose(&between, &x->hb);
	}
	between = unite(&x->hb, &between);
	between = restrict_to(&between, fences, fences);
	psc = unite(&psc, &between);
	return acyclic(&psc);
}

/* ---- all modification orders ---- */

/* Orders of the writes to a location, the initial one first, that satisfy what is said about one location alone. */
struct orders {
	unsigned writes;
	uint8_t write[MOST_WRITES];
	EVR_VEC(struct order_of_writes { uint8_t write[MOST_WRITES]; }) good;
};

static void add_order(struct relation *mo, const uint8_t *write, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		for (unsigned k = i + 1; k < n; k++)
			mo->row[write[i]] |= bit(write[k]);
}

/* Of the writes from `from` on, does another happen before the k-th? Then COHERENCE, of which hb; mo is a part, refuses whatever begins so. */
static bool must_wait(const struct execution *x, const struct orders *o, unsigned from, unsigned k)
{
	bool waits = false;
	for (unsigned i = from; i < o->writes && has(x->s, C11_COHERENCE) && has(x->s, C11_HB_MO); i++)
		waits |= x->hb.row[o->write[i]] & bit(o->write[k]) && i != k;
	return waits;
}

/* eco relates accesses to one location, so that COHERENCE and ATOMICITY hold of mo if they hold of each location's part. */
static void permute(struct search *s, struct execution *x, struct orders *o, unsigned from)
{
	if (from < o->writes) {
		for (unsigned k = from; k < o->writes; k++) {
			uint8_t first = o->write[from];
			if (must_wait(x, o, from, k))
				continue;
			o->write[from] = o->write[k];
			o->write[k] = first;
			permute(s, x, o, from + 1);
			o->write[k] = o->write[from];
			o->write[from] = first;
		}
		return;
	}
	s->orders++;
	memset(&x->mo, 0, sizeof(x->mo));
	add_order(&x->mo, o->write, o->writes);
	find_eco(x);
	if (coherent(x) && atomic(x)) {
		struct order_of_writes good;
		memcpy(good.write, o->write, sizeof(good.write));
		evr_vec_push(&o->good, good);
	}
}

/* How many modification orders there are with which SC holds, too. */
static uint64_t count_orders(struct search *s, struct execution *x, struct orders *o, unsigned location)
{
	if (!x->sc) {
		uint64_t n = 1;
		for (unsigned l = 0; l < LOCATIONS; l++)
			n *= o[l].writes > 1 ? o[l].good.len : 1;
		return n;
	}
	while (location < LOCATIONS && o[location].writes <= 1)
		location++;
	if (location == LOCATIONS) {
		s->orders++;
		find_eco(x);
		return sequentially_consistent(x);
	}
	uint64_t n = 0;
	struct relation mo = x->mo;
	for (size_t i = 0; i < o[location].good.len; i++) {
		x->mo = mo;
		add_order(&x->mo, o[location].good.data[i].write, o[location].writes);
		n += count_orders(s, x, o, location + 1);
	}
	x->mo = mo;
	return n;
}

/* With how many modification orders are these reads-from consistent? */
static uint64_t consistent(struct search *s, struct execution *x)
{
	struct orders o[LOCATIONS] = { { 0 } };
	bool possible = true;
	find_sets(x);
	find_given(x);
	find_sw(x);
	find_hb(x);
	if (!irreflexive(&x->hb) || !not_out_of_thin_air(x))
		return 0;
	for (unsigned e = 0; e < x->g->events && !s->out->too_large; e++) {
		const struct event *v = &x->g->event[e];
		if (v->kind == WRITE && o[v->location].writes < MOST_WRITES)
			o[v->location].write[o[v->location].writes++] = (uint8_t)e;
		else if (v->kind == WRITE)
			s->out->too_large = true;
	}
	for (unsigned l = 0; l < LOCATIONS && possible && !s->out->too_large; l++)
		if (o[l].writes) {
			permute(s, x, &o[l], 1);
			possible = o[l].good.len;
		}
	s->out->too_large |= s->orders > MOST_ORDERS;
	memset(&x->mo, 0, sizeof(x->mo));
	uint64_t n = possible && !s->out->too_large ? count_orders(s, x, o, 0) : 0;
	for (unsigned l = 0; l < LOCATIONS; l++)
		evr_vec_release(&o[l].good);
	return n;
}

/* Two accesses of different threads, one of them a write, one of them plain, neither before the other. */
static bool racy(const struct execution *x)
{
	for (unsigned a = LOCATIONS; a < x->g->events; a++)
		for (unsigned b = LOCATIONS; b < x->g->events; b++) {
			bool plain = !(x->atomic & bit(a)) || !(x->atomic & bit(b));
			bool ordered = x->hb.row[a] & bit(b) || x->hb.row[b] & bit(a);
			if (x->same_location.row[a] & bit(b) && x->writes & bit(a) && plain && !ordered &&
			    x->g->event[a].actor != x->g->event[b].actor)
				return true;
		}
	return false;
}

/* ---- complete graphs ---- */

/* A deterministic program: reads-from tell all of a graph. In whatever order its events were added, its key is the same. */
static struct evr_key key_of(const struct graph *g)
{
	uint16_t text[C11_ACTORS * MOST_EVENTS] = { 0 };
	unsigned n = 0;
	for (unsigned a = 0; a < C11_ACTORS; a++)
		for (unsigned k = 0; k <= g->actor[a].events; k++, n++)
			for (unsigned e = 0; e < g->events && k < g->actor[a].events; e++) {
				const struct event *v = &g->event[e];
				if (v->actor != a || v->position != k || v->kind != READ)
					continue;
				const struct event *w = v->source >= 0 ? &g->event[v->source] : NULL;
				text[n] = (uint16_t)(w ? 16 + w->actor * MOST_EVENTS + w->position
						       : 1 + (unsigned)v->value);
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

static void take_outcome(struct search *s, const struct graph *g)
{
	struct c11_outcome o;
	uint64_t sum = g->actor[C11_MAIN].told;
	for (unsigned a = 0; a < C11_ACTORS; a++) {
		memcpy(o.reg[a], g->actor[a].reg, sizeof(o.reg[a]));
		if (g->actor[a].ended)
			sum += result_part(a == C11_MAIN ? MAIN_ROLE : a, told(&g->actor[a]));
		s->out->deadlock |= g->actor[a].born && !g->actor[a].ended;
	}
	take_result(s->out, sum);
	if (s->options->outcome)
		s->options->outcome(s->options->context, &o);
}

static void judge_graph(struct search *s, const struct graph *g)
{
	if (!evr_set_add(&s->complete, key_of(g), NULL))
		return;
	struct execution x = { .s = s, .g = g };
	s->out->graphs++;
	uint64_t n = consistent(s, &x);
	if (!n)
		return;
	s->out->pairs += n;
	s->out->classes++;
	s->out->racy |= racy(&x);
	take_outcome(s, g);
}

/* Reads that were promised a value get every source that has it. */
static void keep_promises(struct search *s, struct graph *g, unsigned from)
{
	while (from < g->events && (g->event[from].kind != READ || g->event[from].source != PROMISED))
		from++;
	if (from == g->events) {
		judge_graph(s, g);
		return;
	}
	struct event *r = &g->event[from];
	for (unsigned e = 0; e < g->events; e++) {
		const struct event *w = &g->event[e];
		if (w->kind != WRITE || w->location != r->location || w->value != r->value || w->read == (int)from)
			continue;
		r->source = (int)e;
		keep_promises(s, g, from + 1);
	}
	r->source = PROMISED;
}

/* ---- events ---- */

static struct event *add(struct search *s, struct graph *g, unsigned actor, enum kind kind)
{
	if (g->events == MOST_EVENTS) {
		s->out->too_large = true;
		g->events--;
	}
	struct event *e = &g->event[g->events++];
	*e = (struct event){ .kind = kind, .actor = actor, .location = NOWHERE, .source = NONE, .read = NONE };
	if (actor < C11_ACTORS)
		e->position = g->actor[actor].events++;
	return e;
}

static void add_write(struct search *s, struct graph *g, unsigned actor, int location, int value, enum order order)
{
	struct event *e = add(s, g, actor, WRITE);
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

static void start(struct search *s, struct graph *g, unsigned actor)
{
	g->actor[actor].born = true;
	enter(&g->actor[actor], actor == C11_MAIN ? &s->main : &s->p->role[actor], NULL);
}

static void unlock(struct search *s, struct graph *g, unsigned actor, unsigned mutex)
{
	enum order o = s->options->locks;
	add_write(s, g, actor, (int)(MUTEX + mutex), FREE_MUTEX, o == PLAIN ? RELEASE : write_half(o));
}

static const struct stmt *next(const struct actor *a)
{
	const struct frame *f = a->frames ? &a->frame[a->frames - 1] : NULL;
	return f && f->at < f->block->len ? &f->block->data[f->at] : NULL;
}

/* The end of a block. */
static void leave(struct search *s, struct graph *g, unsigned actor)
{
	struct actor *a = &g->actor[actor];
	struct frame *f = &a->frame[--a->frames];
	if (f->of && f->of->kind == S_TRYLOCK && f->block == &f->of->body)
		unlock(s, g, actor, f->of->place);
	a->ended = !a->frames;
}

/* What does not read, and so has no choice. False: the thread has ended, reads next, or waits. */
static bool make_unconditional(struct search *s, struct graph *g, unsigned actor)
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
		add(s, g, actor, FENCE)->order = without_consume(t->order);
		break;
	case S_UNLOCK:
		unlock(s, g, actor, t->place);
		break;
	case S_CREATE:
		add(s, g, actor, CREATED)->other = t->place;
		start(s, g, t->place);
		break;
	case S_JOIN:
		add(s, g, actor, JOINED)->other = t->place;
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
	return (int)(is_lock(t) ? MUTEX + t->place : t->place);
}

static bool is_updated(const struct graph *g, unsigned write)
{
	for (unsigned e = 0; e < g->events; e++)
		if (g->event[e].kind == WRITE && g->event[e].read != NONE &&
		    g->event[g->event[e].read].source == (int)write)
			return true;
	return false;
}

/*
 * May the statement read this write? A mutex is taken by whoever reads that it is free, and by nobody else: ATOMICITY would say so
 * in the end, but whether a thread waits for it must be known now.
 */
static bool may_read(const struct graph *g, const struct stmt *t, unsigned write)
{
	const struct event *w = &g->event[write];
	if (w->kind != WRITE || w->location != location_of(t))
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

static void take_read(struct search *s, struct graph *g, unsigned actor, int source, int value)
{
	struct actor *a = &g->actor[actor];
	const struct stmt *t = next(a);
	bool updates = writes(t, value);
	enum order o = t->order, locks = s->options->locks;
	if (is_lock(t))
		o = locks != PLAIN ? locks : updates ? ACQUIRE : RELAXED;
	else if (t->kind == S_CAS && !updates)
		o = t->failure == PLAIN ? RELAXED : t->failure;
	struct event *r = add(s, g, actor, READ);
	r->location = location_of(t);
	r->source = source;
	r->value = value;
	r->order = read_half(o);
	int number = (int)(r - g->event);
	if (updates) {
		int new = t->kind == S_ADD ? value + t->value : is_lock(t) ? TAKEN : t->value;
		add_write(s, g, actor, location_of(t), new, write_half(o));
		g->event[g->events - 1].read = number;
	}
	a->frame[a->frames - 1].at++;
	if (t->kind == S_TRYLOCK)
		enter(a, updates ? &t->body : &t->other, t);
	else if (t->kind != S_LOCK)
		a->reg[t->reg] = value;
}

static void build(struct search *s, const struct graph *from);

/* The next event of the actor reads: try every source. False: there is no such event, or none it can read. */
static bool try_sources(struct search *s, const struct graph *g, unsigned actor)
{
	const struct stmt *t = next(&g->actor[actor]);
	bool some = false;
	if (!t || t->kind == S_JOIN)
		return false;
	for (unsigned e = 0; e < g->events; e++) {
		if (!may_read(g, t, e))
			continue;
		struct graph more = *g;
		take_read(s, &more, actor, (int)e, g->event[e].value);
		build(s, &more);
		some = true;
	}
	for (int value = 0; value < PROMISES && s->options->promises && !is_lock(t); value++) {
		struct graph more = *g;
		take_read(s, &more, actor, PROMISED, value);
		build(s, &more);
	}
	return some;
}

/*
 * A thread's next event that does not read is part of every graph that this one can become, and is added at once: whoever is to
 * come before it can still do so. Of reads, any may be next, and may read from any write that is there.
 */
static void build(struct search *s, const struct graph *from)
{
	struct graph g = *from;
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
	struct graph g = { 0 };
	*out = (struct c11_meaning){ 0 };
	for (unsigned l = 0; l < LOCATIONS; l++) {
		add_write(&s, &g, C11_ACTORS, (int)l, l < p->vars ? p->initial[l] : FREE_MUTEX, PLAIN);
		g.event[l].position = l;
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
