/*
 * A depth-first search with undo. Invariant: `state`, the counts of what is wanted and held, and the active writes are those of the
 * witness state that the path leads to.
 */
#include "explore/verify_sc.h"

#include "base/map.h"

#include <string.h>

#define NONE EVR_NO_EVENT
#define GREEDY NONE   /* the rank of a step that has no alternatives */
#define READ ((uint32_t)1 << 31) /* added to what is left of a part that has been read */

struct evr_verify_cell {
	evr_event_id active; /* EVR_NO_EVENT: the initial write */
	uint32_t held;       /* by so many reads */
	uint32_t wanted;     /* the initial write is good for so many reads that have not been executed */
	bool used;
};

struct evr_verify_step {
	evr_event_id event;
	evr_event_id overwritten; /* what was active before it, if it writes one cell */
	uint32_t rank; /* those of lower rank have been tried in its place; or GREEDY */
	struct evr_key from;
};

/* For having been executed, and, if it writes one cell, for being active there. */
struct evr_verify_marks {
	struct evr_key executed, active;
};

char *evr_rvf_heuristics(const char *names, unsigned *set)
{
	static const char *const known[] = { "closure", "guide", "greedy", "signals", "instead" };
	*set = 0;
	for (;; names++) {
		size_t n = strcspn(names, ","), i = 0;
		while (i < EVR_COUNT(known) && (strlen(known[i]) != n || strncmp(known[i], names, n) != 0))
			i++;
		if (i == EVR_COUNT(known))
			return evr_format("%.*s", (int)n, names);
		*set |= 1u << i;
		names += n;
		if (!*names)
			return NULL;
	}
}

/* ---- a witness state ---- */

static const struct evr_rvf_event *event_of(const struct evr_verify *v, evr_event_id e)
{
	return &v->x->events.data[e];
}

static bool is_executed(const struct evr_verify *v, evr_event_id e)
{
	return evr_clock_has(v->executed, event_of(v, e)->thread, event_of(v, e)->index);
}

static struct evr_key mark(uint64_t what)
{
	uint64_t one = evr_hash64(what + 1);
	return (struct evr_key){ one, evr_hash64(one ^ UINT64_C(0x9e3779b97f4a7c15)) };
}

static void add(struct evr_key *s, struct evr_key mark)
{
	s->one += mark.one;
	s->two += mark.two;
}

static void subtract(struct evr_key *s, struct evr_key mark)
{
	s->one -= mark.one;
	s->two -= mark.two;
}

/* That the write is active in the cell. */
static struct evr_key mark_of_active(const struct evr_verify *v, evr_event_id e, uint32_t cell)
{
	if (EVR_LIKELY(event_of(v, e)->cells == 1))
		return v->marks.data[e].active;
	return mark(((uint64_t)cell + 2) << 32 | e);
}

static void set_active(struct evr_verify *v, uint32_t cell, evr_event_id e)
{
	evr_event_id *active = &v->at.data[cell].active;
	if (*active != NONE)
		subtract(&v->state, mark_of_active(v, *active, cell));
	add(&v->state, mark_of_active(v, e, cell));
	*active = e;
}

static void reset_marks(struct evr_verify *v)
{
	v->state = (struct evr_key){ 0, 0 };
	while (v->marks.len < v->x->events.len) {
		uint64_t e = v->marks.len;
		evr_vec_push(&v->marks, (struct evr_verify_marks){ mark(e), mark(UINT64_C(1) << 32 | e) });
	}
}

static void reset_cell(struct evr_verify *v, uint32_t cell)
{
	struct evr_verify_cell *c = &v->at.data[cell];
	if (c->used)
		return;
	*c = (struct evr_verify_cell){ .active = NONE, .used = true };
	evr_vec_push(&v->cells, cell);
}

static void reset_part(struct evr_verify *v, uint32_t part)
{
	const struct evr_rvf_part *p = &v->x->parts.data[part];
	struct evr_verify_cell *c = &v->at.data[p->cell];
	const struct evr_rvf_good *goods = &v->x->goods.data[p->good];
	uint32_t left = p->goods, *wanted = v->wanted.data;
	for (uint32_t i = 0; i < p->goods; i++) {
		if (goods[i].write != NONE) {
			wanted[goods[i].write]++;
			continue;
		}
		c->wanted++;
		left--;
	}
	v->left.data[part] = left;
	c->held += !left;
}

static void reset(struct evr_verify *v, const evr_event_id *guide, size_t n)
{
	const struct evr_rvf *x = v->x;
	for (size_t i = 0; i < v->cells.len; i++)
		v->at.data[v->cells.data[i]].used = false;
	evr_vec_clear(&v->cells);
	while (v->at.len < x->cells.len)
		evr_vec_push(&v->at, (struct evr_verify_cell){ .used = false });
	evr_vec_reserve(&v->wanted, x->events.len);
	evr_vec_reserve(&v->left, x->parts.len);
	evr_vec_reserve(&v->rank, x->events.len);
	evr_vec_reserve(&v->path, x->events.len);
	memset(v->wanted.data, 0, x->events.len * sizeof(*v->wanted.data));
	for (evr_event_id e = 0; e < x->events.len; e++) {
		const struct evr_rvf_event *y = &x->events.data[e];
		v->rank.data[e] = e;
		for (uint32_t i = 0; i < y->cells; i++)
			reset_cell(v, y->cell + i);
	}
	for (uint32_t i = 0; i < x->parts.len; i++)
		reset_part(v, i);
	for (size_t i = 0; !(v->off & EVR_RVF_GUIDE) && i < n; i++)
		v->rank.data[guide[i]] = (evr_event_id)i;
	reset_marks(v);
	v->width = evr_clock_width(x->threads);
	evr_clock_clear(v->executed, v->width);
	evr_vec_clear(&v->path);
	evr_vec_clear(&v->overwritten);
}

static void execute_part(struct evr_verify *v, uint32_t part)
{
	const struct evr_rvf_part *p = &v->x->parts.data[part];
	struct evr_verify_cell *c = &v->at.data[p->cell];
	const struct evr_rvf_good *goods = &v->x->goods.data[p->good];
	uint32_t *wanted = v->wanted.data;
	c->held -= !v->left.data[part];
	v->left.data[part] += READ;
	v->work += p->goods;
	for (uint32_t i = 0; i < p->goods; i++)
		(*(goods[i].write == NONE ? &c->wanted : &wanted[goods[i].write]))--;
}

/* Where the write is, for those who want it. */
static void execute_wanted(struct evr_verify *v, const struct evr_rvf_event *y)
{
	const struct evr_rvf_good *goods = v->x->goods.data;
	uint32_t *left = v->left.data;
	for (uint32_t i = y->wanted; i != NONE; i = goods[i].next) {
		uint32_t part = goods[i].part;
		v->work++;
		if (!--left[part])
			v->at.data[v->x->parts.data[part].cell].held++;
	}
}

static void execute_divided(struct evr_verify *v, evr_event_id e, const struct evr_rvf_event *y)
{
	for (uint32_t i = y->cell; i < y->cell + y->cells; i++) {
		evr_vec_push(&v->overwritten, v->at.data[i].active);
		set_active(v, i, e);
	}
}

static void execute(struct evr_verify *v, evr_event_id e, uint32_t rank)
{
	const struct evr_rvf_event *y = event_of(v, e);
	struct evr_verify_step s = { e, NONE, rank, v->state };
	if (y->flags & EVR_RVF_READS)
		for (uint32_t i = 0; i < y->cells; i++)
			execute_part(v, y->part + i);
	v->executed[y->thread]++;
	add(&v->state, v->marks.data[e].executed);
	if (y->flags & EVR_RVF_WRITES) {
		if (EVR_LIKELY(y->cells == 1)) {
			s.overwritten = v->at.data[y->cell].active;
			set_active(v, y->cell, e);
		} else {
			execute_divided(v, e, y);
		}
		execute_wanted(v, y);
	}
	v->path.data[v->path.len++] = s;
	v->states++;
	v->work++;
}

static void take_back_write(struct evr_verify *v, const struct evr_rvf_event *y, evr_event_id overwritten)
{
	const struct evr_rvf_good *goods = v->x->goods.data;
	uint32_t *left = v->left.data;
	if (EVR_LIKELY(y->cells == 1))
		v->at.data[y->cell].active = overwritten;
	else
		for (uint32_t i = y->cells; i-- > 0;)
			v->at.data[y->cell + i].active = v->overwritten.data[--v->overwritten.len];
	for (uint32_t i = y->wanted; i != NONE; i = goods[i].next) {
		uint32_t part = goods[i].part;
		if (!left[part]++)
			v->at.data[v->x->parts.data[part].cell].held--;
	}
}

static void take_back_part(struct evr_verify *v, uint32_t part)
{
	const struct evr_rvf_part *p = &v->x->parts.data[part];
	struct evr_verify_cell *c = &v->at.data[p->cell];
	const struct evr_rvf_good *goods = &v->x->goods.data[p->good];
	uint32_t *wanted = v->wanted.data;
	v->left.data[part] -= READ;
	c->held += !v->left.data[part];
	for (uint32_t i = 0; i < p->goods; i++)
		(*(goods[i].write == NONE ? &c->wanted : &wanted[goods[i].write]))++;
}

static struct evr_verify_step take_back(struct evr_verify *v)
{
	struct evr_verify_step s = v->path.data[--v->path.len];
	const struct evr_rvf_event *y = event_of(v, s.event);
	if (y->flags & EVR_RVF_WRITES)
		take_back_write(v, y, s.overwritten);
	v->executed[y->thread]--;
	v->state = s.from;
	if (y->flags & EVR_RVF_READS)
		for (uint32_t i = 0; i < y->cells; i++)
			take_back_part(v, y->part + i);
	return s;
}

/* ---- what can be executed ---- */

/* Has all been executed that must come before? */
static bool is_minimal(const struct evr_verify *v, evr_event_id e, const struct evr_rvf_event *y)
{
	if (y->flags & EVR_RVF_FIRST &&
	    !evr_clock_includes(v->executed, evr_clocks_at(&v->x->pasts, y->past), v->width))
		return false;
	if (v->closed && !evr_clock_includes(v->executed, evr_clocks_at(&v->closure.before, e), v->width))
		return false;
	for (size_t i = 0; i < v->pairs.len; i++)
		if (v->pairs.data[i].second == e && !is_executed(v, v->pairs.data[i].first))
			return false;
	return true;
}

/* Are all of its parts there to be read, and one of them from a new write, if it must be? */
static bool is_readable(const struct evr_verify *v, const struct evr_rvf_event *y)
{
	bool new = !(y->flags & EVR_RVF_NEW);
	if (EVR_LIKELY(y->cells == 1))
		return evr_rvf_good(v->x, y->part, v->at.data[y->cell].active);
	for (uint32_t i = 0; i < y->cells; i++) {
		const struct evr_rvf_good *g = evr_rvf_good(v->x, y->part + i, v->at.data[y->cell + i].active);
		if (!g)
			return false;
		new |= g->new;
	}
	return new;
}

/* Does another read hold one of its cells? */
static bool is_held(const struct evr_verify *v, const struct evr_rvf_event *y)
{
	bool reads = y->flags & EVR_RVF_READS;
	if (EVR_LIKELY(y->cells == 1))
		return v->at.data[y->cell].held > (reads && !v->left.data[y->part]);
	for (uint32_t i = 0; i < y->cells; i++)
		if (v->at.data[y->cell + i].held > (reads && !v->left.data[y->part + i]))
			return true;
	return false;
}

static bool is_executable(const struct evr_verify *v, evr_event_id e)
{
	const struct evr_rvf_event *y = event_of(v, e);
	if (y->flags & EVR_RVF_WRITES && is_held(v, y))
		return false;
	return (!(y->flags & EVR_RVF_READS) || is_readable(v, y)) && is_minimal(v, e, y);
}

/* The event that a thread makes next, if it can be executed. */
static evr_event_id next_of(const struct evr_verify *v, unsigned thread)
{
	const evr_rvf_ids *all = &v->x->of_thread[thread];
	if ((size_t)v->executed[thread] == all->len)
		return NONE;
	evr_event_id e = all->data[v->executed[thread]];
	return is_executable(v, e) ? e : NONE;
}

/* Nobody wants what the write overwrites, nor what it writes. */
static bool is_unwanted(const struct evr_verify *v, evr_event_id e)
{
	const struct evr_rvf_event *y = event_of(v, e);
	bool wanted = v->wanted.data[e];
	for (uint32_t i = 0; !wanted && i < y->cells; i++) {
		const struct evr_verify_cell *c = &v->at.data[y->cell + i];
		wanted = c->active == NONE ? c->wanted : v->wanted.data[c->active];
	}
	return !wanted;
}

/*
 * An event that can be executed first if there is a witness at all; otherwise the one that comes next in the auxiliary trace, of
 * those whose rank is at least `rank`.
 */
static evr_event_id choose(const struct evr_verify *v, uint32_t *rank)
{
	evr_event_id best = NONE, unwanted = NONE;
	bool greedy = !*rank && !(v->off & EVR_RVF_GREEDY);
	for (unsigned t = 0; t < v->x->threads; t++) {
		evr_event_id e = next_of(v, t);
		if (e == NONE)
			continue;
		unsigned flags = event_of(v, e)->flags & (EVR_RVF_READS | EVR_RVF_WRITES);
		if (greedy && flags != EVR_RVF_WRITES && flags != (EVR_RVF_READS | EVR_RVF_WRITES)) {
			*rank = GREEDY;
			return e;
		}
		if (greedy && flags == EVR_RVF_WRITES && unwanted == NONE && is_unwanted(v, e))
			unwanted = e;
		if (v->rank.data[e] >= *rank && (best == NONE || v->rank.data[e] < v->rank.data[best]))
			best = e;
	}
	if (unwanted != NONE) {
		*rank = GREEDY;
		return unwanted;
	}
	if (best != NONE)
		*rank = v->rank.data[best] + 1;
	return best;
}

/* ---- the search ---- */

/* Depth first. False: there is no witness, or patience has run out. */
static bool search(struct evr_verify *v, size_t patience)
{
	uint64_t began = v->work;
	while (v->path.len < v->x->events.len) {
		uint32_t rank = 0;
		evr_event_id e = evr_set_has(&v->dead, v->state) ? NONE : choose(v, &rank);
		while (e == NONE) {
			evr_set_add(&v->dead, v->state, NULL);
			if (!v->path.len || v->dead.len > patience || (v->most && v->work - began > v->most))
				return false;
			rank = take_back(v).rank;
			e = rank == GREEDY ? NONE : choose(v, &rank);
		}
		execute(v, e, rank);
	}
	return true;
}

bool evr_verify_sc(struct evr_verify *v, const struct evr_rvf *x, const evr_event_id *guide, size_t n)
{
	v->x = x;
	v->asked++;
	v->closed = v->gave_up = false;
	bool closure = !(v->off & EVR_RVF_CLOSURE);
	reset(v, guide, n);
	bool found = search(v, closure ? v->patience : SIZE_MAX);
	if (!found && v->path.len) {
		v->filtered += !(v->closed = evr_closure_find(&v->closure, x, &v->pairs));
		evr_set_clear(&v->dead);
		reset(v, guide, n);
		found = v->closed && search(v, SIZE_MAX);
		v->gave_up = !found && (v->path.len || (v->closure.most && v->closure.steps > v->closure.most));
	}
	v->refuted += !found;
	evr_set_clear(&v->dead);
	evr_vec_reserve(&v->order, x->events.len + 1);
	v->order.len = found ? v->path.len : 0;
	for (size_t i = 0; i < v->order.len; i++)
		v->order.data[i] = v->path.data[i].event;
	return found;
}

void evr_verify_release(struct evr_verify *v)
{
	evr_closure_release(&v->closure);
	evr_vecs_release(&v->pairs, &v->order, &v->rank, &v->left, &v->wanted, &v->at, &v->path, &v->overwritten,
			 &v->cells, &v->marks);
	evr_set_release(&v->dead);
}
