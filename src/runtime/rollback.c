/*
 * Marks: when they are taken, and what is in them.
 *
 * Memory is as it was before the execution when a new one begins, because the undo log was gone through. The log's entries are still there, though,
 * and say which words were written up to a mark; the mark has what they held then. Shadow cells have a list of the same kind, `touched`.
 */
#include "runtime/rollback.h"

#include "runtime/memory/shadow.h"
#include "runtime/runtime.h"

#define FIRST 4 /* events before the first mark, and at least between two */
#define FARTHEST 64 /* and at most between two */
#define EVENT 900 /* bytes of a mark that cost as much as an event */
#define WINDOW 64 /* executions, after which the distance is looked at again */
#define MOST ((size_t)64 << 20) /* bytes of all marks */

struct mark {
	size_t events; /* so many there were */
	size_t place; /* the engine's */
	/* Where its pieces are, behind those of threads, as far as they are not in the marks before. These begin where the mark before has its end. */
	size_t from, end;
};

static EVR_LASTING struct {
	EVR_VEC(struct mark) marks;
	struct evr_pieces pieces;
	size_t deepest; /* no execution had more events in common with the last one */
	uint64_t skipped; /* events */
	/* Since the distance between marks was looked at last: executions, events that they ran again, and bytes of their marks. */
	size_t distance, executions, again, taken;
} rollback;

/* ---- what is in a mark ---- */

/* That memory is watched outlives executions, and may be news. Whoever learns that it is shared runs an execution from the start. */
static void put_back_cell(struct evr_cell *c, struct evr_cell before)
{
	before.flags = (uint8_t)((before.flags & ~EVR_CELL_KEPT) | (c->flags & EVR_CELL_KEPT));
	*c = before;
}

static void cell_pieces(struct evr_pieces *p)
{
	struct evr_execution *x = &evr_execution;
	size_t touched = x->touched.len;
	EVR_PIECE(p, touched);
	for (size_t i = x->touched.len; i-- > touched;)
		put_back_cell(x->touched.data[i].cell, x->touched.data[i].before);
	x->touched.len = touched;
	struct evr_cell *place = evr_piece_place(p, touched * sizeof(*place));
	if (p->back)
		for (size_t i = 0; i < touched; i++)
			put_back_cell(x->touched.data[i].cell, place[i]);
	else
		for (size_t i = 0; i < touched; i++)
			place[i] = *x->touched.data[i].cell;
}

static void memory_pieces(struct evr_pieces *p)
{
	struct evr_undo *u = &evr_rt.world.undo;
	EVR_PIECE_LEN(p, &u->log);
	uint64_t *place = evr_piece_place(p, u->log.len * sizeof(*place));
	if (p->back)
		for (size_t i = 0; i < u->log.len; i++)
			*u->log.data[i].word = place[i];
	else
		for (size_t i = 0; i < u->log.len; i++)
			place[i] = *u->log.data[i].word;
}

#define NOTHING SIZE_MAX /* of a thread that has not begun */

static bool is_unchanged(struct evr_thread *t, const struct evr_pieces *p)
{
	static EVR_SCRATCH struct evr_pieces now;
	now.at = 0;
	evr_thread_pieces(t, &now);
	return !memcmp(now.data, p->data + t->pieces, now.at);
}

/* A thread whose pieces are in an earlier mark, as they are now, is not put aside again. */
static void put_threads_aside(struct evr_pieces *p)
{
	for (unsigned i = 0; i < evr_rt.world.threads; i++) {
		struct evr_thread *t = evr_rt.threads[i];
		if (t->state == EVR_UNUSED)
			continue;
		if (!t->changed) {
			EVR_ASSERT(EVR_LIKELY(!evr_rt.config.check) || is_unchanged(t, p));
			continue;
		}
		t->pieces = p->at;
		evr_thread_pieces(t, p);
		t->changed = false;
	}
}

static void put_thread_back(struct evr_thread *t, size_t pieces, struct evr_pieces *p)
{
	if (pieces == NOTHING) {
		t->state = EVR_UNUSED;
		evr_world_thread_unused(&evr_rt.world, t->id);
		return;
	}
	if (!t->changed && t->pieces == pieces)
		return;
	size_t at = p->at;
	p->at = t->pieces = pieces;
	evr_thread_pieces(t, p);
	t->changed = false;
	p->at = at;
}

/* Where the pieces of threads are. */
static void thread_pieces(struct evr_pieces *p)
{
	unsigned n = evr_rt.world.threads;
	size_t *place = evr_piece_place(p, n * sizeof(*place));
	for (unsigned i = 0; i < n; i++) {
		struct evr_thread *t = evr_rt.threads[i];
		if (p->back)
			put_thread_back(t, place[i], p);
		else
			place[i] = t->state == EVR_UNUSED ? NOTHING : t->pieces;
	}
}

static void pieces(struct evr_pieces *p)
{
	struct evr_world *w = &evr_rt.world;
	unsigned before = w->threads;
	evr_world_pieces(w, p);
	thread_pieces(p);
	for (unsigned i = w->threads; i < before; i++)
		evr_rt.threads[i]->state = EVR_UNUSED;
	evr_execution_pieces(p);
	cell_pieces(p);
	memory_pieces(p);
}

/* ---- when ---- */

void evr_marks_forget(void)
{
	rollback.marks.len = 0;
}

static bool is_wanted(const struct evr_engine *e)
{
	return e->ops->resume && evr_rt.world.model->pieces && evr_rt.config.rollback && evr_coroutine_has_pieces() &&
	       !evr_rt.stacks_wanted && !evr_rt.scouting;
}

void evr_marks_begin(struct evr_engine *e)
{
	evr_marks_forget();
	evr_execution.has_marks = is_wanted(e);
	evr_execution.pause_at = evr_execution.has_marks ? FIRST : SIZE_MAX;
}

/*
 * The closer marks are, the more of them are taken, and the fewer events are run again for want of one. The sum is least when both cost the same. How far that is depends on
 * where the search branches: it is found out by trying.
 */
static void adapt(size_t again)
{
	rollback.again += again;
	if (++rollback.executions < WINDOW)
		return;
	if (rollback.taken > rollback.again * EVENT)
		rollback.distance += rollback.distance / 4 + 1;
	else
		rollback.distance -= rollback.distance / 8 + 1;
	if (rollback.distance > FARTHEST)
		rollback.distance = FARTHEST;
	rollback.executions = rollback.again = rollback.taken = 0;
}

static size_t end_of_marks(void)
{
	return rollback.marks.len ? evr_vec_last(&rollback.marks).end : 0;
}

/* Behind what was in common so far, there is no use for a mark. */
static void pause_next(size_t events)
{
	if (rollback.distance < FIRST)
		rollback.distance = FIRST;
	size_t next = events + rollback.distance;
	bool more = next <= rollback.deepest && end_of_marks() < MOST;
	evr_execution.pause_at = more ? next : SIZE_MAX;
}

void evr_marks_take(struct evr_engine *e)
{
	struct evr_pieces *p = &rollback.pieces;
	size_t events = evr_rt.world.trace.events.len;
	if (!evr_execution_has_pieces() || evr_learned(&evr_rt.world) || events > rollback.deepest) {
		evr_execution.pause_at = SIZE_MAX;
		return;
	}
	struct mark m = { .events = events, .place = e->ops->place(e) };
	size_t begin = end_of_marks();
	p->back = false;
	p->at = begin;
	put_threads_aside(p);
	m.from = p->at;
	pieces(p);
	m.end = p->at;
	evr_vec_push(&rollback.marks, m);
	rollback.taken += m.end - begin;
	pause_next(events);
}

uint64_t evr_marks_skipped(void)
{
	return rollback.skipped;
}

uint64_t evr_marks_digest(void)
{
	const struct evr_undo *u = &evr_rt.world.undo;
	const struct evr_execution *x = &evr_execution;
	uint64_t digest = evr_hash_bytes(x->output.text, x->output.len);
	for (size_t i = 0; i < u->log.len; i++)
		digest = evr_hash64(digest ^ *u->log.data[i].word) + (uintptr_t)u->log.data[i].word;
	for (size_t i = 0; i < x->touched.len; i++) {
		struct evr_cell c = *x->touched.data[i].cell;
		c.stamp = (uint32_t)c.stamp; /* without the number of the execution */
		digest = evr_hash64(digest ^ evr_hash_bytes(&c, sizeof(c)));
	}
	return digest;
}

bool evr_marks_resume(struct evr_engine *e)
{
	struct evr_pieces *p = &rollback.pieces;
	if (e->prefix > rollback.deepest)
		rollback.deepest = e->prefix;
	while (rollback.marks.len) {
		const struct mark *m = &evr_vec_last(&rollback.marks);
		if (m->events <= e->prefix && e->ops->resume(e, m->place))
			break;
		rollback.marks.len--;
	}
	if (!rollback.marks.len || !is_wanted(e))
		return false;
	const struct mark *m = &evr_vec_last(&rollback.marks);
	p->back = true;
	p->at = m->from;
	pieces(p);
	/* Behind the cells: one may have been touched first when it was spoilt already. */
	evr_execution_clear();
	EVR_ASSERT(p->at == m->end && evr_rt.world.trace.events.len == m->events);
	evr_world_resume(&evr_rt.world, e->prefix);
	adapt(e->prefix - m->events);
	pause_next(m->events);
	rollback.skipped += m->events;
	return true;
}
