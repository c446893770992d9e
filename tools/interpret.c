#include "interpret.h"

#include "base/map.h"

#include <string.h>

enum { MAX_FRAMES = 5, MOST_STATES = 1000000 };

enum phase {
	UNBORN,
	RUNNING,
	WAITING, /* it is in the set of its condition variable */
	WOKEN, /* and no longer; it has yet to lock the mutex */
	ARRIVED, /* at the barrier */
	ENDED,
	STOPPED, /* by an assumption */
	FAILED, /* an assertion */
};

/* A block that is being executed. */
struct frame {
	const struct block *block;
	const struct stmt *of; /* whose block it is; NULL: the role's */
	uint32_t at, round;
};

struct role {
	struct frame frame[MAX_FRAMES];
	uint32_t frames, phase;
	int reg[REGISTERS], once_reg[REGISTERS];
};

/* Compared byte by byte: no padding. */
struct world {
	struct role role[MAX_ROLES];
	int var[MAX_VARS];
	uint32_t mutex[MAX_MUTEXES], spin, writer; /* who holds it, from 1 */
	uint32_t readers, semaphore[SEMAPHORES];
	uint32_t once; /* 0: not yet; 1: it is being done; 2: done */
};

struct interpreter {
	const struct program *p;
	struct meaning *m;
	struct evr_map seen;
};

/* ---- where a role is ---- */

static struct frame *top(struct role *r)
{
	return &r->frame[r->frames - 1];
}

/* NULL: at the end of a block. */
static const struct stmt *next(const struct role *r)
{
	const struct frame *f = &r->frame[r->frames - 1];
	return f->at < f->block->len ? &f->block->data[f->at] : NULL;
}

static void enter(struct role *r, const struct block *b, const struct stmt *of)
{
	if (r->frames == MAX_FRAMES)
		evr_die("a program is nested too deep");
	r->frame[r->frames++] = (struct frame){ b, of, 0, 0 };
}

static void go_on(struct role *r)
{
	top(r)->at++;
}

static int *registers(struct role *r)
{
	for (uint32_t i = 0; i < r->frames; i++)
		if (r->frame[i].of && r->frame[i].of->kind == S_ONCE)
			return r->once_reg;
	return r->reg;
}

static bool holds(struct role *r, const struct stmt *s)
{
	return (registers(r)[s->reg] == s->value) != s->negated;
}

/* Of a statement with a body for the case that it succeeds. */
static void branch(struct role *r, const struct stmt *s, bool success)
{
	if (s->kind != S_IF && s->kind != S_TRYLOCK)
		registers(r)[s->reg] = !success;
	go_on(r);
	if (success)
		enter(r, &s->body, s);
	else if (s->other.len)
		enter(r, &s->other, NULL);
}

/* ---- what can happen ---- */

/* Of the roles in this phase that are at such a statement: their number, and the k-th. */
static unsigned those_at(const struct world *w, enum phase phase, bool condition, unsigned place, unsigned k,
			 unsigned *kth)
{
	unsigned n = 0;
	for (unsigned t = 0; t < MAX_ROLES; t++) {
		const struct role *r = &w->role[t];
		if (r->phase != phase || (condition && next(r)->place != place))
			continue;
		if (n++ == k && kth)
			*kth = t;
	}
	return n;
}

static bool is_done(const struct role *r)
{
	return r->phase == ENDED;
}

/* In how many ways the role's next step can be made; 0: it has to wait. */
static unsigned ways_of(const struct interpreter *in, const struct world *w, const struct role *r)
{
	const struct stmt *s = r->phase == UNBORN || r->phase >= ENDED ? NULL : next(r);
	unsigned n;
	switch (r->phase) {
	case RUNNING:
		break;
	case WAITING:
		return s->kind == S_COND_TIMEDWAIT;
	case WOKEN:
		return !w->mutex[s->place2];
	default:
		return 0;
	}
	if (!s)
		return 1;
	switch (s->kind) {
	case S_LOCK:
		return !w->mutex[s->place];
	case S_JOIN:
		return is_done(&w->role[s->place]);
	case S_CHOOSE:
		return (unsigned)s->value;
	case S_SEM_WAIT:
		return w->semaphore[s->place] > 0;
	case S_RDLOCK:
		return !w->writer;
	case S_WRLOCK:
		return !w->writer && !w->readers;
	case S_SPIN_LOCK:
		return !w->spin;
	case S_COND_SIGNAL:
		n = those_at(w, WAITING, true, s->place, 0, NULL);
		return n ? n : 1;
	case S_BARRIER:
		/* The last to come says who is the serial thread. */
		return those_at(w, ARRIVED, false, 0, 0, NULL) + 1 == in->p->barrier ? in->p->barrier : 1;
	case S_ONCE:
		return w->once != 1;
	default:
		return 1;
	}
}

/* ---- steps ---- */

static void access_memory(struct world *w, struct role *r, const struct stmt *s)
{
	int *x = &w->var[s->place], *reg = &registers(r)[s->reg], old = *x;
	if (s->kind == S_STORE)
		*x = s->from_register ? (*reg + s->value) & 3 : s->value;
	else
		*reg = old;
	if (s->kind == S_ADD)
		*x += s->value;
	else if (s->kind == S_EXCHANGE || (s->kind == S_CAS && old == s->expected))
		*x = s->value;
	go_on(r);
}

static void unlock(struct world *w, unsigned me, const struct stmt *s)
{
	if (s->kind == S_UNLOCK || s->kind == S_TRYLOCK)
		w->mutex[s->place] = 0;
	else if (s->kind == S_SPIN_UNLOCK || s->kind == S_SPIN_TRYLOCK)
		w->spin = 0;
	else if (w->writer == me)
		w->writer = 0;
	else
		w->readers--;
}

static void end_block(struct world *w, unsigned me)
{
	struct role *r = &w->role[me - 1];
	struct frame *f = top(r);
	const struct stmt *of = f->of;
	if (of && of->kind == S_LOOP && ++f->round < (uint32_t)of->expected && !holds(r, of)) {
		f->at = 0;
		return;
	}
	*f = (struct frame){ 0 };
	r->frames--;
	if (of && stmt_tries(of))
		unlock(w, me, of);
	if (of && of->kind == S_ONCE)
		w->once = 2;
	if (!r->frames)
		r->phase = ENDED;
}

static void meet(struct interpreter *in, struct world *w, unsigned me, unsigned way)
{
	unsigned come[MAX_ROLES], n = 0;
	w->role[me - 1].phase = ARRIVED;
	for (unsigned t = 0; t < MAX_ROLES; t++)
		if (w->role[t].phase == ARRIVED)
			come[n++] = t;
	for (unsigned i = 0; n == in->p->barrier && i < n; i++) {
		struct role *r = &w->role[come[i]];
		const struct stmt *s = next(r);
		r->phase = RUNNING;
		if (s->from_register)
			registers(r)[s->reg] = i == way;
		go_on(r);
	}
}

static void wake(struct world *w, const struct stmt *s, unsigned way)
{
	unsigned t = MAX_ROLES;
	if (s->kind == S_COND_SIGNAL) {
		those_at(w, WAITING, true, s->place, way, &t);
		if (t < MAX_ROLES)
			w->role[t].phase = WOKEN;
		return;
	}
	while (those_at(w, WAITING, true, s->place, 0, &t))
		w->role[t].phase = WOKEN;
}

/* The wait is over. Only the way out tells of a time-out, so that it is noted where its result will be. */
static void relock(struct world *w, unsigned me, const struct stmt *s)
{
	struct role *r = &w->role[me - 1];
	w->mutex[s->place2] = me;
	r->phase = RUNNING;
	go_on(r);
}

static void wait(struct world *w, unsigned me, const struct stmt *s)
{
	struct role *r = &w->role[me - 1];
	w->mutex[s->place2] = 0;
	r->phase = WAITING;
	if (s->kind == S_COND_TIMEDWAIT)
		registers(r)[s->reg] = 0;
}

/* A step of what only this flavour has. */
static void synchronise(struct interpreter *in, struct world *w, unsigned me, const struct stmt *s, unsigned way)
{
	struct role *r = &w->role[me - 1];
	bool free;
	switch (s->kind) {
	case S_SEM_TRYWAIT:
		free = w->semaphore[s->place] > 0;
		w->semaphore[s->place] -= free;
		branch(r, s, free);
		return;
	case S_TRYRDLOCK:
		free = !w->writer;
		w->readers += free;
		branch(r, s, free);
		return;
	case S_TRYWRLOCK:
		free = !w->writer && !w->readers;
		w->writer = free ? me : w->writer;
		branch(r, s, free);
		return;
	case S_SPIN_TRYLOCK:
		free = !w->spin;
		w->spin = free ? me : w->spin;
		branch(r, s, free);
		return;
	case S_COND_WAIT:
	case S_COND_TIMEDWAIT:
		wait(w, me, s);
		return;
	case S_BARRIER:
		meet(in, w, me, way);
		return;
	case S_ONCE:
		go_on(r);
		if (!w->once) {
			w->once = 1;
			memset(r->once_reg, 0, sizeof(r->once_reg));
			enter(r, &in->p->once, s);
		}
		return;
	case S_SEM_WAIT:
		w->semaphore[s->place]--;
		break;
	case S_SEM_POST:
		w->semaphore[s->place]++;
		break;
	case S_SEM_GETVALUE:
		registers(r)[s->reg] = (int)w->semaphore[s->place];
		break;
	case S_RDLOCK:
		w->readers++;
		break;
	case S_WRLOCK:
		w->writer = me;
		break;
	case S_SPIN_LOCK:
		w->spin = me;
		break;
	case S_COND_SIGNAL:
	case S_COND_BROADCAST:
		wake(w, s, way);
		break;
	default:
		unlock(w, me, s);
	}
	go_on(r);
}

static void fail(struct interpreter *in, const struct stmt *s)
{
	for (size_t i = 0; i < in->m->failures.len; i++)
		if (in->m->failures.data[i] == s)
			return;
	evr_vec_push(&in->m->failures, s);
}

static void begin_role(struct world *w, const struct program *p, unsigned t)
{
	w->role[t].phase = RUNNING;
	enter(&w->role[t], &p->role[t], NULL);
}

static void execute(struct interpreter *in, struct world *w, unsigned me, const struct stmt *s, unsigned way)
{
	struct role *r = &w->role[me - 1];
	bool free;
	switch (s->kind) {
	case S_LOAD:
	case S_STORE:
	case S_ADD:
	case S_EXCHANGE:
	case S_CAS:
		access_memory(w, r, s);
		return;
	case S_TRYLOCK:
		free = !w->mutex[s->place];
		w->mutex[s->place] = free ? me : w->mutex[s->place];
		branch(r, s, free);
		return;
	case S_IF:
		branch(r, s, holds(r, s));
		return;
	case S_LOOP:
	case S_SECTION: /* within a section: a part of it */
		go_on(r);
		enter(r, &s->body, s);
		return;
	case S_ASSUME:
	case S_ASSERT:
		if (!holds(r, s)) {
			r->phase = s->kind == S_ASSUME ? STOPPED : FAILED;
			if (s->kind == S_ASSERT)
				fail(in, s);
		}
		break;
	case S_LOCK:
		w->mutex[s->place] = me;
		break;
	case S_CREATE:
		begin_role(w, in->p, s->place);
		break;
	case S_CHOOSE:
		registers(r)[s->reg] = (int)way;
		break;
	case S_JOIN:
	case S_FENCE:
		break;
	default:
		synchronise(in, w, me, s, way);
		return;
	}
	go_on(r);
}

static void step(struct interpreter *in, struct world *w, unsigned t, unsigned way)
{
	struct role *r = &w->role[t];
	const struct stmt *s = next(r);
	if (r->phase == WAITING) {
		r->phase = WOKEN;
		registers(r)[s->reg] = 1;
	} else if (r->phase == WOKEN) {
		relock(w, t + 1, s);
	} else if (s) {
		execute(in, w, t + 1, s, way);
	} else {
		end_block(w, t + 1);
	}
}

/* ---- what came of it ---- */

static uint64_t known(const int *reg)
{
	uint64_t sum = 0;
	for (unsigned i = 0; i < REGISTERS; i++)
		sum = sum * 64 + (uint64_t)reg[i];
	return sum;
}

/* Whoever has ended tells what it knows; main, if all have. */
static uint64_t result_of(const struct program *p, const struct world *w, bool all)
{
	int own[REGISTERS] = { 0 };
	uint64_t result = 0;
	for (unsigned r = 0; r < MAX_ROLES; r++)
		if (w->role[r].phase == ENDED)
			result += result_part(r, known(w->role[r].reg));
	if (p->main_runs && !p->dropped[0])
		memcpy(own, w->role[0].reg, sizeof(own));
	for (unsigned v = 0; v < p->vars && p->epilogue; v++)
		own[v] = w->var[v];
	return all ? result + result_part(MAIN_ROLE, known(own)) : result;
}

static bool is_at_section(const struct role *r)
{
	return r->phase == RUNNING && next(r) && next(r)->kind == S_SECTION;
}

static bool is_new(uint64_t result, const uint64_t *known, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (known[i] == result)
			return false;
	return true;
}

/* Nobody can go on. */
static void note_end(struct interpreter *in, const struct world *w)
{
	bool waits = false, stopped = false, ended = false, stuck = false;
	for (unsigned t = 0; t < MAX_ROLES; t++) {
		enum phase phase = w->role[t].phase;
		stopped |= phase == STOPPED || phase == FAILED;
		ended |= phase == ENDED;
		waits |= phase != UNBORN && phase < ENDED;
		stuck |= is_at_section(&w->role[t]);
	}
	if (waits)
		*(stopped || stuck ? &in->m->maybe : &in->m->deadlock) = true;
	if (stopped || (waits && !ended))
		return;
	uint64_t result = result_of(in->p, w, !waits);
	if (stuck) {
		if (is_new(result, in->m->possible.data, in->m->possible.len))
			evr_vec_push(&in->m->possible, result);
		return;
	}
	if (is_new(result, in->m->results.data, in->m->results.len))
		evr_vec_push(&in->m->results, result);
}

static void explore(struct interpreter *in, const struct world *w);

/*
 * The role goes on alone until it has left the frame with this number. False if it never does: an assumption fails, or a mutex
 * is held. Then there is no such step. A failed assertion is noted, and that is all: whatever others do then they could do before.
 */
static bool finish_section(struct interpreter *in, const struct world *w, unsigned t, uint32_t frames)
{
	unsigned ways = ways_of(in, w, &w->role[t]);
	bool finished = false;
	for (unsigned way = 0; way < ways; way++) {
		struct world other = *w;
		struct role *r = &other.role[t];
		step(in, &other, t, way);
		if (r->phase == RUNNING && r->frames > frames) {
			finished |= finish_section(in, &other, t, frames);
		} else if (r->phase == RUNNING) {
			explore(in, &other);
			finished = true;
		}
	}
	return finished;
}

/* The section's block is entered, and so in its frame. */
static bool do_section(struct interpreter *in, const struct world *w, unsigned t)
{
	struct world other = *w;
	struct role *r = &other.role[t];
	uint32_t frames = r->frames;
	const struct stmt *s = next(r);
	go_on(r);
	enter(r, &s->body, s);
	return finish_section(in, &other, t, frames);
}

static void explore(struct interpreter *in, const struct world *w)
{
	uint64_t key = evr_hash_bytes(w, sizeof(*w));
	if (evr_map_get(&in->seen, key) || in->m->too_large)
		return;
	evr_map_put(&in->seen, key, 1);
	in->m->too_large = in->seen.len > MOST_STATES;
	bool ended = true;
	for (unsigned t = 0; t < MAX_ROLES; t++) {
		if (is_at_section(&w->role[t])) {
			ended &= !do_section(in, w, t);
			continue;
		}
		unsigned ways = ways_of(in, w, &w->role[t]);
		ended &= !ways;
		for (unsigned way = 0; way < ways; way++) {
			struct world other = *w;
			step(in, &other, t, way);
			explore(in, &other);
		}
	}
	if (ended)
		note_end(in, w);
}

static int by_number(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;
	return *x == *y ? 0 : *x < *y ? -1 : 1;
}

void interpret(const struct program *p, struct meaning *m)
{
	struct interpreter in = { .p = p, .m = m };
	struct world w;
	memset(&w, 0, sizeof(w));
	*m = (struct meaning){ 0 };
	for (unsigned v = 0; v < p->vars; v++)
		w.var[v] = p->initial[v];
	for (unsigned i = 0; i < SEMAPHORES; i++)
		w.semaphore[i] = p->semaphore[i];
	/* What main does before and after is nothing that anybody could disturb. */
	for (unsigned r = 0; r < p->roles; r++)
		if (!p->dropped[r] && !p->nested[r])
			begin_role(&w, p, r);
	explore(&in, &w);
	evr_map_release(&in.seen);
	if (m->results.len)
		qsort(m->results.data, m->results.len, sizeof(uint64_t), by_number);
}

void meaning_release(struct meaning *m)
{
	evr_vec_release(&m->results);
	evr_vec_release(&m->possible);
	evr_vec_release(&m->failures);
}
