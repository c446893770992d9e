/*
 * Loops for programs of flavour `c11`: a load becomes one that waits for a value, a compare-exchange is tried until it
 * succeeds, and fetch_add becomes a loop around compare-exchange. threads_c11.h knows what these mean.
 *
 * What a loop waits for another role may write, so that most executions end. That role always accesses the variable: a loop
 * around what is a thread's own would have no events.
 */
#include "random.h"

enum { MOST_LOOPS = 2 };

/* Some store that another role makes whatever happens, into this place; NULL if there is none. */
static const struct stmt *store_elsewhere(struct maker *m, unsigned role, unsigned place)
{
	const struct stmt *found = NULL;
	for (unsigned r = 0; r < m->p->roles; r++)
		for (size_t i = 0; i < m->p->role[r].len && r != role; i++) {
			const struct stmt *s = &m->p->role[r].data[i];
			bool fits = s->kind == S_STORE && s->place == place && s->order != PLAIN && !s->from_register &&
				    s->value != m->p->initial[place];
			if (fits && (!found || random_percent(m, 50)))
				found = s;
		}
	return found;
}

static void wait_for(struct maker *m, struct stmt *s, const struct stmt *store)
{
	s->negated = random_percent(m, 35);
	s->value = s->negated ? m->p->initial[s->place] : store->value;
}

static struct stmt loop_of(struct maker *m, const struct stmt *s)
{
	static const enum retry_pause pauses[] = { PAUSE_NONE, PAUSE_NONE, PAUSE_YIELD, PAUSE_CPU };
	struct stmt loop = { .kind = S_RETRY, .place = s->place, .reg = s->reg };
	loop.form = random_percent(m, 50) ? RETRY_DO : RETRY_BREAK;
	loop.pause = pauses[random_below(m, EVR_COUNT(pauses))];
	return loop;
}

/* while (x != v); of one variable, or of either of two. */
static void make_await(struct maker *m, unsigned role, struct stmt *s, const struct stmt *store)
{
	if (random_percent(m, 25)) {
		struct stmt loop = loop_of(m, s);
		wait_for(m, &loop, store);
		evr_vec_push(&loop.body, *s);
		*s = loop;
		return;
	}
	s->kind = S_AWAIT;
	s->from_register = random_percent(m, 70);
	wait_for(m, s, store);
	unsigned other = random_below(m, m->p->vars);
	const struct stmt *second = other != s->place ? store_elsewhere(m, role, other) : NULL;
	if (second && random_percent(m, 20)) {
		s->either = true;
		s->place2 = other;
		s->expected = second->value;
	}
}

/* do r = 0; while (!compare_exchange(&x, &r, 1)); */
static void make_cas_loop(struct maker *m, struct stmt *s, const struct stmt *store)
{
	struct stmt loop = loop_of(m, s);
	s->expected = random_percent(m, 60) ? store->value : m->p->initial[s->place];
	loop.value = s->expected;
	evr_vec_push(&loop.body, *s);
	*s = loop;
}

/* old = x; while (!compare_exchange(&x, &old, old + 1)); the load may be part of the loop. */
static void make_update(struct maker *m, struct block *b, size_t at)
{
	static const enum order failures[] = { RELAXED, RELAXED, ACQUIRE, SEQ_CST };
	struct stmt add = b->data[at], load = { .kind = S_LOAD, .place = add.place, .reg = add.reg };
	struct stmt loop = loop_of(m, &add), update = add;
	load.order = random_percent(m, 60) ? RELAXED : random_percent(m, 70) ? ACQUIRE : SEQ_CST;
	update.kind = S_UPDATE;
	update.index = loop.reg = (add.reg + 1) % REGISTERS;
	update.failure = failures[random_below(m, EVR_COUNT(failures))];
	update.weak = random_percent(m, 30);
	/* Who knows the strongest order that the program may have says it of everything. */
	if (add.order == SEQ_CST)
		load.order = update.failure = SEQ_CST;
	if (add.order == ACQ_REL)
		load.order = update.failure = ACQUIRE;
	loop.value = 1;
	bool inside = random_percent(m, 30);
	if (inside)
		evr_vec_push(&loop.body, load);
	evr_vec_push(&loop.body, update);
	b->data[at] = loop;
	if (!inside)
		block_insert(b, at, load);
}

static bool make_loop(struct maker *m, unsigned role, size_t at)
{
	struct block *b = &m->p->role[role];
	struct stmt *s = &b->data[at];
	if (s->kind > S_CAS || s->kind == S_STORE || s->kind == S_EXCHANGE || s->order == PLAIN)
		return false;
	const struct stmt *store = store_elsewhere(m, role, s->place);
	if (!store)
		return false;
	if (s->kind == S_LOAD)
		make_await(m, role, s, store);
	else if (s->kind == S_CAS)
		make_cas_loop(m, s, store);
	else
		make_update(m, b, at);
	return true;
}

void random_c11_loops(struct maker *m)
{
	unsigned made = 0;
	if (!(m->features & F_LOOPS) || !random_percent(m, 45))
		return;
	for (unsigned r = 0; r < m->p->roles; r++) {
		unsigned held = 0;
		for (size_t i = 0; i < m->p->role[r].len && made < MOST_LOOPS; i++) {
			const struct stmt *s = &m->p->role[r].data[i];
			held += (s->kind == S_LOCK || s->kind == S_SPIN_ON_TRYLOCK) - (s->kind == S_UNLOCK);
			if (!held && random_percent(m, 45) && make_loop(m, r, i))
				made++;
		}
	}
}
