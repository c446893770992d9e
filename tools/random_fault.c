/* Flavour `fault` at random: each program is about some of the ways in which a thread can go wrong. */
#include "random.h"

enum fault_topic {
	TOPIC_SIMPLE = 1, /* null pointers, abort, division: what no other thread has a part in */
	TOPIC_HEAP = 2, /* blocks that are freed, also twice */
	TOPIC_INDEX = 4, /* arrays with an index that was read */
	TOPIC_LOCAL = 8, /* a pointer to another thread's local */
	TOPIC_MUTEX = 16, /* unlocking what is not held */
	TOPICS = 31,
};

void random_fault_topics(struct maker *m)
{
	struct program *p = m->p;
	p->flushes = random_percent(m, 80);
	do
		p->faults = random_below(m, TOPICS + 1);
	while (!p->faults || (p->faults & TOPIC_HEAP && !p->layout->blocks));
}

static void push(struct block *b, struct stmt s)
{
	evr_vec_push(b, s);
}

/* Always, or only if something was read. */
static void push_fault(struct maker *m, struct block *b, struct stmt s)
{
	if (m->nested_block || !m->read || random_percent(m, 35)) {
		push(b, s);
		return;
	}
	struct stmt branch = random_condition(m, S_IF);
	push(&branch.body, s);
	push(b, branch);
}

static bool make_simple(struct maker *m, struct block *b)
{
	unsigned dice = random_below(m, 10);
	struct stmt s = { .kind = dice < 3 ? S_NULL : dice < 5 ? S_ABORT : S_DIVIDE, .reg = m->last };
	s.value = (int)random_below(m, 3);
	if (s.kind == S_DIVIDE && m->read)
		push(b, s);
	else if (s.kind != S_DIVIDE)
		push_fault(m, b, s);
	return false;
}

static enum stmt_kind random_access_kind(struct maker *m)
{
	static const enum stmt_kind kinds[] = { S_LOAD,  S_LOAD, S_LOAD,     S_STORE, S_STORE,
						S_STORE, S_ADD,  S_EXCHANGE, S_CAS };
	enum stmt_kind kind;
	do
		kind = kinds[random_below(m, EVR_COUNT(kinds))];
	while ((kind == S_CAS && !(m->features & F_CAS)) ||
	       ((kind == S_ADD || kind == S_EXCHANGE) && !(m->features & F_RMWS)));
	return kind;
}

/* What is read and used as an index is seldom too large: stores write 1 or 2, and what is added makes it 3. */
static bool make_indexed(struct maker *m, struct block *b)
{
	unsigned index = m->last;
	if (!m->read)
		return false;
	struct stmt s = random_access(m, random_access_kind(m));
	s.by = BY_INDEX;
	s.index = index;
	/* What a compare-exchange expects is in its register, which the index must not depend on. */
	if (s.kind == S_CAS && s.reg == index)
		s.reg = m->last = (index + 1) % REGISTERS;
	s.place = random_below(m, m->p->layout->blocks + 1);
	push(b, s);
	return true;
}

static bool make_pointed(struct maker *m, struct block *b)
{
	unsigned dice = random_below(m, 10);
	if (dice < 2) {
		push(b, (struct stmt){ .kind = S_POINTER_CLEAR, .order = random_order(m, S_STORE) });
		return true;
	}
	if (dice < 4 || !m->pointed) {
		push(b, (struct stmt){ .kind = S_POINTER_LOAD, .order = random_order(m, S_LOAD) });
		m->pointed = true;
		if (random_percent(m, 30))
			return true;
	}
	struct stmt s = random_access(m, random_access_kind(m));
	s.by = BY_POINTER;
	push(b, s);
	return true;
}

static bool make_scope(struct maker *m, struct block *b)
{
	struct stmt s = { .kind = S_SCOPE };
	bool pointed = m->pointed;
	m->scoped = m->pointed = m->nested_block = true;
	push(&s.body, (struct stmt){ .kind = S_PUBLISH, .order = random_order(m, S_STORE) });
	if (random_percent(m, 60))
		random_block(m, &s.body, 1);
	if (random_percent(m, 20))
		push(&s.body, (struct stmt){ .kind = S_POINTER_CLEAR, .order = random_order(m, S_STORE) });
	m->nested_block = false;
	m->pointed = pointed;
	push(b, s);
	return true;
}

/* Often only if something was read. */
static bool make_free(struct maker *m, struct block *b)
{
	struct stmt s = { .kind = S_FREE, .place = 1 + random_below(m, m->p->layout->blocks) };
	push_fault(m, b, s);
	return true;
}

static bool make_wrong_unlock(struct maker *m, struct block *b)
{
	unsigned k = random_below(m, m->p->mutexes);
	if (!(m->held >> k & 1))
		push_fault(m, b, (struct stmt){ .kind = S_WRONG_UNLOCK, .place = k });
	return false;
}

bool random_fault(struct maker *m, struct block *b)
{
	unsigned topic;
	do
		topic = 1u << random_below(m, 5);
	while (!(m->p->faults & topic));
	switch (topic) {
	case TOPIC_HEAP:
		return random_percent(m, 50) && make_free(m, b);
	case TOPIC_INDEX:
		return make_indexed(m, b);
	case TOPIC_LOCAL:
		if (!m->scoped && !m->nested_block && random_percent(m, 50))
			return make_scope(m, b);
		return make_pointed(m, b);
	case TOPIC_MUTEX:
		return random_percent(m, 40) && make_wrong_unlock(m, b);
	default:
		return random_percent(m, 40) && make_simple(m, b);
	}
}

/*
 * One role tells another, by a second store, that it has stored to a block, and that one frees it: under PSO the second store may overtake
 * the first, which is then late whatever the order of all else is.
 */
static void make_message(struct maker *m)
{
	struct program *p = m->p;
	unsigned from = random_below(m, p->roles), to = (from + 1) % p->roles, v = 0;
	while (!p->layout->place[v].block)
		v++;
	push(&p->role[from], (struct stmt){ .kind = S_STORE, .place = v, .value = 1, .order = RELAXED });
	push(&p->role[from], (struct stmt){ .kind = S_STORE, .place = 0, .value = 1, .order = RELAXED });
	push(&p->role[to], (struct stmt){ .kind = S_LOAD, .place = 0, .reg = 0, .order = RELAXED });
	struct stmt branch = { .kind = S_IF, .reg = 0, .value = 1 };
	push(&branch.body, (struct stmt){ .kind = S_FREE, .place = p->layout->place[v].block });
	push(&p->role[to], branch);
}

/* Main knows then what it has read in the end, or in its own role. */
void random_fault_last(struct maker *m)
{
	struct program *p = m->p;
	if (p->faults & TOPIC_HEAP && random_percent(m, 35))
		make_message(m);
	m->held = 0;
	m->nested_block = true;
	m->last = random_below(m, p->vars);
	m->read = p->epilogue || p->main_runs;
	m->scoped = true;
	m->pointed = false;
	if (random_percent(m, 40))
		random_block(m, &p->last, 1);
	if (m->read && random_percent(m, 40)) {
		struct stmt s = random_condition(m, S_ASSERT);
		s.negated = true;
		push(&p->last, s);
	}
}

/* What can fault in the block: a bit for each kind of statement. */
static unsigned fault_kinds(const struct block *b)
{
	unsigned kinds = 0;
	for (size_t i = 0; i < b->len; i++) {
		const struct stmt *s = &b->data[i];
		kinds |= fault_kinds(&s->body) | fault_kinds(&s->other);
		if (s->kind >= S_NULL && s->kind <= S_WRONG_UNLOCK)
			kinds |= 1;
		if (s->kind == S_FREE)
			kinds |= 2;
		if (s->kind <= S_CAS && s->by == BY_INDEX)
			kinds |= 4;
		if (s->kind == S_PUBLISH)
			kinds |= 8;
		if (s->kind == S_POINTER_LOAD)
			kinds |= 16;
		if (s->kind == S_ASSERT)
			kinds |= 32;
	}
	return kinds;
}

/* A pointer to a local is of interest if somebody else loads it. */
bool random_fault_enough(const struct program *p)
{
	unsigned kinds = 0, publishes = 0, loads = 0;
	for (unsigned r = 0; r < p->roles; r++) {
		unsigned of_role = fault_kinds(&p->role[r]);
		kinds |= of_role;
		publishes |= (of_role >> 3 & 1) << r;
		loads |= (of_role >> 4 & 1) << r;
	}
	bool pointed = publishes && loads && (publishes | loads) != (publishes & loads);
	return kinds & 7 || (p->faults & TOPIC_LOCAL && pointed);
}

double random_fault_steps(const struct stmt *s)
{
	switch (s->kind) {
	case S_SCOPE:
		return 2;
	case S_PUBLISH:
	case S_POINTER_CLEAR:
		return 1.6;
	case S_POINTER_LOAD:
		return 1;
	default:
		return 0;
	}
}
