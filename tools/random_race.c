/*
 * Flavour `race`: plain and atomic accesses of all orders to the same variables. Half of the programs have a plan: a thread
 * writes and then tells so, by a flag, others may hand the flag on, and one who has seen it goes on to use what was
 * written. Whether that is a race is a matter of the orders, of fences and of release sequences, which are left to chance.
 */
#include "random.h"

enum { FLAG = 0 };

/* Where places overlap, only what no other divides can be atomic. */
static void fix_place(struct maker *m, struct stmt *s)
{
	if (m->p->layout->place[s->place].cells == 1)
		return;
	if (s->kind == S_LOAD || s->kind == S_STORE)
		s->order = PLAIN;
	else
		s->place = FLAG;
}

static struct stmt access(struct maker *m, enum stmt_kind kind)
{
	struct stmt s = random_access(m, kind);
	static const enum order failures[] = { RELAXED, ACQUIRE, SEQ_CST };
	s.failure = failures[random_below(m, EVR_COUNT(failures))];
	if (kind == S_STORE)
		s.value = random_percent(m, 70) ? 1 : 2;
	fix_place(m, &s);
	return s;
}

/* A plain access to something that is not the flag, or, now and then, to the flag itself. */
static struct stmt plain_access(struct maker *m)
{
	struct stmt s = access(m, random_percent(m, 50) ? S_LOAD : S_STORE);
	s.order = PLAIN;
	s.is_volatile = random_percent(m, 20);
	if (s.place == FLAG && m->p->vars > 1 && random_percent(m, 80))
		s.place = 1 + random_below(m, m->p->vars - 1);
	return s;
}

static struct stmt fence(struct maker *m)
{
	static const enum order orders[] = { ACQUIRE, RELEASE, ACQ_REL, SEQ_CST };
	return (struct stmt){ .kind = S_FENCE, .order = orders[random_below(m, EVR_COUNT(orders))] };
}

static struct stmt flag_access(struct maker *m, enum stmt_kind kind)
{
	struct stmt s = access(m, kind);
	s.place = FLAG;
	s.from_register = false;
	s.order = random_order(m, kind);
	return s;
}

/* What those do who have seen the flag: use what was written, or free it. */
static struct stmt use(struct maker *m)
{
	if (m->p->layout->blocks && random_percent(m, 40))
		return (struct stmt){ .kind = S_FREE, .place = 1 };
	return plain_access(m);
}

static struct stmt use_if(struct maker *m)
{
	struct stmt s = {
		.kind = S_IF, .reg = m->last, .value = random_percent(m, 60) ? 1 : 0, .negated = random_percent(m, 30)
	};
	evr_vec_push(&s.body, use(m));
	return s;
}

bool random_race(struct maker *m, struct block *b)
{
	unsigned dice = random_below(m, 100);
	if (dice < 40) {
		evr_vec_push(b, plain_access(m));
	} else if (dice < 75) {
		static const enum stmt_kind kinds[] = { S_LOAD, S_LOAD, S_STORE, S_STORE, S_ADD, S_EXCHANGE, S_CAS };
		enum stmt_kind kind = kinds[random_below(m, EVR_COUNT(kinds))];
		if (!(m->features & (kind == S_CAS ? F_CAS : kind <= S_STORE ? F_LOADS : F_RMWS)))
			return false;
		evr_vec_push(b, access(m, kind));
	} else if (dice < 88) {
		if (m->features & F_FENCES)
			evr_vec_push(b, fence(m));
		return false;
	} else if (!m->nested_block && m->read) {
		evr_vec_push(b, use_if(m));
	} else {
		return false;
	}
	return true;
}

/* ---- a plan ---- */

static void maybe_fence(struct maker *m, struct block *b)
{
	if (random_percent(m, 35))
		evr_vec_push(b, fence(m));
}

static void write_and_tell(struct maker *m, struct block *b)
{
	static const enum stmt_kind kinds[] = { S_STORE, S_STORE, S_EXCHANGE, S_ADD, S_CAS };
	evr_vec_push(b, plain_access(m));
	maybe_fence(m, b);
	struct stmt s = flag_access(m, kinds[random_below(m, EVR_COUNT(kinds))]);
	s.value = 1;
	s.expected = 0;
	evr_vec_push(b, s);
	/* In C11 such a store would have continued the release sequence; it ends it. */
	if (random_percent(m, 20))
		evr_vec_push(b, flag_access(m, S_STORE));
}

static void hand_on(struct maker *m, struct block *b)
{
	static const enum stmt_kind kinds[] = { S_ADD, S_EXCHANGE, S_CAS, S_CAS, S_STORE, S_LOAD };
	if (random_percent(m, 30))
		evr_vec_push(b, plain_access(m));
	maybe_fence(m, b);
	evr_vec_push(b, flag_access(m, kinds[random_below(m, EVR_COUNT(kinds))]));
	maybe_fence(m, b);
	if (random_percent(m, 30))
		evr_vec_push(b, use_if(m));
}

static void see_and_use(struct maker *m, struct block *b)
{
	static const enum stmt_kind kinds[] = { S_LOAD, S_LOAD, S_LOAD, S_ADD, S_CAS, S_CAS };
	evr_vec_push(b, flag_access(m, kinds[random_below(m, EVR_COUNT(kinds))]));
	maybe_fence(m, b);
	evr_vec_push(b, use_if(m));
}

void random_race_role(struct maker *m, unsigned role)
{
	struct block *b = &m->p->role[role];
	if (!role)
		m->predicate = random_percent(m, 50);
	if (!m->predicate)
		random_block(m, b, 1 + random_below(m, m->p->roles == 2 ? 5 : m->p->roles == 3 ? 4 : 3));
	else if (!role)
		write_and_tell(m, b);
	else if (role + 1 < m->p->roles)
		hand_on(m, b);
	else
		see_and_use(m, b);
}

/* ---- the whole ---- */

static void number(struct block *b, unsigned *line)
{
	for (size_t i = 0; i < b->len; i++) {
		b->data[i].line = ++*line;
		number(&b->data[i].body, line);
		number(&b->data[i].other, line);
	}
}

/* What the other makers have made may be atomic where it cannot be. */
static void fix_block(struct maker *m, struct block *b)
{
	for (size_t i = 0; i < b->len; i++) {
		if (b->data[i].kind <= S_CAS)
			fix_place(m, &b->data[i]);
		fix_block(m, &b->data[i].body);
		fix_block(m, &b->data[i].other);
	}
}

void random_race_end(struct maker *m)
{
	unsigned line = 0;
	for (unsigned r = 0; r < m->p->roles; r++) {
		fix_block(m, &m->p->role[r]);
		number(&m->p->role[r], &line);
	}
	for (unsigned v = 0; v < m->p->vars; v++)
		m->p->initial[v] = 0;
}

static bool has_plain(const struct block *b)
{
	bool has = false;
	for (size_t i = 0; i < b->len; i++) {
		const struct stmt *s = &b->data[i];
		has |= (s->kind <= S_STORE && s->order == PLAIN) || s->kind == S_FREE || has_plain(&s->body) ||
		       has_plain(&s->other);
	}
	return has;
}

bool random_race_enough(const struct program *p)
{
	bool has = false;
	for (unsigned r = 0; r < p->roles; r++)
		has |= has_plain(&p->role[r]);
	return has;
}
