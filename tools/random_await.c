/*
 * Flavour `await` at random: loops that wait for a value, and loops that retry until they succeed. A round that fails changes
 * nothing, once all others have come to rest: otherwise the loop is bounded.
 */
#include "random.h"

#include "interpret_await.h"

static void push(struct block *b, struct stmt s)
{
	evr_vec_push(b, s);
}

/* A register that gets what was read. */
static unsigned result(struct maker *m)
{
	m->read = true;
	m->last = random_below(m, REGISTERS);
	return m->last;
}

static unsigned other_than(struct maker *m, unsigned reg)
{
	return (reg + 1 + random_below(m, REGISTERS - 1)) % REGISTERS;
}

static void decorate(struct maker *m, struct stmt *s)
{
	s->form = random_below(m, RETRY_FORMS);
	s->pause = random_percent(m, 40) ? PAUSE_NONE : random_below(m, PAUSES);
}

/* The loop's condition becomes true for a value that somebody may write: stores write 1 or 2, who releases writes 0. */
static void wait_for_value(struct maker *m, struct stmt *loop)
{
	loop->negated = random_percent(m, 30);
	loop->value = loop->negated ? (int)random_below(m, 2) : random_percent(m, 15) ? 0 : 1 + (int)random_below(m, 2);
}

static struct stmt read_of(struct maker *m, unsigned reg)
{
	struct stmt s = { .kind = S_LOAD, .place = random_below(m, m->p->vars), .reg = reg };
	s.order = random_order(m, S_LOAD);
	return s;
}

/* ---- waiting for a value ---- */

static bool make_loads(struct maker *m, struct block *b)
{
	struct stmt s = { .kind = S_AWAIT, .place = random_below(m, m->p->vars), .reg = random_below(m, REGISTERS) };
	s.order = random_order(m, S_LOAD);
	s.negated = random_percent(m, 30);
	s.value = s.negated ? (int)random_below(m, 2) : 1 + (int)random_below(m, 2);
	s.from_register = random_percent(m, 50);
	s.either = random_percent(m, 20);
	s.place2 = random_below(m, m->p->vars);
	s.expected = 1 + (int)random_below(m, 2);
	push(b, s);
	m->last = s.reg;
	m->read = true;
	return true;
}

/* One access a round: a load, fetch_add of 0, an exchange, or a compare-exchange with a fixed value. */
static struct stmt one_access(struct maker *m, unsigned reg)
{
	static const enum stmt_kind kinds[] = { S_LOAD, S_ADD, S_EXCHANGE, S_EXCHANGE, S_CAS, S_CAS };
	struct stmt s = { .kind = kinds[random_below(m, EVR_COUNT(kinds))], .reg = reg };
	s.place = random_below(m, m->p->vars);
	s.order = random_order(m, s.kind);
	s.value = s.kind == S_ADD ? 0 : 1 + (int)random_below(m, 2);
	s.expected = (int)random_below(m, 3);
	return s;
}

static bool make_simple(struct maker *m, struct block *b)
{
	struct stmt loop = { .kind = S_RETRY, .reg = result(m) }, inner = one_access(m, loop.reg);
	wait_for_value(m, &loop);
	/* Usually it waits until the exchange finds something else, and the compare-exchange what it expects. */
	if (random_percent(m, 60) && (inner.kind == S_EXCHANGE || inner.kind == S_CAS)) {
		loop.negated = inner.kind == S_EXCHANGE;
		loop.value = inner.kind == S_EXCHANGE ? inner.value : inner.expected;
	}
	decorate(m, &loop);
	push(&loop.body, inner);
	push(b, loop);
	return true;
}

/* How often it went round is known later. */
static bool make_counted(struct maker *m, struct block *b)
{
	struct stmt loop = { .kind = S_RETRY, .reg = result(m), .expected = 2 + (int)random_below(m, 2) };
	wait_for_value(m, &loop);
	decorate(m, &loop);
	loop.index = other_than(m, loop.reg);
	push(&loop.body, one_access(m, loop.reg));
	push(b, loop);
	return true;
}

/* while (x != a || y != b): the second is not read if the first is wrong. */
static bool make_two_reads(struct maker *m, struct block *b)
{
	unsigned done = result(m);
	struct stmt loop = { .kind = S_RETRY, .reg = done, .value = 1 }, first = read_of(m, other_than(m, done));
	struct stmt second = read_of(m, other_than(m, done));
	struct stmt outer = { .kind = S_IF, .reg = first.reg }, inner = { .kind = S_IF, .reg = second.reg };
	wait_for_value(m, &outer);
	wait_for_value(m, &inner);
	second.place = (first.place + 1) % m->p->vars;
	push(&inner.body, (struct stmt){ .kind = S_SET, .reg = done, .value = 1 });
	push(&outer.body, second);
	push(&outer.body, inner);
	push(&loop.body, (struct stmt){ .kind = S_SET, .reg = done });
	push(&loop.body, first);
	push(&loop.body, outer);
	decorate(m, &loop);
	push(b, loop);
	return true;
}

/* try_take(): there is something, and nobody else has taken it. */
static bool make_take(struct maker *m, struct block *b)
{
	unsigned seen = result(m), done = other_than(m, seen);
	struct stmt look = read_of(m, seen), when = { .kind = S_IF, .reg = seen };
	struct stmt take = { .kind = S_CAS, .place = look.place, .reg = done };
	struct stmt loop = { .kind = S_RETRY, .reg = done, .value = 1 + (int)random_below(m, 2) };
	when.value = take.expected = loop.value;
	take.value = (int)random_below(m, 4);
	take.order = random_order(m, S_CAS);
	push(&loop.body, (struct stmt){ .kind = S_SET, .reg = done });
	push(&loop.body, look);
	if (random_percent(m, 30))
		push(&when.body, read_of(m, seen));
	push(&when.body, take);
	push(&loop.body, when);
	decorate(m, &loop);
	if (random_percent(m, 70))
		loop.form = random_percent(m, 50) ? RETRY_CALL : RETRY_POINTER;
	push(b, loop);
	return true;
}

/* old = x; while (!compare_exchange(&x, &old, old + 1)); */
static bool make_update(struct maker *m, struct block *b)
{
	struct stmt load = read_of(m, result(m)), update = { .kind = S_UPDATE, .place = load.place, .reg = load.reg };
	struct stmt loop = { .kind = S_RETRY, .value = 1 };
	update.value = 1 + (int)random_below(m, 2);
	update.order = random_order(m, S_CAS);
	update.index = loop.reg = other_than(m, load.reg);
	push(random_percent(m, 75) ? b : &loop.body, load);
	push(&loop.body, update);
	decorate(m, &loop);
	push(b, loop);
	return true;
}

/* for (;;) { lock; f = x; unlock; if (f is) break; }; the mutex also where x is not read. */
static bool make_locked(struct maker *m, struct block *b)
{
	unsigned k = random_below(m, m->p->mutexes);
	if (m->held >> k & 1 || !(m->features & F_LOCKS))
		return false;
	struct stmt loop = { .kind = S_RETRY, .reg = result(m) }, read = read_of(m, loop.reg);
	unsigned dice = random_below(m, 100);
	wait_for_value(m, &loop);
	if (dice < 15)
		push(&loop.body, read);
	push(&loop.body, (struct stmt){ .kind = S_LOCK, .place = k });
	if (dice >= 30)
		push(&loop.body, read);
	push(&loop.body, (struct stmt){ .kind = S_UNLOCK, .place = k });
	if (dice >= 15 && dice < 30)
		push(&loop.body, read);
	decorate(m, &loop);
	push(b, loop);
	return true;
}

/* ---- locks ---- */

/* exchange, compare-exchange, or test and test-and-set, of 0 and 1. */
static struct stmt acquire(struct maker *m, unsigned place)
{
	struct stmt loop = { .kind = S_RETRY, .reg = result(m) };
	struct stmt take = { .kind = random_percent(m, 60) ? S_EXCHANGE : S_CAS, .place = place, .value = 1 };
	take.reg = loop.reg;
	take.order = random_order(m, take.kind);
	if (random_percent(m, 35)) {
		struct stmt test = { .kind = S_RETRY, .reg = loop.reg }, load = read_of(m, loop.reg);
		load.place = place;
		push(&test.body, load);
		decorate(m, &test);
		push(&loop.body, test);
	}
	push(&loop.body, take);
	decorate(m, &loop);
	return loop;
}

/* What the lock protects is accessed plainly: two that count would notice each other. */
static void make_protected(struct maker *m, struct block *b, unsigned lock)
{
	if (random_percent(m, 50)) {
		struct stmt load = { .kind = S_LOAD, .place = (lock + 1) % m->p->vars, .reg = result(m) }, add = load;
		add.kind = S_STORE;
		add.value = 1;
		add.from_register = true;
		push(b, load);
		push(b, add);
		return;
	}
	for (unsigned n = 1 + random_percent(m, 40); n; n--) {
		struct stmt s = random_access(m, random_percent(m, 50) ? S_LOAD : S_STORE);
		s.place = (lock + 1) % m->p->vars;
		s.order = PLAIN;
		push(b, s);
	}
}

static bool make_section(struct maker *m, struct block *b)
{
	unsigned place = random_percent(m, 80) ? 0 : random_below(m, m->p->vars);
	push(b, acquire(m, place));
	make_protected(m, b, place);
	if (random_percent(m, 90)) {
		struct stmt release = random_access(m, S_STORE);
		release.place = place;
		release.value = 0;
		release.from_register = false;
		push(b, release);
	}
	return true;
}

static bool make_trylock(struct maker *m, struct block *b)
{
	unsigned k = random_percent(m, 80) ? 0 : random_below(m, m->p->mutexes);
	if (m->held >> k & 1 || m->nested_block || !(m->features & F_TRYLOCKS))
		return false;
	struct stmt s = { .kind = S_SPIN_ON_TRYLOCK, .place = k };
	decorate(m, &s);
	push(b, s);
	if (random_percent(m, 40)) {
		/* Somebody unlocks it when the role is made, or nobody does. */
		m->held |= 1u << k;
		return true;
	}
	make_protected(m, b, random_percent(m, 20));
	push(b, (struct stmt){ .kind = S_UNLOCK, .place = k });
	return true;
}

bool random_await(struct maker *m, struct block *b)
{
	static bool (*const makers[])(struct maker *m, struct block *b) = {
		make_loads,     make_loads,   make_simple,  make_simple,  make_simple,  make_counted,
		make_two_reads, make_take,    make_take,    make_update,  make_update,  make_locked,
		make_locked,    make_section, make_section, make_section, make_trylock, make_trylock,
	};
	/* A lock that only one takes is none: most loops of a program are of one kind. */
	bool made = makers[(random_percent(m, 60) ? m->topic : random_below(m, EVR_COUNT(makers))) % EVR_COUNT(makers)](
		m, b);
	m->awaits += made;
	return made;
}

/* Which variables a block accesses, and whether it has a loop. */
static unsigned places_of(const struct block *b, bool *loops)
{
	unsigned places = 0;
	for (size_t i = 0; i < b->len; i++) {
		const struct stmt *s = &b->data[i];
		*loops |= s->kind == S_AWAIT || s->kind == S_RETRY || s->kind == S_SPIN_ON_TRYLOCK;
		if (s->kind <= S_CAS || s->kind == S_AWAIT || s->kind == S_UPDATE)
			places |= 1u << s->place;
		if (s->kind == S_AWAIT && s->either)
			places |= 1u << s->place2;
		places |= places_of(&s->body, loops) | places_of(&s->other, loops);
	}
	return places;
}

/* Most programs come to their end, in several ways; of a loop that nobody ever ends, there is little to be seen. */
static bool ends_somehow(const struct program *p)
{
	struct await_meaning m;
	interpret_await(p, "sc", &m);
	bool ends = !m.too_large && !m.endless && m.results.len > 1;
	await_meaning_release(&m);
	return ends;
}

/* There is a loop, and two roles share each variable: a loop that looks at what is its thread's own has no events. */
bool random_await_enough(const struct program *p, bool must_end)
{
	unsigned once = 0, twice = 0;
	bool loops = false;
	for (unsigned r = 0; r < p->roles; r++) {
		unsigned places = places_of(&p->role[r], &loops);
		twice |= once & places;
		once |= places;
	}
	return loops && once == twice && (!must_end || ends_somehow(p));
}
