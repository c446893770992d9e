#include "interpret_fault.h"

#include "base/map.h"

#include <stdio.h>
#include <string.h>

enum { MAX_FRAMES = 5, MOST_STATES = 400000, BUFFER = 14 };

/* Main is an actor of its own, which runs role 0 if that is main's. */
enum { MAIN = MAX_ROLES, ACTORS };

/* Memory, an int each. The pointer holds a cell, or 0 for null. */
enum { CELL_X = 0, CELL_HEAP = 3, CELL_GLOBAL = 7, CELL_POINTER = 9, CELL_LOCAL = 10, CELLS = CELL_LOCAL + ACTORS };

enum model { SC, TSO, PSO };

enum phase {
	UNBORN,
	RUNNING,
	JOINING, /* main: all that it has created, then the epilogue */
	READING,
	LAST,
	FREEING,
	ENDED,
	STOPPED, /* by an assumption */
	FAULTED,
};

/* A block that is being executed. */
struct frame {
	const struct block *block;
	const struct stmt *of; /* whose block it is; NULL: the role's */
	uint32_t at, round;
};

struct buffered {
	uint32_t cell, line;
	int32_t value;
	uint32_t release, group; /* those of an older group go first */
};

struct actor {
	struct frame frame[MAX_FRAMES];
	uint32_t frames, phase;
	int32_t reg[REGISTERS];
	uint32_t pointer, outer_pointer; /* its own, and that of the function that called the one with the local */
	uint32_t next; /* main: what it joins, reads or frees next */
	uint32_t stores, group;
	struct buffered buffer[BUFFER];
};

/* Compared byte by byte: no padding. */
struct world {
	uint64_t said;
	struct actor actor[ACTORS];
	int32_t cell[CELLS];
	uint32_t initialised, dead; /* sets of cells */
	uint32_t mutex[MAX_MUTEXES]; /* who holds it, from 1 */
	uint32_t faults;
	uint32_t unused;
};

struct interpreter {
	const struct program *p;
	enum model model;
	struct fault_meaning *m;
	struct evr_map seen;
};

uint64_t said_part(unsigned line, long value)
{
	return evr_hash64((uint64_t)line << 32 ^ (uint64_t)(uint32_t)value);
}

uint64_t fault_part(const char *kind, unsigned line)
{
	return evr_hash64(evr_hash_bytes(kind, strlen(kind)) + line);
}

/* ---- where an actor is ---- */

static struct frame *top(struct actor *a)
{
	return &a->frame[a->frames - 1];
}

/* NULL: at the end of a block. */
static const struct stmt *next(const struct actor *a)
{
	const struct frame *f = &a->frame[a->frames - 1];
	return f->at < f->block->len ? &f->block->data[f->at] : NULL;
}

static void enter(struct actor *a, const struct block *b, const struct stmt *of)
{
	if (a->frames == MAX_FRAMES)
		evr_die("a program is nested too deep");
	a->frame[a->frames++] = (struct frame){ b, of, 0, 0 };
}

static void go_on(struct actor *a)
{
	top(a)->at++;
}

static bool holds(const struct actor *a, const struct stmt *s)
{
	return (a->reg[s->reg] == s->value) != s->negated;
}

static void branch(struct actor *a, const struct stmt *s, bool success)
{
	go_on(a);
	if (success)
		enter(a, &s->body, s);
	else if (s->other.len)
		enter(a, &s->other, NULL);
}

/* ---- faults ---- */

static void note_finding(struct interpreter *in, const char *kind, unsigned line)
{
	char *text = evr_format("%s at p%llu.c:%u", kind, (unsigned long long)in->p->seed, line);
	for (size_t i = 0; i < in->m->findings.len; i++)
		if (!strcmp(in->m->findings.data[i], text)) {
			free(text);
			return;
		}
	evr_vec_push(&in->m->findings, text);
}

static void note_fault(struct interpreter *in, struct world *w, const char *kind, unsigned line)
{
	note_finding(in, kind, line);
	w->said += fault_part(kind, line);
	w->faults++;
}

static void fault(struct interpreter *in, struct world *w, struct actor *a, const char *kind, unsigned line)
{
	note_fault(in, w, kind, line);
	a->phase = FAULTED;
}

/* ---- memory ---- */

static uint32_t cell_named(const char *name)
{
	unsigned i = 0, k = 0;
	if (sscanf(name, "x%u", &i) == 1)
		return CELL_X + i;
	if (sscanf(name, "g%u[%u]", &i, &k) == 2)
		return CELL_GLOBAL + k;
	if (sscanf(name, "h%u[%u]", &i, &k) == 2)
		return CELL_HEAP + 2 * (i - 1) + k;
	evr_die("there is no variable '%s'", name);
}

#define OUT_OF_BOUNDS UINT32_MAX

static uint32_t cell_of(const struct interpreter *in, const struct actor *a, const struct stmt *s)
{
	if (s->by == BY_POINTER)
		return a->pointer;
	if (s->by == BY_NAME)
		return cell_named(in->p->layout->place[s->place].name);
	uint32_t i = (uint32_t)a->reg[s->index] & 3;
	return i > 1 ? OUT_OF_BOUNDS : (s->place ? CELL_HEAP + 2 * (s->place - 1) : CELL_GLOBAL) + i;
}

static void write_cell(struct world *w, uint32_t cell, int32_t value)
{
	w->cell[cell] = value;
	w->initialised |= 1u << cell;
}

/* The thread's newest store to the cell, or NULL. */
static const struct buffered *own_store(const struct actor *a, uint32_t cell)
{
	for (uint32_t i = a->stores; i-- > 0;)
		if (a->buffer[i].cell == cell)
			return &a->buffer[i];
	return NULL;
}

static void store(struct interpreter *in, struct world *w, struct actor *a, uint32_t cell, int32_t value,
		  enum order order, unsigned line)
{
	if (in->model == SC || order == SEQ_CST) {
		write_cell(w, cell, value);
	} else if (a->stores == BUFFER) {
		in->m->too_large = true;
	} else {
		a->buffer[a->stores++] = (struct buffered){ cell, line, value, order == RELEASE, a->group };
	}
}

/* May the i-th store of the buffer reach memory? */
static bool may_leave(const struct interpreter *in, const struct actor *a, uint32_t i)
{
	const struct buffered *b = &a->buffer[i];
	if (in->model == TSO || b->release)
		return i == 0;
	for (uint32_t k = 0; k < i; k++)
		if (a->buffer[k].cell == b->cell || a->buffer[k].group != b->group)
			return false;
	return true;
}

static void leave(struct interpreter *in, struct world *w, struct actor *a, uint32_t i)
{
	struct buffered b = a->buffer[i];
	memmove(&a->buffer[i], &a->buffer[i + 1], (a->stores - i - 1) * sizeof(b));
	a->buffer[--a->stores] = (struct buffered){ 0 };
	if (!a->stores)
		a->group = 0;
	if (w->dead >> b.cell & 1) {
		note_finding(in, "use-after-free", b.line);
		w->faults++;
	} else {
		write_cell(w, b.cell, b.value);
	}
}

static void access_memory(struct interpreter *in, struct world *w, struct actor *a, const struct stmt *s)
{
	uint32_t cell = cell_of(in, a, s);
	if (s->by == BY_POINTER && !cell) {
		go_on(a);
		return;
	}
	if (cell == OUT_OF_BOUNDS) {
		fault(in, w, a, "out-of-bounds", s->line);
		return;
	}
	if (w->dead >> cell & 1) {
		fault(in, w, a, "use-after-free", s->line);
		return;
	}
	int32_t *reg = &a->reg[s->reg];
	if (s->kind == S_STORE) {
		store(in, w, a, cell, s->from_register ? (*reg + s->value) & 3 : s->value, s->order, s->line);
		go_on(a);
		return;
	}
	const struct buffered *own = own_store(a, cell);
	if (!own && !(w->initialised >> cell & 1)) {
		fault(in, w, a, "uninitialised", s->line);
		return;
	}
	int32_t old = own ? own->value : w->cell[cell];
	if (s->kind == S_ADD)
		w->cell[cell] = old + s->value;
	else if (s->kind == S_EXCHANGE || (s->kind == S_CAS && old == s->expected))
		w->cell[cell] = s->value;
	*reg = old;
	w->said += said_part(s->line, old);
	go_on(a);
}

/* free() of a block, or what the thread does instead. */
static bool free_block(struct interpreter *in, struct world *w, struct actor *a, unsigned block, unsigned line)
{
	uint32_t cells = 3u << (CELL_HEAP + 2 * (block - 1));
	if (w->dead & cells) {
		fault(in, w, a, "double-free", line);
		return false;
	}
	w->dead |= cells;
	return true;
}

/* ---- steps ---- */

static bool runs(const struct actor *a)
{
	return a->phase == RUNNING || a->phase == LAST;
}

/* Does the statement wait until the thread's stores are in memory? */
static bool flushes(const struct actor *a, const struct stmt *s)
{
	switch (s->kind) {
	case S_ADD:
	case S_EXCHANGE:
	case S_CAS:
		return s->by != BY_POINTER || a->pointer;
	case S_STORE:
		return s->order == SEQ_CST && (s->by != BY_POINTER || a->pointer);
	case S_PUBLISH:
	case S_POINTER_CLEAR:
	case S_FENCE:
		return s->order == SEQ_CST;
	case S_LOCK:
	case S_UNLOCK:
	case S_TRYLOCK:
	case S_WRONG_UNLOCK:
	case S_CREATE:
	case S_JOIN:
	case S_FREE:
		return true;
	default:
		return false;
	}
}

/* In how many ways the actor's next step can be made; 0: it has to wait. */
static unsigned ways_of(const struct interpreter *in, const struct world *w, const struct actor *a)
{
	if (a->phase == JOINING) {
		bool by_main = a->next < in->p->roles && program_by_main(in->p, a->next);
		return a->next >= in->p->roles || !by_main || (!a->stores && w->actor[a->next].phase == ENDED);
	}
	if (a->phase == READING)
		return 1;
	if (a->phase == FREEING)
		return !a->stores;
	if (!runs(a))
		return 0;
	const struct stmt *s = next(a);
	if (!s) {
		/* The end of a thread, of a function with a local, and of a body that unlocks. */
		const struct stmt *of = a->frame[a->frames - 1].of;
		bool waits = a->frames == 1 || (of && (of->kind == S_SCOPE || of->kind == S_TRYLOCK));
		return !waits || !a->stores;
	}
	if (flushes(a, s) && a->stores)
		return 0;
	switch (s->kind) {
	case S_LOCK:
		return !w->mutex[s->place];
	case S_JOIN:
		return w->actor[s->place].phase == ENDED;
	case S_CHOOSE:
		return (unsigned)s->value;
	default:
		return 1;
	}
}

static void begin_role(struct world *w, const struct program *p, unsigned t)
{
	w->actor[t].phase = RUNNING;
	enter(&w->actor[t], &p->role[t], NULL);
}

static void end_block(struct world *w, unsigned me)
{
	struct actor *a = &w->actor[me];
	struct frame *f = top(a);
	const struct stmt *of = f->of;
	if (of && of->kind == S_LOOP && ++f->round < (uint32_t)of->expected && !holds(a, of)) {
		f->at = 0;
		return;
	}
	*f = (struct frame){ 0 };
	a->frames--;
	if (of && of->kind == S_TRYLOCK)
		w->mutex[of->place] = 0;
	if (of && of->kind == S_SCOPE) {
		w->dead |= 1u << (CELL_LOCAL + me);
		a->pointer = a->outer_pointer;
		a->outer_pointer = 0;
	}
	if (a->frames)
		return;
	a->next = 0;
	if (me != MAIN) {
		a->phase = ENDED;
	} else if (a->phase == RUNNING) {
		a->phase = JOINING;
	} else {
		a->phase = FREEING;
		a->next = 1;
	}
}

/* The function begins: its local is there, and its own pointer points to it. */
static void enter_scope(struct interpreter *in, struct world *w, unsigned me, const struct stmt *s)
{
	struct actor *a = &w->actor[me];
	uint32_t local = CELL_LOCAL + me;
	a->outer_pointer = a->pointer;
	a->pointer = local;
	/* It is written before anybody can know it. */
	store(in, w, a, local, 0, PLAIN, s->line);
	go_on(a);
	enter(a, &s->body, s);
}

static void execute(struct interpreter *in, struct world *w, unsigned me, const struct stmt *s, unsigned way)
{
	struct actor *a = &w->actor[me];
	bool free;
	switch (s->kind) {
	case S_LOAD:
	case S_STORE:
	case S_ADD:
	case S_EXCHANGE:
	case S_CAS:
		access_memory(in, w, a, s);
		return;
	case S_TRYLOCK:
		free = !w->mutex[s->place];
		w->mutex[s->place] = free ? me + 1 : w->mutex[s->place];
		branch(a, s, free);
		return;
	case S_IF:
		branch(a, s, holds(a, s));
		return;
	case S_LOOP:
		go_on(a);
		enter(a, &s->body, s);
		return;
	case S_SCOPE:
		enter_scope(in, w, me, s);
		return;
	case S_ASSUME:
		if (!holds(a, s))
			a->phase = STOPPED;
		break;
	case S_ASSERT:
		if (!holds(a, s))
			fault(in, w, a, "assertion", s->line);
		break;
	case S_NULL:
		fault(in, w, a, "invalid-access", s->line);
		break;
	case S_ABORT:
		fault(in, w, a, "abort", s->line);
		break;
	case S_DIVIDE:
		if (a->reg[s->reg] == s->value)
			fault(in, w, a, "crash", s->line);
		break;
	case S_WRONG_UNLOCK:
		fault(in, w, a, "mutex-misuse", s->line);
		break;
	case S_FREE:
		free_block(in, w, a, s->place, s->line);
		break;
	case S_PUBLISH:
		store(in, w, a, CELL_POINTER, (int32_t)(CELL_LOCAL + me), s->order, s->line);
		break;
	case S_POINTER_CLEAR:
		store(in, w, a, CELL_POINTER, 0, s->order, s->line);
		break;
	case S_POINTER_LOAD: {
		const struct buffered *own = own_store(a, CELL_POINTER);
		a->pointer = (uint32_t)(own ? own->value : w->cell[CELL_POINTER]);
		w->said += said_part(s->line, a->pointer != 0);
		break;
	}
	case S_LOCK:
		w->mutex[s->place] = me + 1;
		break;
	case S_UNLOCK:
		w->mutex[s->place] = 0;
		break;
	case S_CREATE:
		begin_role(w, in->p, s->place);
		break;
	case S_CHOOSE:
		a->reg[s->reg] = (int32_t)way;
		w->said += said_part(s->line, (long)way);
		break;
	case S_FENCE:
		if (in->model == PSO && a->stores && (s->order == RELEASE || s->order == ACQ_REL))
			a->group++;
		break;
	case S_JOIN:
		break;
	default:
		evr_die("a program of flavour fault has a statement that is not for it");
	}
	go_on(a);
}

/* A step of main, which has joined whom it had to. */
static void step_main(struct interpreter *in, struct world *w)
{
	struct actor *a = &w->actor[MAIN];
	const struct program *p = in->p;
	if (a->phase == JOINING) {
		if (a->next++ < p->roles)
			return;
		a->phase = READING;
		a->next = 0;
	} else if (a->phase == READING && a->next < p->vars && p->epilogue) {
		struct stmt s = { .kind = S_LOAD, .place = a->next, .reg = a->next, .line = EPILOGUE_LINE + a->next };
		/* It goes on in a block, here in none. */
		static const struct block none;
		enter(a, &none, NULL);
		access_memory(in, w, a, &s);
		*top(a) = (struct frame){ 0 };
		a->frames--;
		a->next++;
	} else if (a->phase == READING) {
		a->phase = LAST;
		a->next = 0;
		enter(a, &p->last, NULL);
	} else if (a->next <= p->layout->blocks && p->frees) {
		free_block(in, w, a, a->next, FREES_LINE + a->next);
		a->next++;
	} else {
		a->phase = ENDED;
	}
}

static void step(struct interpreter *in, struct world *w, unsigned me, unsigned way)
{
	struct actor *a = &w->actor[me];
	const struct stmt *s;
	if (!runs(a))
		step_main(in, w);
	else if ((s = next(a)))
		execute(in, w, me, s, way);
	else
		end_block(w, me);
}

/* ---- what came of it ---- */

/* For whom it waits, from 1; 0 if for nobody. */
static unsigned waits_for(const struct interpreter *in, const struct world *w, const struct actor *a)
{
	if (a->phase == JOINING)
		return a->next < in->p->roles ? a->next + 1 : 0;
	const struct stmt *s = runs(a) ? next(a) : NULL;
	return !s ? 0 : s->kind == S_LOCK ? w->mutex[s->place] : s->kind == S_JOIN ? s->place + 1 : 0;
}

/* Does the actor wait in a cycle, or in the end for one that has ended? */
static bool waits_in_vain(const struct interpreter *in, const struct world *w, unsigned me)
{
	for (unsigned n = 0, t = me; n <= ACTORS; n++) {
		unsigned other = waits_for(in, w, &w->actor[t]);
		if (!other)
			return n && w->actor[t].phase == ENDED;
		t = other - 1;
	}
	return true;
}

/* Nobody can go on. */
static void note_end(struct interpreter *in, const struct world *w)
{
	bool waits = false, stopped = w->faults > 0, in_vain = false;
	for (unsigned t = 0; t < ACTORS; t++) {
		enum phase phase = w->actor[t].phase;
		stopped |= phase == STOPPED;
		waits |= phase != UNBORN && phase < ENDED;
		in_vain |= phase != UNBORN && phase < ENDED && waits_in_vain(in, w, t);
	}
	if (stopped)
		in->m->maybe |= in_vain;
	else
		in->m->deadlock |= waits;
	for (size_t i = 0; i < in->m->results.len; i++)
		if (in->m->results.data[i] == w->said)
			return;
	evr_vec_push(&in->m->results, w->said);
}

static void explore(struct interpreter *in, const struct world *w)
{
	uint64_t key = evr_hash_bytes(w, sizeof(*w));
	if (evr_map_get(&in->seen, key) || in->m->too_large)
		return;
	evr_map_put(&in->seen, key, 1);
	in->m->too_large = in->seen.len > MOST_STATES;
	bool ended = true;
	for (unsigned t = 0; t < ACTORS; t++) {
		const struct actor *a = &w->actor[t];
		unsigned ways = ways_of(in, w, a);
		ended &= !ways && !a->stores;
		for (unsigned way = 0; way < ways; way++) {
			struct world other = *w;
			step(in, &other, t, way);
			explore(in, &other);
		}
		for (uint32_t i = 0; i < a->stores; i++)
			if (may_leave(in, a, i)) {
				struct world other = *w;
				leave(in, &other, &other.actor[t], i);
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

static int by_string(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Without a flush before it, whether a free waits for the buffer depends on whether others are known to use the memory. */
bool interpret_fault_can(const struct program *p, const char *model)
{
	return !strcmp(model, "sc") || ((!strcmp(model, "tso") || !strcmp(model, "pso")) && p->flushes);
}

static void begin(struct world *w, const struct program *p)
{
	memset(w, 0, sizeof(*w));
	/* On the heap is only what main writes there; the local is the function's own business. */
	w->initialised = 7u << CELL_X | 3u << CELL_GLOBAL | 1u << CELL_POINTER;
	for (unsigned v = 0; v < p->vars; v++)
		if (p->initial[v] != UNWRITTEN)
			write_cell(w, cell_named(p->layout->place[v].name), p->initial[v]);
	for (unsigned r = 0; r < p->roles; r++)
		if (program_by_main(p, r))
			begin_role(w, p, r);
	static const struct block none;
	w->actor[MAIN].phase = RUNNING;
	enter(&w->actor[MAIN], p->main_runs && !p->dropped[0] ? &p->role[0] : &none, NULL);
}

void interpret_fault(const struct program *p, const char *model, struct fault_meaning *m)
{
	struct interpreter in = { .p = p,
				  .m = m,
				  .model = !strcmp(model, "sc")    ? SC
					   : !strcmp(model, "tso") ? TSO
								   : PSO };
	struct world w;
	*m = (struct fault_meaning){ 0 };
	begin(&w, p);
	explore(&in, &w);
	evr_map_release(&in.seen);
	if (m->results.len)
		qsort(m->results.data, m->results.len, sizeof(uint64_t), by_number);
	if (m->findings.len)
		qsort(m->findings.data, m->findings.len, sizeof(char *), by_string);
}

void fault_meaning_release(struct fault_meaning *m)
{
	for (size_t i = 0; i < m->findings.len; i++)
		free(m->findings.data[i]);
	evr_vec_release(&m->findings);
	evr_vec_release(&m->results);
}
