/* Programs at random. Deterministic: a seed gives the same program always. */
#include "random.h"

#include <math.h>
#include <string.h>

static uint64_t random_word(struct maker *m)
{
	uint64_t z = (m->state += UINT64_C(0x9e3779b97f4a7c15));
	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

unsigned random_below(struct maker *m, unsigned n)
{
	return (unsigned)(random_word(m) % n);
}

bool random_percent(struct maker *m, unsigned chance)
{
	return random_below(m, 100) < chance;
}

static enum order pick_order(struct maker *m, unsigned allowed)
{
	if (!(m->features & F_SEQ_CST))
		allowed &= ~(1u << SEQ_CST);
	if (!(m->features & F_PLAIN))
		allowed &= ~(1u << PLAIN);
	for (;;) {
		unsigned o = random_below(m, SEQ_CST + 1);
		if (allowed >> o & 1)
			return (enum order)o;
	}
}

#define LOAD_ORDERS (1u << PLAIN | 1u << RELAXED | 1u << ACQUIRE | 1u << SEQ_CST)
#define STORE_ORDERS (1u << PLAIN | 1u << RELAXED | 1u << RELEASE | 1u << SEQ_CST)
#define RMW_ORDERS (1u << RELAXED | 1u << ACQUIRE | 1u << RELEASE | 1u << ACQ_REL | 1u << SEQ_CST)
/* Fences of this order are a feature of their own: they are no seq_cst access. */
static const enum order fence_orders[] = { ACQUIRE, RELEASE, ACQ_REL, SEQ_CST, SEQ_CST };

enum order random_order(struct maker *m, enum stmt_kind kind)
{
	return pick_order(m, kind == S_LOAD ? LOAD_ORDERS : kind == S_STORE ? STORE_ORDERS : RMW_ORDERS);
}

static void push(struct block *b, struct stmt s)
{
	evr_vec_push(b, s);
}

/* Something for every cell. The largest value is for what is added: it goes over into the next cell. */
static int random_digits(struct maker *m, unsigned place, unsigned largest)
{
	int digits = 0;
	for (unsigned i = 0; i < m->p->layout->place[place].cells; i++)
		digits |= (int)(random_percent(m, largest) ? 3 : random_below(m, 3)) << 2 * i;
	return digits;
}

static void mix_values(struct maker *m, struct stmt *s)
{
	s->value = random_digits(m, s->place, s->kind == S_ADD ? 40 : 5);
	/* What is there at first is found more often than anything else. */
	s->expected = random_percent(m, 50) ? 0 : random_digits(m, s->place, 5);
	if (s->kind != S_STORE)
		m->last_place = s->place;
}

struct stmt random_access(struct maker *m, enum stmt_kind kind)
{
	struct stmt s = { .kind = kind, .place = random_below(m, m->p->vars), .reg = random_below(m, REGISTERS) };
	m->read |= kind != S_STORE;
	if (kind != S_STORE)
		m->last = s.reg;
	else if (random_percent(m, 70))
		s.reg = m->last;
	switch (kind) {
	case S_LOAD:
		s.order = pick_order(m, LOAD_ORDERS);
		break;
	case S_STORE:
		s.order = pick_order(m, STORE_ORDERS);
		s.releases = random_percent(m, 50);
		s.barrier = random_percent(m, 50) ? random_below(m, 4) : 0;
		s.from_register = random_percent(m, 15);
		s.value = 1 + (int)random_below(m, 2);
		break;
	case S_CAS:
		s.expected = (int)random_below(m, 2);
		s.value = 1 + (int)random_below(m, 3);
		s.order = pick_order(m, RMW_ORDERS);
		break;
	default:
		s.value = 1 + (int)random_below(m, 2);
		s.order = pick_order(m, RMW_ORDERS);
	}
	if (m->p->flavour == MIXED)
		mix_values(m, &s);
	return s;
}

struct stmt random_condition(struct maker *m, enum stmt_kind kind)
{
	unsigned reg = random_percent(m, 80) ? m->last : random_below(m, REGISTERS);
	struct stmt s = {
		.kind = kind, .reg = reg, .value = (int)random_below(m, 3), .negated = random_percent(m, 40)
	};
	if (m->p->flavour == MIXED) {
		s.place = m->last_place;
		s.value = random_digits(m, s.place, 5);
	}
	return s;
}

/* Locks that are not taken in a block may be released in any order, or never. */
static bool make_locking(struct maker *m, struct block *b)
{
	unsigned k = random_below(m, m->p->mutexes);
	if (m->nested_block || !(m->features & F_LOCKS))
		return false;
	if (m->held >> k & 1) {
		push(b, (struct stmt){ .kind = S_UNLOCK, .place = k });
		m->held &= ~(1u << k);
	} else {
		push(b, (struct stmt){ .kind = S_LOCK, .place = k });
		m->held |= 1u << k;
	}
	return true;
}

static bool make_trylock(struct maker *m, struct block *b)
{
	unsigned k = random_below(m, m->p->mutexes);
	if (m->held >> k & 1 || !(m->features & F_TRYLOCKS))
		return false;
	struct stmt s = { .kind = S_TRYLOCK, .place = k };
	bool outer = m->nested_block;
	m->nested_block = true;
	m->held |= 1u << k;
	random_block(m, &s.body, 1);
	m->held &= ~(1u << k);
	m->nested_block = outer;
	push(b, s);
	return true;
}

static bool make_branch(struct maker *m, struct block *b, enum stmt_kind kind)
{
	bool outer = m->nested_block;
	if (outer || !(m->features & (kind == S_IF ? F_IFS : F_LOOPS)))
		return false;
	struct stmt s = random_condition(m, kind);
	if (kind == S_LOOP)
		s.expected = 2;
	m->nested_block = true;
	random_block(m, &s.body, 1 + random_below(m, 2));
	if (kind == S_IF && random_percent(m, 40))
		random_block(m, &s.other, 1);
	m->nested_block = outer;
	push(b, s);
	return true;
}

static bool make_condition(struct maker *m, struct block *b, enum stmt_kind kind, unsigned feature)
{
	if (!(m->features & feature) || !m->read)
		return false;
	struct stmt s = random_condition(m, kind);
	if (kind == S_ASSERT) {
		/* "Is never 2": not always wrong, and not always right. */
		s.negated = true;
		s.value = m->p->flavour == MIXED ? random_digits(m, s.place, 5) : 1 + (int)random_below(m, 3);
	}
	push(b, s);
	return true;
}

static bool make_access(struct maker *m, struct block *b, enum stmt_kind kind, unsigned feature)
{
	if (m->features & feature)
		push(b, random_access(m, kind));
	return m->features & feature;
}

static bool make_mixed(struct maker *m, struct block *b)
{
	static const struct {
		enum stmt_kind kind;
		unsigned feature;
	} dice[] = {
		{ S_LOAD, F_LOADS },   { S_LOAD, F_LOADS }, { S_STORE, F_STORES },  { S_STORE, F_STORES },
		{ S_STORE, F_STORES }, { S_ADD, F_RMWS },   { S_EXCHANGE, F_RMWS }, { S_CAS, F_CAS },
	};
	unsigned k = random_below(m, EVR_COUNT(dice));
	return make_access(m, b, dice[k].kind, dice[k].feature);
}

static bool make_free(struct maker *m, struct block *b)
{
	push(b, (struct stmt){ .kind = S_FREE, .place = 1 + random_below(m, m->p->layout->blocks) });
	return true;
}

/* What the flavour is about; the rest of the program is as ever. */
static bool wants_flavour(struct maker *m)
{
	switch (m->p->flavour) {
	case MIXED:
		return random_percent(m, 60);
	case FREE:
		return random_percent(m, 15);
	case AWAIT:
		return m->awaits < 3 && random_percent(m, 25);
	case SYNC:
		return random_percent(m, 70);
	case FAULT:
		return random_percent(m, 45);
	case SECTION:
		return !m->nested_block && random_percent(m, 35);
	case RACE:
		return random_percent(m, 60);
	default:
		return false;
	}
}

/* One statement of a kind that is wanted. Returns whether it is an event by itself, which is what is counted. */
static bool make_stmt(struct maker *m, struct block *b)
{
	if (wants_flavour(m))
		return m->p->flavour == MIXED     ? make_mixed(m, b)
		       : m->p->flavour == FREE    ? make_free(m, b)
		       : m->p->flavour == SYNC    ? random_sync(m, b)
		       : m->p->flavour == FAULT   ? random_fault(m, b)
		       : m->p->flavour == SECTION ? random_section(m, b)
		       : m->p->flavour == RACE    ? random_race(m, b)
						  : random_await(m, b);
	unsigned dice = random_below(m, 100);
	if (dice < 27)
		return make_access(m, b, S_LOAD, F_LOADS);
	if (dice < 54)
		return make_access(m, b, S_STORE, F_STORES);
	if (dice < 61)
		return make_access(m, b, random_percent(m, 60) ? S_ADD : S_EXCHANGE, F_RMWS);
	if (dice < 65)
		return make_access(m, b, S_CAS, F_CAS);
	if (dice < 79)
		return make_locking(m, b);
	if (dice < 82)
		return make_trylock(m, b);
	/* The rest is no event: with few events, a lot of it would come together. */
	if (random_percent(m, 40))
		return false;
	if (dice < 86 && m->features & F_FENCES)
		push(b,
		     (struct stmt){ .kind = S_FENCE, .order = fence_orders[random_below(m, EVR_COUNT(fence_orders))] });
	else if (dice < 91)
		return make_branch(m, b, S_IF);
	else if (dice < 93)
		return make_branch(m, b, S_LOOP);
	else if (dice < 95)
		make_condition(m, b, S_ASSUME, F_ASSUMES);
	else if (dice < 98)
		make_condition(m, b, S_ASSERT, F_ASSERTS);
	else if (m->features & F_CHOICES) {
		m->last = random_below(m, REGISTERS);
		push(b, (struct stmt){ .kind = S_CHOOSE, .reg = m->last, .value = 2 + (int)random_below(m, 2) });
	}
	return false;
}

void random_block(struct maker *m, struct block *b, unsigned n)
{
	while (n)
		n -= make_stmt(m, b);
}

static void make_role(struct maker *m, unsigned role)
{
	struct block *b = &m->p->role[role];
	m->held = 0;
	m->nested_block = false;
	m->last = m->last_place = 0;
	m->read = m->scoped = m->pointed = false;
	if (m->p->flavour == SYNC)
		random_sync_role(m, role);
	else if (m->p->flavour == RACE)
		random_race_role(m, role);
	else if (m->p->flavour == C11)
		random_c11_role(m, role);
	else
		random_block(m, b, 1 + random_below(m, m->p->roles == 2 ? 6 : m->p->roles == 3 ? 4 : 3));
	for (unsigned k = 0; k < m->p->mutexes; k++)
		if (m->held >> k & 1 && random_percent(m, 90))
			push(b, (struct stmt){ .kind = S_UNLOCK, .place = k });
	if (m->held >> MAX_MUTEXES & 1 && random_percent(m, 95))
		push(b, (struct stmt){ .kind = S_RWUNLOCK });
	if (m->held >> MAX_MUTEXES & 2 && random_percent(m, 95))
		push(b, (struct stmt){ .kind = S_SPIN_UNLOCK });
	if (random_percent(m, 40))
		make_condition(m, b, S_ASSERT, F_ASSERTS);
}

static void make_nested(struct maker *m, unsigned child)
{
	unsigned parent = random_below(m, child);
	struct block *b = &m->p->role[parent];
	size_t at = random_below(m, (unsigned)b->len + 1);
	m->p->nested[child] = true;
	block_insert(b, at, (struct stmt){ .kind = S_CREATE, .place = child });
	if (program_tells(m->p) || m->p->flavour == FAULT || random_percent(m, 70))
		block_insert(b, at + 1 + random_below(m, (unsigned)(b->len - at)),
			     (struct stmt){ .kind = S_JOIN, .place = child });
}

/* How many visible steps a block makes at most (a buffered store makes two), and how its choices multiply. */
static double steps_of(const struct program *p, const struct block *b, double *choices)
{
	double sum = 0;
	for (size_t i = 0; i < b->len; i++) {
		const struct stmt *s = &b->data[i];
		double body = steps_of(p, &s->body, choices), other = steps_of(p, &s->other, choices);
		switch (s->kind) {
		case S_STORE:
			sum += s->order == SEQ_CST ? 1 : 1.6;
			break;
		case S_LOAD:
		case S_ADD:
		case S_EXCHANGE:
		case S_CAS:
		case S_LOCK:
		case S_FREE:
		case S_AWAIT:
		case S_UPDATE:
		case S_SPIN_ON_TRYLOCK:
			sum += 1;
			break;
		case S_RETRY:
			sum += (s->expected ? 2 : 1.2) * body;
			break;
		case S_UNLOCK:
			sum += 0.3;
			break;
		case S_FENCE:
			sum += 0.4;
			break;
		case S_TRYLOCK:
			sum += 1.5 + body;
			break;
		case S_IF:
			sum += 0.7 * (body > other ? body : other);
			break;
		case S_LOOP:
			sum += 1.6 * body;
			break;
		case S_SECTION:
			sum += 1.3;
			break;
		case S_CHOOSE:
			sum += 1;
			*choices *= s->value;
			break;
		default:
			sum += (p->flavour == FAULT ? random_fault_steps(s) : random_sync_steps(p, s)) +
			       (body > other ? body : other);
			break;
		}
	}
	return sum;
}

/* About how many executions there are: the ways to interleave. Nested threads are taken for parallel. */
static double executions_of(const struct program *p)
{
	double total = 0, minus = 0, choices = 1;
	for (unsigned r = 0; r < p->roles; r++) {
		double n = steps_of(p, &p->role[r], &choices);
		total += n;
		minus += lgamma(n + 1);
	}
	return exp(lgamma(total + 1) - minus) * choices;
}

/* Which places a block accesses, as a bit set. */
static unsigned places_of(const struct block *b)
{
	unsigned places = 0;
	for (size_t i = 0; i < b->len; i++) {
		const struct stmt *s = &b->data[i];
		if (s->kind <= S_CAS)
			places |= 1u << s->place;
		places |= places_of(&s->body) | places_of(&s->other);
	}
	return places;
}

static bool has_kind(const struct block *b, enum stmt_kind kind)
{
	bool has = false;
	for (size_t i = 0; i < b->len; i++)
		has |= b->data[i].kind == kind || has_kind(&b->data[i].body, kind) || has_kind(&b->data[i].other, kind);
	return has;
}

static bool overlap(const struct place *a, const struct place *b)
{
	return a != b && a->at < b->at + b->cell * b->cells && b->at < a->at + a->cell * a->cells;
}

static bool any_overlap(const struct program *p, unsigned some, unsigned others)
{
	const struct place *place = p->layout->place;
	for (unsigned a = 0; a < p->vars; a++)
		for (unsigned b = 0; b < p->vars; b++)
			if (some >> a & 1 && others >> b & 1 && overlap(&place[a], &place[b]))
				return true;
	return false;
}

/* Is there in the program what its flavour promises? */
static bool has_flavour(const struct program *p, bool must_end)
{
	unsigned places[MAX_ROLES];
	bool frees = false, mixed = false, heap = false, sections = false;
	for (unsigned r = 0; r < p->roles; r++) {
		places[r] = places_of(&p->role[r]);
		frees |= has_kind(&p->role[r], S_FREE);
		sections |= has_kind(&p->role[r], S_SECTION);
		for (unsigned v = 0; v < p->vars; v++)
			heap |= places[r] >> v & 1 && p->layout->place[v].block;
		for (unsigned o = 0; o < r; o++)
			mixed |= any_overlap(p, places[r], places[o]);
	}
	return p->flavour == ORDINARY || (p->flavour == MIXED && mixed) || (p->flavour == FREE && frees && heap) ||
	       (p->flavour == AWAIT && random_await_enough(p, must_end)) ||
	       (p->flavour == SYNC && random_sync_enough(p)) || (p->flavour == SECTION && sections) ||
	       (p->flavour == RACE && random_race_enough(p)) || (p->flavour == C11 && random_c11_enough(p)) ||
	       (p->flavour == FAULT && random_fault_enough(p));
}

static void make_layout(struct maker *m, enum flavour flavour)
{
	struct program *p = m->p;
	p->flavour = flavour;
	p->layout = layouts;
	if (flavour == SYNC) {
		p->vars = 1 + random_percent(m, 60);
		random_sync_objects(m);
	}
	if (flavour == ORDINARY || flavour == SYNC || flavour == SECTION || flavour == C11)
		return;
	do
		p->layout = &layouts[random_below(m, layout_count)];
	while (p->layout->flavour != flavour);
	/* A loop is to find what it waits for every now and then: with three variables it seldom does. */
	p->vars = flavour == AWAIT ? 2 : p->layout->places;
	p->frees = p->layout->blocks && random_percent(m, 20);
	if (flavour == FAULT)
		random_fault_topics(m);
}

static void make(struct maker *m, unsigned features, enum flavour flavour)
{
	struct program *p = m->p;
	static const unsigned sizes[] = { 2, 2, 2, 2, 3, 3, 3, 4 };
	p->roles = sizes[random_below(m, EVR_COUNT(sizes))];
	p->vars = 2 + random_percent(m, 20);
	p->mutexes = 1 + random_percent(m, 50);
	make_layout(m, flavour);
	m->awaits = 0;
	/* A program of few kinds of statements has more of each: what goes wrong needs several of one kind. */
	m->features = flavour == RACE || flavour == C11 ? features & ~(unsigned)(F_ASSUMES | F_ASSERTS) : features;
	for (unsigned bit = 0; bit < FEATURE_BITS; bit++)
		if (bit != BIT_LOADS && bit != BIT_STORES && random_percent(m, 40))
			m->features &= ~(1u << bit);
	/* Here most locks are in loops. */
	if (flavour == AWAIT)
		m->features |= features & (F_LOCKS | F_TRYLOCKS);
	if (flavour == C11)
		random_c11_topic(m);
	p->main_runs = random_percent(m, 25);
	p->epilogue = random_percent(m, 50);
	for (unsigned v = 0; v < p->vars; v++)
		p->initial[v] = p->layout->place[v].block && random_percent(m, 5) ? UNWRITTEN : random_percent(m, 15);
	for (unsigned r = 0; r < p->roles; r++)
		make_role(m, r);
	for (unsigned r = 1; r < p->roles; r++)
		if (m->features & F_NESTED && !p->nested[r] && random_percent(m, 20))
			make_nested(m, r);
	if (flavour == SYNC)
		random_sync_barriers(m);
	if (flavour == FAULT)
		random_fault_last(m);
	if (flavour == RACE)
		random_race_end(m);
	if (flavour == C11) {
		random_c11_loops(m);
		/* The larger ones have no room for more. */
		p->epilogue &= !m->ordered || random_c11_enough(p);
	}
}

void program_random(struct program *p, uint64_t seed, unsigned features, enum flavour flavour)
{
	struct maker m = { .state = seed * UINT64_C(0x2545f4914f6cdd1d) + 1, .p = p };
	/* Most programs are small, so that many can be tried; some are as large as brute force can bear. */
	unsigned dice = random_below(&m, 100);
	double most = dice < 55 ? 60 : dice < 86 ? 300 : dice < 98 ? 1500 : 12000;
	/* Little can go wrong with two semaphores that are used once each. */
	if (flavour == SYNC) {
		m.syncs = random_sync_kinds(&m);
		/* Whoever waits for a condition holds a mutex most of the time. */
		most *= m.syncs & SYNC_COND ? 12 : 4;
	}
	/* Who waits does nothing most of the time. */
	if (flavour == AWAIT) {
		m.must_end = random_percent(&m, 85);
		m.topic = random_below(&m, 1000);
		most *= 4;
	}
	if (flavour == C11)
		most *= 4;
	memset(p, 0, sizeof(*p));
	for (;;) {
		make(&m, features, flavour);
		p->seed = seed;
		double n = executions_of(p);
		bool fits = m.ordered ? n <= 100000 : n >= most / 8 && n <= most;
		if (n >= 6 && fits && program_valid(p) && has_flavour(p, m.must_end)) {
			program_number(p);
			return;
		}
		program_release(p);
	}
}
