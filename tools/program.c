#include "program.h"

#include "base/map.h"

#include <string.h>

unsigned features_parse(const char *letters)
{
	static const char known[] = {
#define FEATURE(name, letter) letter,
		FEATURES
#undef FEATURE
	};
	unsigned features = 0;
	for (; *letters; letters++) {
		const char *at = memchr(known, *letters, sizeof(known));
		if (!at)
			return 0;
		features |= 1u << (at - known);
	}
	return features;
}

const char *const flavour_names[FLAVOUR_COUNT] = {
#define FLAVOUR(name, word) word,
	FLAVOURS
#undef FLAVOUR
};

enum flavour flavour_parse(const char *name)
{
	unsigned f = 0;
	while (f < FLAVOUR_COUNT && strcmp(flavour_names[f], name) != 0)
		f++;
	return (enum flavour)f;
}

/* ---- variables ---- */

#define INT(name) { name, "int", 0, sizeof(int), 1, 0 }
#define HEAP(name, block) { name, "int", 0, sizeof(int), 1, block }
#define PIECE(bits, at, cell) { "AT(uint" #bits "_t, " #at ")", "uint" #bits "_t", at, cell, (bits) / 8 / (cell), 0 }

const struct layout layouts[] = {
	{ ORDINARY, 3, 0, { INT("x0"), INT("x1"), INT("x2") } },
	{ AWAIT, 3, 0, { INT("x0"), INT("x1"), INT("x2") } },
	/* Halves and the whole; the same and a variable apart; a whole of three pieces; overlapping at a corner. */
	{ MIXED, 3, 0, { PIECE(8, 0, 1), PIECE(8, 1, 1), PIECE(16, 0, 1) } },
	{ MIXED, 3, 0, { PIECE(32, 0, 4), PIECE(32, 4, 4), PIECE(64, 0, 4) } },
	{ MIXED, 3, 0, { PIECE(8, 1, 1), PIECE(16, 0, 1), PIECE(8, 4, 1) } },
	{ MIXED, 4, 0, { PIECE(8, 0, 1), PIECE(16, 2, 1), PIECE(32, 0, 1), PIECE(8, 1, 1) } },
	{ MIXED, 3, 0, { PIECE(16, 0, 1), PIECE(16, 1, 1), PIECE(8, 1, 1) } },
	{ FREE, 2, 1, { INT("x0"), HEAP("h1[0]", 1) } },
	{ FREE, 3, 1, { INT("x0"), HEAP("h1[0]", 1), HEAP("h1[1]", 1) } },
	{ FREE, 3, 2, { INT("x0"), HEAP("h1[0]", 1), HEAP("h2[0]", 2) } },
	{ FAULT, 2, 0, { INT("x0"), INT("x1") } },
	{ FAULT, 3, 0, { INT("x0"), INT("g0[0]"), INT("g0[1]") } },
	{ FAULT, 2, 1, { INT("x0"), HEAP("h1[0]", 1) } },
	{ FAULT, 3, 1, { INT("x0"), HEAP("h1[0]", 1), HEAP("h1[1]", 1) } },
	{ FAULT, 3, 2, { INT("x0"), HEAP("h1[0]", 1), HEAP("h2[0]", 2) } },
	/* In flavour `race`, what others overlap is accessed plainly. */
	{ RACE, 2, 0, { INT("x0"), INT("x1") } },
	{ RACE, 3, 0, { INT("x0"), INT("x1"), INT("x2") } },
	{ RACE, 3, 0, { INT("x0"), INT("x1"), INT("x2") } },
	{ RACE, 4, 0, { INT("x0"), PIECE(8, 0, 1), PIECE(8, 1, 1), PIECE(16, 0, 1) } },
	{ RACE, 3, 0, { INT("x0"), PIECE(32, 0, 1), PIECE(16, 1, 1) } },
	{ RACE, 2, 1, { INT("x0"), HEAP("h1[0]", 1) } },
	{ RACE, 3, 1, { INT("x0"), HEAP("h1[0]", 1), HEAP("h1[1]", 1) } },
};
const unsigned layout_count = EVR_COUNT(layouts);

unsigned long long place_value(const struct place *at, int digits)
{
	unsigned long long value = 0, largest = ~0ull >> (64 - 8 * at->cell);
	for (unsigned i = 0; i < at->cells; i++) {
		unsigned digit = (unsigned)digits >> 2 * i & 3;
		value |= (digit == 3 ? largest : digit) << 8 * at->cell * i;
	}
	return value;
}

/* ---- statements ---- */

void block_insert(struct block *b, size_t at, struct stmt s)
{
	evr_vec_push(b, s);
	memmove(&b->data[at + 1], &b->data[at], (b->len - 1 - at) * sizeof(s));
	b->data[at] = s;
}

static void copy_block(struct block *to, const struct block *from)
{
	*to = (struct block){ 0 };
	for (size_t i = 0; i < from->len; i++) {
		struct stmt s = from->data[i];
		copy_block(&s.body, &from->data[i].body);
		copy_block(&s.other, &from->data[i].other);
		evr_vec_push(to, s);
	}
}

void program_copy(struct program *to, const struct program *from)
{
	*to = *from;
	for (unsigned r = 0; r < MAX_ROLES; r++)
		copy_block(&to->role[r], &from->role[r]);
	copy_block(&to->once, &from->once);
	copy_block(&to->last, &from->last);
}

static void release_block(struct block *b)
{
	for (size_t i = 0; i < b->len; i++) {
		release_block(&b->data[i].body);
		release_block(&b->data[i].other);
	}
	evr_vec_release(b);
}

void program_release(struct program *p)
{
	for (unsigned r = 0; r < MAX_ROLES; r++)
		release_block(&p->role[r]);
	release_block(&p->once);
	release_block(&p->last);
	memset(p, 0, sizeof(*p));
}

/* ---- asking ---- */

unsigned stmt_lock(const struct stmt *s)
{
	switch (s->kind) {
	case S_LOCK:
	case S_UNLOCK:
	case S_TRYLOCK:
	case S_SPIN_ON_TRYLOCK:
		return 1u << s->place;
	case S_RDLOCK:
	case S_WRLOCK:
	case S_TRYRDLOCK:
	case S_TRYWRLOCK:
	case S_RWUNLOCK:
		return 1u << MAX_MUTEXES;
	case S_SPIN_LOCK:
	case S_SPIN_TRYLOCK:
	case S_SPIN_UNLOCK:
		return 2u << MAX_MUTEXES;
	default:
		return 0;
	}
}

bool stmt_tries(const struct stmt *s)
{
	return s->kind == S_TRYLOCK || s->kind == S_TRYRDLOCK || s->kind == S_TRYWRLOCK || s->kind == S_SPIN_TRYLOCK;
}

/* Is there an event in every round of a loop with this body? Otherwise nobody would ever see it wait. */
static bool has_event(const struct block *b)
{
	for (size_t i = 0; i < b->len; i++) {
		const struct stmt *s = &b->data[i];
		if (s->kind <= S_CAS || s->kind == S_LOCK || s->kind == S_TRYLOCK || s->kind == S_AWAIT ||
		    s->kind == S_SPIN_ON_TRYLOCK || s->kind == S_UPDATE || (s->kind == S_RETRY && has_event(&s->body)))
			return true;
	}
	return false;
}

struct state {
	const struct program *p;
	unsigned held, created, joined;
	bool scope; /* in a function that has a local */
	bool fine;
};

static void follow(struct state *s, const struct block *b, bool nested)
{
	for (size_t i = 0; i < b->len; i++) {
		const struct stmt *t = &b->data[i];
		unsigned bit = 1u << t->place, lock = stmt_lock(t), held = s->held;
		switch (t->kind) {
		case S_UNLOCK:
		case S_RWUNLOCK:
		case S_SPIN_UNLOCK:
			s->fine &= (s->held & lock) != 0;
			s->held &= ~lock;
			break;
		case S_WRONG_UNLOCK:
			s->fine &= !(s->held & bit);
			break;
		case S_SCOPE:
			s->fine &= !nested;
			break;
		case S_RETRY:
			s->fine &= has_event(&t->body);
			break;
		case S_PUBLISH:
			s->fine &= s->scope;
			break;
		case S_COND_WAIT:
		case S_COND_TIMEDWAIT:
			s->fine &= s->held >> t->place2 & 1;
			break;
		case S_CREATE:
			s->fine &= !nested && !(s->created & bit) && s->p->nested[t->place] && !s->p->dropped[t->place];
			s->created |= bit;
			break;
		case S_JOIN:
			s->fine &= !nested && s->created & bit && !(s->joined & bit);
			s->joined |= bit;
			break;
		default:
			s->fine &= !(s->held & lock);
			s->held |= lock;
			break;
		}
		if (stmt_tries(t) || t->body.len || t->other.len) {
			unsigned inside = s->held;
			s->scope = t->kind == S_SCOPE || (nested && s->scope);
			follow(s, &t->body, true);
			s->fine &= s->held == inside;
			s->held = held;
			follow(s, &t->other, true);
			s->fine &= s->held == held;
			s->held = held;
			s->scope &= nested;
		}
	}
}

bool program_tells(const struct program *p)
{
	return p->flavour == SYNC || p->flavour == SECTION || p->flavour == AWAIT || p->flavour == C11;
}

bool program_valid(const struct program *p)
{
	struct state s = { .p = p, .fine = true };
	for (unsigned r = 0; r < p->roles; r++) {
		s.held = 0;
		if (!p->dropped[r])
			follow(&s, &p->role[r], false);
	}
	for (unsigned r = 0; r < p->roles; r++)
		if (p->nested[r] && !p->dropped[r])
			s.fine &= (s.created >> r & 1) != 0;
	/* What a program tells in the end, nobody may change any more. */
	if (program_tells(p) || p->flavour == FAULT)
		s.fine &= s.created == s.joined;
	return s.fine;
}

static unsigned features_of(const struct block *b)
{
	static const unsigned by_kind[STMT_KINDS] = {
		[S_LOAD] = F_LOADS,
		[S_STORE] = F_STORES,
		[S_ADD] = F_RMWS,
		[S_EXCHANGE] = F_RMWS,
		[S_CAS] = F_CAS,
		[S_FENCE] = F_FENCES,
		[S_LOCK] = F_LOCKS,
		[S_UNLOCK] = F_LOCKS,
		[S_TRYLOCK] = F_TRYLOCKS,
		[S_IF] = F_IFS,
		[S_LOOP] = F_LOOPS,
		[S_CREATE] = F_NESTED,
		[S_JOIN] = F_NESTED,
		[S_ASSUME] = F_ASSUMES,
		[S_CHOOSE] = F_CHOICES,
		[S_ASSERT] = F_ASSERTS,
		[S_AWAIT] = F_LOADS,
		[S_UPDATE] = F_CAS,
		[S_SPIN_ON_TRYLOCK] = F_TRYLOCKS,
	};
	unsigned features = 0;
	for (size_t i = 0; i < b->len; i++) {
		const struct stmt *s = &b->data[i];
		features |= by_kind[s->kind] | features_of(&s->body) | features_of(&s->other);
		if (s->order == SEQ_CST && s->kind != S_FENCE)
			features |= F_SEQ_CST;
	}
	return features;
}

unsigned program_features(const struct program *p)
{
	unsigned features = 0;
	for (unsigned r = 0; r < p->roles; r++)
		features |= p->dropped[r] ? 0 : features_of(&p->role[r]);
	return features;
}

bool program_by_main(const struct program *p, unsigned r)
{
	return !p->dropped[r] && !p->nested[r] && !(r == 0 && p->main_runs);
}

unsigned program_created(const struct program *p)
{
	unsigned n = 0;
	for (unsigned r = 0; r < p->roles; r++)
		n += program_by_main(p, r);
	return n;
}

unsigned program_orders(const struct program *p)
{
	unsigned n = 1;
	for (unsigned k = program_created(p); k > 1; k--)
		n *= k;
	return n;
}

unsigned program_in_order(const struct program *p, unsigned order, unsigned k)
{
	bool taken[MAX_ROLES] = { false };
	unsigned left = program_created(p), chosen = 0;
	for (unsigned i = 0; i <= k; i++, left--) {
		unsigned skip = order % left;
		order /= left;
		for (chosen = 0; taken[chosen] || !program_by_main(p, chosen) || skip; chosen++)
			skip -= !taken[chosen] && program_by_main(p, chosen);
		taken[chosen] = true;
	}
	return chosen;
}

static void number_block(struct block *b, unsigned *line)
{
	for (size_t i = 0; i < b->len; i++) {
		b->data[i].line = (*line)++;
		number_block(&b->data[i].body, line);
		number_block(&b->data[i].other, line);
	}
}

void program_number(struct program *p)
{
	unsigned line = FIRST_LINE;
	for (unsigned r = 0; r < MAX_ROLES; r++)
		number_block(&p->role[r], &line);
	number_block(&p->last, &line);
}

uint64_t result_part(unsigned role, uint64_t told)
{
	/* Never 0, which is what nobody has told. */
	return evr_hash64(told * 16 + role + 1);
}

/* ---- making smaller ---- */

static void remove_at(struct block *b, size_t i)
{
	release_block(&b->data[i].body);
	release_block(&b->data[i].other);
	memmove(&b->data[i], &b->data[i + 1], (b->len - i - 1) * sizeof(*b->data));
	b->len--;
}

static void remove_partner(struct block *b, size_t from, enum stmt_kind kind, unsigned place)
{
	for (size_t i = from; i < b->len; i++)
		if (b->data[i].kind == kind && b->data[i].place == place) {
			remove_at(b, i);
			return;
		}
}

/* In place of a statement, what is in it. */
static void unwrap(struct block *b, size_t i)
{
	struct block inner = b->data[i].body;
	release_block(&b->data[i].other);
	memmove(&b->data[i], &b->data[i + 1], (b->len - i - 1) * sizeof(*b->data));
	b->len--;
	for (size_t k = 0; k < inner.len; k++)
		block_insert(b, i + k, inner.data[k]);
	evr_vec_release(&inner);
}

static void simplify(struct stmt *s)
{
	s->from_register = s->either = s->is_volatile = s->weak = false;
	s->form = RETRY_DO;
	s->pause = PAUSE_NONE;
	if (s->kind == S_FENCE)
		s->order = SEQ_CST;
	else if (s->kind <= S_CAS || s->kind == S_AWAIT || s->kind == S_UPDATE)
		s->order = RELAXED;
}

static bool simple(const struct stmt *s)
{
	if (s->kind == S_RETRY || s->kind == S_SPIN_ON_TRYLOCK)
		return s->form == RETRY_DO && s->pause == PAUSE_NONE;
	return (s->kind > S_FENCE && s->kind != S_AWAIT && s->kind != S_UPDATE) ||
	       (!s->from_register && !s->either && !s->weak && s->order == (s->kind == S_FENCE ? SEQ_CST : RELAXED));
}

/* The k-th change within a block, counting *k down; false: there are fewer. */
static bool change_block(struct program *p, struct block *b, unsigned *k)
{
	for (size_t i = 0; i < b->len; i++) {
		struct stmt *s = &b->data[i];
		if (!(*k)--) {
			enum stmt_kind kind = s->kind;
			unsigned place = s->place;
			if (kind == S_CREATE)
				p->dropped[place] = true;
			remove_at(b, i);
			if (kind == S_LOCK || kind == S_SPIN_ON_TRYLOCK)
				remove_partner(b, i, S_UNLOCK, place);
			if (kind == S_RDLOCK || kind == S_WRLOCK)
				remove_partner(b, i, S_RWUNLOCK, place);
			if (kind == S_SPIN_LOCK)
				remove_partner(b, i, S_SPIN_UNLOCK, place);
			if (kind == S_CREATE)
				remove_partner(b, i, S_JOIN, place);
			return true;
		}
		if ((s->body.len || s->other.len) && !(*k)--) {
			unwrap(b, i);
			return true;
		}
		if (!simple(s) && !(*k)--) {
			simplify(s);
			return true;
		}
		if (change_block(p, &s->body, k) || change_block(p, &s->other, k))
			return true;
	}
	return false;
}

static bool change(struct program *p, unsigned k)
{
	for (unsigned r = 0; r < p->roles; r++)
		if (!p->dropped[r] && !p->nested[r] && !k--) {
			p->dropped[r] = true;
			return true;
		}
	if (p->epilogue && !k--) {
		p->epilogue = false;
		return true;
	}
	if (p->frees && !k--) {
		p->frees = false;
		return true;
	}
	for (unsigned v = 0; v < p->vars; v++)
		if (p->initial[v] && !k--) {
			p->initial[v] = 0;
			return true;
		}
	for (unsigned i = 0; i < SEMAPHORES; i++)
		if (p->semaphore[i] && !k--) {
			p->semaphore[i]--;
			return true;
		}
	for (unsigned r = 0; r < p->roles; r++)
		if (!p->dropped[r] && change_block(p, &p->role[r], &k))
			return true;
	return change_block(p, &p->once, &k) || change_block(p, &p->last, &k);
}

bool program_smaller(struct program *to, const struct program *from, unsigned k)
{
	program_copy(to, from);
	if (change(to, k)) {
		program_number(to);
		return true;
	}
	program_release(to);
	return false;
}
