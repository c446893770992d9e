/*
 * Flavour `c11`: accesses, read-modify-writes and fences of every order that C has, locks, branches and choices. A third
 * of the programs vary a litmus test: their accesses are those of the test, or read-modify-writes in their place, and orders,
 * fences, locks and a further access are left to chance. Of as many, orders and fences are those of the test, but for few. Some pass a message, or protect it by a lock, that is made of loops
 * or is a mutex. The others are made statement by statement. Loops come into a program when it is ready: random_c11_loops.c.
 *
 * Programs are small, since define_c11.c builds all their graphs and tries all modification orders. No role takes a mutex
 * while it holds another, so that there are no deadlocks, and no loop waits while a mutex is held.
 */
#include "random.h"

#include <string.h>

enum { FEWEST_EVENTS = 4, MOST_EVENTS = 11 };

/* Orders are letters: relaxed x, acquire a, release r, acq_rel b, seq_cst s; as often as they stand there. */
static const struct topic {
	const char *load, *store, *update, *fence;
	unsigned fences, updates; /* in percent: a fence before an access; a read-modify-write instead of it */
} topics[] = {
	{ "xxaass", "xxrrss", "xarbs", "arbs", 15, 20 }, /* all of them */
	{ "xxa", "xxr", "xarb", "aarrb", 35, 15 }, /* release and acquire, by accesses and by fences */
	{ "xaaa", "xxrr", "xxxarb", "arb", 8, 45 }, /* release sequences */
	{ "xss", "xss", "xsb", "s", 5, 15 }, /* seq_cst and weak accesses to one location */
	{ "xxxa", "xxxr", "xxb", "sssar", 45, 10 }, /* seq_cst fences between weak accesses */
	{ "xass", "xrss", "xbs", "ssar", 25, 15 }, /* seq_cst fences and seq_cst accesses */
	{ "s", "s", "s", "s", 8, 25 }, /* no weak order: it is SC */
	{ "a", "r", "b", "", 0, 25 }, /* release and acquire only: it is RA */
};

/* Reads, writes and updates (U) of locations; a bar ends a role. */
static const char *const shapes[] = {
	"WxWy|RyRx", /* MP */
	"WxRy|WyRx", /* SB */
	"RxWy|RyWx", /* LB */
	"WxWy|WyWx", /* 2+2W */
	"WxWy|RyWx", /* S */
	"WxWy|WyRx", /* R */
	"WxWx|RxRx", /* CoRR */
	"RxWx|Wx", /* CoRW */
	"WxRx|WxRx", /* CoWR */
	"WxWyWy|RyRx", /* a release sequence of C11 */
	"WxRxRy|WyRyRx", /* SB with reads of one's own */
	"WxWxRy|WyRx",     "WxWy|Uy|RyRx", /* release sequences */
	"WxWyWy|Uy|RyRx",  "WxWyUy|RyRx",  "Wx|Wx|RxRx", "Wx|RxWy|RyRx", /* WRC */
	"Wx|RxRy|WyRx", /* RWC */
	"WxWy|RyWz|RzRx", /* ISA2 */
	"WxWy|RyRz|WzRx", /* W+RWC */
	"WxWy|WyRz|WzRx", /* Z6.4 */
	"WxWy|UyRz|WzRx", /* Z6.U */
	"WxRy|WyRz|WzRx", /* 3.SB */
	"WxWy|WyWz|WzWx", /* 3.2W */
	"Wx|Wy|RxRy|RyRx", /* IRIW */
	"Wx|RxWy|RyWx|Rx",
};

/*
 * The same with orders, without any of which the verdict would be another. C is a compare-exchange, F a fence, +1 creates role 1, and -1
 * joins it, which was created first of all.
 */
static const char *const ordered_shapes[] = {
	"WxxF-rWyx|RyxF-aRxx", /* MP with fences */
	"WxxWyr|RyaRxx",
	"WxxF-rWyx|RyaRxx",
	"WxxWyr|RyxF-aRxx",
	"F-rWxxWyx|RyaRxx", /* fences in the wrong place */
	"WxxF-rWyx|F-aRyxRxx",
	"WxxWyr|RyxRzxF-aRxx|Wzr",
	"WxxWyr|RzxRyxF-aRxx|Wzr",
	"WxxWyr|CyaRxx", /* a compare-exchange that fails */
	"WxsCys|WysCxs",
	"WxxWyr|Uyx|RyaRxx", /* release sequences */
	"WxxF-rWyx|Uyx|RyxF-aRxx",
	"WxxWyrWyx|RyaRxx",
	"WxxWyr|Uyr|RyaRxx",
	"WxxWyr|WzxUyr|RyaRxxRzx",
	"Wxx|RxxWyr|RyaRxx", /* WRC */
	"WxxWyr|RyaWzr|RzaRxx", /* ISA2 */
	"WxxWyr|RyaWxx", /* S */
	"WxsRys|WysRxs", /* SB */
	"WxxF-sRyx|WyxF-sRxx",
	"WxsRys|WyxF-sRxx",
	"WxsF-sRyx|WyxF-sRxs",
	"UxsRys|UysRxs",
	"UxxF-sRyx|WyxF-sRxx",
	"WxxWxxF-sRyx|WyxF-sRxx", /* more than one access before a fence, or behind it */
	"WxxF-sRyxRyx|WyxF-sRxx",
	"WxsWys|WysWxs", /* 2+2W */
	"WxxF-sWyx|WyxF-sWxx",
	"WxsWys|WyxF-sWxx",
	"WxsWys|WysRxs", /* R */
	"WxxF-sWyx|WysRxs",
	"Wxs|RxsRys|WysRxs", /* RWC */
	"Wxx|RxxF-sRyx|WyxF-sRxx",
	"Wxr|RxaF-sRys|WysRxs",
	"Wxs|Wys|RxsRys|RysRxs", /* IRIW */
	"Wxx|Wyx|RxxF-sRyx|RyxF-sRxx",
	"Wxs|Wys|RxaRys|RyaRxs", /* IRIW-acq-sc */
	"WxsWyr|RyaRzs|WzsRxs", /* W+RWC */
	"WxxWyr|RyaF-sRzx|WzxF-sRxx",
	"WxxF-sWyr|RyaRzx|WzxF-sRxx",
	"WxsF-rWyx|RyxF-aRzs|WzsRxs",
	"WxsWyr|UysRyx|WysRxs", /* Z6.U */
	"WxsWyr|RyaWys|WysRxs",
	"WxsWxs|RxaRys|WysRxs", /* WWmerge */
	"WxsWxr|RxaRys|WysRxs",
	"WxxF-sWyx|WyxF-sRzx|WzxF-sRxx", /* Z6.4 */
	"WxsWys|WysRzs|WzsRxs",
	"WxxWys|RysWzs|WzsF-sRxx",
	"WyxWxsWzs|WyxWzsRxs", /* a modification order is not the order in which the writes were made, ... */
	"WzsRys|WysWzsRxs|WxsRzs", /* ... of two blocks, neither may come first, ... */
	"WzxF-sRyx|WyxF-sWzxF-sRxx|WxxF-sRzx",
	"RxxWzsWyr|WzsRyaWxs|WxsRzs|RxsRzs", /* ... and both must be tried */
	"Wxs+1.|Rys|WysRxs", /* SB across a creation, and a join */
	"-1.Rys|Wxs|WysRxs",
	"Wxs+1.Rxx|Wys|WyxF-sRxs",
	"Wxx+1.|F-sRyx|WyxF-sRxx",
	"-1.F-sRyx|Wxx|WyxF-sRxx",
	"Wxx+1.Wxx|RxxRxx",
};

/* PLAIN_GUARDED: the last variable, which nobody accesses without precautions. */
enum { PLAIN_NOWHERE, PLAIN_LAST_VARIABLE, PLAIN_NOW_AND_THEN, PLAIN_GUARDED };
/* What the program is, if it varies no litmus test. */
enum { ANYTHING, PASSES_MESSAGE, HAS_SECTIONS, HAS_SPINLOCK };

static enum order pick(struct maker *m, const char *letters)
{
	switch (letters[random_below(m, (unsigned)strlen(letters))]) {
	case 'a':
		return random_percent(m, 8) ? CONSUME : ACQUIRE;
	case 'r':
		return RELEASE;
	case 'b':
		return ACQ_REL;
	case 's':
		return SEQ_CST;
	default:
		return RELAXED;
	}
}

/* Without seq_cst, what would be so is as strong as it may be. */
static enum order order_for(struct maker *m, enum stmt_kind kind)
{
	const struct topic *t = &topics[m->topic];
	const char *letters = kind == S_LOAD ? t->load : kind == S_STORE ? t->store : t->update;
	enum order order = pick(m, letters);
	if (order == SEQ_CST && !(m->features & F_SEQ_CST))
		return kind == S_LOAD ? ACQUIRE : kind == S_STORE ? RELEASE : ACQ_REL;
	return order;
}

static struct stmt access(struct maker *m, enum stmt_kind kind, unsigned place)
{
	struct stmt s = { .kind = kind, .place = place, .order = order_for(m, kind) };
	s.value = 1 + (int)random_below(m, 3);
	s.releases = random_percent(m, 50);
	s.barrier = random_percent(m, 50) ? random_below(m, 4) : 0;
	if (kind == S_STORE && m->read && random_percent(m, 15)) {
		s.from_register = true;
		s.reg = m->last;
	} else if (kind != S_STORE) {
		/* What was read before stays known. */
		s.reg = m->last = m->read ? (m->last + 1) % REGISTERS : 0;
		m->read = true;
	}
	if (kind == S_CAS) {
		s.expected = random_percent(m, 60) ? 0 : 1 + (int)random_below(m, 2);
		s.failure = order_for(m, S_LOAD);
		s.weak = random_percent(m, 25);
	}
	bool plain = m->plain == PLAIN_LAST_VARIABLE || m->plain == PLAIN_GUARDED
			     ? place + 1 == m->p->vars
			     : m->plain == PLAIN_NOW_AND_THEN && random_percent(m, 15);
	if (plain && kind <= S_STORE)
		s.order = PLAIN;
	return s;
}

/* Nobody updates what is accessed plainly: there is no such read-modify-write. */
static struct stmt update(struct maker *m, unsigned place)
{
	bool cas = m->features & F_CAS && (!(m->features & F_RMWS) || random_percent(m, 40));
	if ((m->plain == PLAIN_LAST_VARIABLE || m->plain == PLAIN_GUARDED) && place + 1 == m->p->vars)
		return access(m, random_percent(m, 50) ? S_LOAD : S_STORE, place);
	return access(m, cas ? S_CAS : random_percent(m, 50) ? S_ADD : S_EXCHANGE, place);
}

static void add_fence(struct maker *m, struct block *b, unsigned chance)
{
	if (!(m->features & F_FENCES) || !*topics[m->topic].fence || !random_percent(m, chance))
		return;
	evr_vec_push(b, (struct stmt){ .kind = S_FENCE, .order = pick(m, topics[m->topic].fence) });
}

/* A read, a write or, in place of either, an update. */
static void add_access(struct maker *m, struct block *b, char kind, unsigned place)
{
	bool updates = m->features & (F_RMWS | F_CAS);
	if (kind == 'U' || (updates && random_percent(m, topics[m->topic].updates)))
		evr_vec_push(b, update(m, place));
	else
		evr_vec_push(b, access(m, kind == 'R' ? S_LOAD : S_STORE, place));
}

static char read_or_write(struct maker *m)
{
	return random_percent(m, 50) ? 'R' : 'W';
}

/* Not to what is guarded. */
static void add_random_access(struct maker *m, struct block *b)
{
	add_access(m, b, read_or_write(m), random_below(m, m->p->vars - (m->plain == PLAIN_GUARDED)));
}

/* ---- statement by statement ---- */

static void add_section(struct maker *m, struct block *b)
{
	bool guarded = m->plain == PLAIN_GUARDED, spins = m->features & F_LOOPS && random_percent(m, 15);
	unsigned k = guarded ? 0 : random_below(m, m->p->mutexes);
	evr_vec_push(b, (struct stmt){ .kind = spins ? S_SPIN_ON_TRYLOCK : S_LOCK, .place = k });
	for (unsigned n = 1 + random_percent(m, 40); n; n--)
		if (guarded)
			add_access(m, b, read_or_write(m), m->p->vars - 1);
		else
			add_random_access(m, b);
	evr_vec_push(b, (struct stmt){ .kind = S_UNLOCK, .place = k });
}

static void add_trylock(struct maker *m, struct block *b)
{
	bool guarded = m->plain == PLAIN_GUARDED;
	struct stmt s = { .kind = S_TRYLOCK, .place = guarded ? 0 : random_below(m, m->p->mutexes) };
	if (guarded)
		add_access(m, &s.body, read_or_write(m), m->p->vars - 1);
	else
		add_random_access(m, &s.body);
	if (random_percent(m, 30))
		add_random_access(m, &s.other);
	evr_vec_push(b, s);
}

static void add_branch(struct maker *m, struct block *b)
{
	struct stmt s = random_condition(m, S_IF);
	s.reg = m->last;
	add_random_access(m, &s.body);
	if (random_percent(m, 30))
		add_fence(m, &s.body, 60);
	if (random_percent(m, 30))
		add_random_access(m, &s.other);
	evr_vec_push(b, s);
}

static void add_choice(struct maker *m, struct block *b)
{
	m->last = m->read ? (m->last + 1) % REGISTERS : 0;
	m->read = true;
	evr_vec_push(b, (struct stmt){ .kind = S_CHOOSE, .reg = m->last, .value = 2 });
}

static void add_anything(struct maker *m, struct block *b)
{
	unsigned dice = random_below(m, 100);
	if (dice < 12 && m->features & F_LOCKS)
		add_section(m, b);
	else if (dice < 17 && m->features & F_TRYLOCKS)
		add_trylock(m, b);
	else if (dice < 30 && m->read && m->features & F_IFS)
		add_branch(m, b);
	else if (dice < 34 && m->features & F_CHOICES)
		add_choice(m, b);
	else
		add_random_access(m, b);
}

/* ---- what is guarded ---- */

/* The message, and then the flag; whoever has seen the flag uses the message, and may hand it on by the next flag. */
static void add_message(struct maker *m, struct block *b, unsigned role)
{
	unsigned flags = m->p->vars - 1, flag = role ? random_below(m, flags) : 0;
	struct stmt seen = { .kind = S_IF, .value = 1 };
	struct block *inside = &seen.body;
	if (role) {
		struct stmt look = access(m, S_LOAD, flag);
		evr_vec_push(b, look);
		seen.reg = look.reg;
	} else {
		inside = b;
	}
	if (role)
		add_fence(m, inside, topics[m->topic].fences);
	add_access(m, inside, role ? read_or_write(m) : 'W', m->p->vars - 1);
	if (!role || flag + 1 < flags) {
		add_fence(m, inside, topics[m->topic].fences);
		struct stmt set = access(m, S_STORE, role ? flag + 1 : 0);
		set.from_register = false;
		set.value = 1;
		evr_vec_push(inside, set);
	}
	if (role)
		evr_vec_push(b, seen);
	else if (random_percent(m, 30))
		add_random_access(m, b);
}

/* A lock made of variable 0: exchange or compare-exchange, perhaps after a look at it. */
static void add_spinlock(struct maker *m, struct block *b)
{
	struct stmt loop = { .kind = S_RETRY }, take = access(m, random_percent(m, 50) ? S_CAS : S_EXCHANGE, 0);
	struct stmt drop = access(m, S_STORE, 0);
	take.value = 1;
	take.expected = 0;
	loop.reg = take.reg;
	loop.negated = take.kind == S_EXCHANGE;
	loop.value = take.kind == S_EXCHANGE;
	if (random_percent(m, 30)) {
		struct stmt look = { .kind = S_AWAIT, .reg = take.reg };
		look.order = order_for(m, S_LOAD);
		evr_vec_push(&loop.body, look);
	}
	evr_vec_push(&loop.body, take);
	evr_vec_push(b, loop);
	for (unsigned n = 1 + random_percent(m, 40); n; n--)
		add_access(m, b, read_or_write(m), m->p->vars - 1);
	drop.from_register = false;
	drop.value = 0;
	evr_vec_push(b, drop);
}

static void add_guarded(struct maker *m, struct block *b, unsigned role)
{
	switch (m->kind) {
	case PASSES_MESSAGE:
		add_message(m, b, role);
		break;
	case HAS_SPINLOCK:
		m->p->initial[0] = 0;
		for (unsigned n = 1 + (m->p->roles == 2 && random_percent(m, 30)); n; n--)
			add_spinlock(m, b);
		break;
	default:
		for (unsigned n = 1 + random_percent(m, 40); n; n--)
			if (m->features & F_TRYLOCKS && random_percent(m, 20))
				add_trylock(m, b);
			else
				add_section(m, b);
		if (random_percent(m, 40))
			add_random_access(m, b);
	}
}

/* ---- a litmus test ---- */

static void add_shape(struct maker *m, struct block *b)
{
	bool first = true;
	for (; *m->shape && *m->shape != '|'; m->shape += 2, first = false) {
		unsigned place = (unsigned)(m->shape[1] - 'x');
		if (!first)
			add_fence(m, b, topics[m->topic].fences);
		bool locked = m->features & F_LOCKS && random_percent(m, 4);
		if (locked)
			evr_vec_push(b, (struct stmt){ .kind = S_LOCK });
		add_access(m, b, m->shape[0], place);
		if (locked)
			evr_vec_push(b, (struct stmt){ .kind = S_UNLOCK });
		if (random_percent(m, 6))
			add_anything(m, b);
	}
	m->shape += *m->shape == '|';
}

/* An order that was thought of may be left to chance all the same. */
static void add_ordered_shape(struct maker *m, struct block *b)
{
	enum { LEFT_TO_CHANCE = 8 };
	unsigned child = 0;
	for (; *m->shape && *m->shape != '|'; m->shape += 3) {
		char kind = m->shape[0];
		enum order order = pick(m, (const char[]){ m->shape[2], '\0' });
		bool chance = random_percent(m, LEFT_TO_CHANCE);
		if (kind == '+' || kind == '-') {
			child = (unsigned)(m->shape[1] - '0');
			m->p->nested[child] = true;
			block_insert(b, kind == '+' ? b->len : 0, (struct stmt){ .kind = S_CREATE, .place = child });
			if (kind == '-')
				evr_vec_push(b, (struct stmt){ .kind = S_JOIN, .place = child });
			child = kind == '+' ? child : 0;
			continue;
		}
		if (kind == 'F' && !chance)
			evr_vec_push(b, (struct stmt){ .kind = S_FENCE, .order = order });
		if (kind == 'F')
			continue;
		unsigned place = (unsigned)(m->shape[1] - 'x');
		struct stmt s = kind == 'U'   ? update(m, place)
				: kind == 'C' ? access(m, S_CAS, place)
					      : access(m, kind == 'R' ? S_LOAD : S_STORE, place);
		if (!chance && s.order != PLAIN)
			s.order = order;
		evr_vec_push(b, s);
	}
	m->shape += *m->shape == '|';
	if (random_percent(m, 10))
		add_anything(m, b);
	if (child)
		evr_vec_push(b, (struct stmt){ .kind = S_JOIN, .place = child });
}

static unsigned roles_of(const char *shape)
{
	unsigned n = 1;
	for (; *shape; shape++)
		n += *shape == '|';
	return n;
}

static unsigned locations_of(const char *shape)
{
	return strchr(shape, 'z') ? 3 : strchr(shape, 'y') ? 2 : 1;
}

/* ---- the whole ---- */

void random_c11_topic(struct maker *m)
{
	struct program *p = m->p;
	static const unsigned kinds[] = { ANYTHING,       ANYTHING,       ANYTHING,     ANYTHING,
					  PASSES_MESSAGE, PASSES_MESSAGE, HAS_SECTIONS, HAS_SPINLOCK };
	m->topic = random_below(m, EVR_COUNT(topics));
	m->ordered = random_percent(m, 30);
	m->shape = m->ordered              ? ordered_shapes[random_below(m, EVR_COUNT(ordered_shapes))]
		   : random_percent(m, 45) ? shapes[random_below(m, EVR_COUNT(shapes))]
					   : NULL;
	m->kind = m->shape ? ANYTHING : kinds[random_below(m, EVR_COUNT(kinds))];
	if ((m->kind == HAS_SECTIONS && !(m->features & F_LOCKS)) ||
	    (m->kind == HAS_SPINLOCK && !(m->features & F_LOOPS)))
		m->kind = ANYTHING;
	if (m->shape) {
		p->roles = roles_of(m->shape);
		p->vars = locations_of(m->shape);
	} else {
		p->vars = random_percent(m, 20) ? 1 : 2 + random_percent(m, 20);
	}
	m->plain = PLAIN_NOWHERE;
	if (m->features & F_PLAIN && random_percent(m, 35))
		m->plain = p->vars > 1 && random_percent(m, 65) ? PLAIN_LAST_VARIABLE : PLAIN_NOW_AND_THEN;
	if (m->kind != ANYTHING) {
		p->vars = p->vars < 2 ? 2 : p->vars;
		m->plain = m->features & F_PLAIN ? PLAIN_GUARDED : PLAIN_NOWHERE;
	}
}

void random_c11_role(struct maker *m, unsigned role)
{
	struct block *b = &m->p->role[role];
	if (m->shape && m->ordered) {
		add_ordered_shape(m, b);
		return;
	}
	if (m->shape) {
		add_shape(m, b);
		return;
	}
	if (m->kind != ANYTHING) {
		add_guarded(m, b, role);
		return;
	}
	for (unsigned n = 1 + random_below(m, m->p->roles == 2 ? 5 : m->p->roles == 3 ? 4 : 3); n; n--) {
		if (b->len)
			add_fence(m, b, topics[m->topic].fences);
		add_anything(m, b);
	}
}

static unsigned events_of(const struct block *b)
{
	unsigned n = 0;
	for (size_t i = 0; i < b->len; i++) {
		const struct stmt *s = &b->data[i];
		unsigned body = events_of(&s->body) + 2 * (s->kind == S_TRYLOCK), other = events_of(&s->other);
		n += body > other ? body : other;
		n += s->kind <= S_CAS || s->kind == S_FENCE || s->kind == S_LOCK || s->kind == S_UNLOCK ||
		     s->kind == S_SPIN_ON_TRYLOCK || s->kind == S_AWAIT || s->kind == S_UPDATE;
	}
	return n;
}

bool random_c11_enough(const struct program *p)
{
	unsigned n = p->epilogue ? p->vars : 0;
	for (unsigned r = 0; r < p->roles; r++)
		n += events_of(&p->role[r]);
	return n >= FEWEST_EVENTS && n <= MOST_EVENTS;
}
