/*
 * Probes of a tree that has one leaf for each reads-from trace, under any model with an oracle.
 *
 * A node is a part P of a trace, in which each thread has ended, waits, or is about to read. A child adds one of these reads with a source in P, and all that follows without a read. A
 * read that had its turn at a node, and was passed over, must read below it from a write that was not in P then. So there is one path to each trace: at each node, it goes on with the
 * first read whose source is in P and was not there at an earlier turn. The branches of a node are known on arrival: the oracle says which sources are possible.
 *
 * P is a part of the last execution's trace, which also shows what each thread does next. What its events outside of P have read does not count. If the chosen child reads from the same
 * source as the execution, nothing has to be run.
 *
 * Invariant: P is closed under program order and reads-from, so that its threads do in each execution that begins with P what they do in this one.
 */
#include "explore/rf_search.h"

#include <stdlib.h>
#include <string.h>

#define NONE EVR_NO_EVENT

/* A read whose turn it is. */
struct pending {
	evr_event_id id; /* in the execution; NONE: a lock that waits there to the end */
	evr_thread_id thread;
	uint32_t location;
};

struct child {
	struct evr_rf_changed read;
	uint32_t pending; /* which of them it is */
	double weight;
	bool same; /* it is as in the execution */
};

struct probing {
	struct evr_rf_engine f;
	struct evr_probe *probe;
	int32_t in[EVR_MAX_THREADS]; /* how many events of each thread are in P */
	bool had[EVR_MAX_THREADS]; /* the thread's next read had its turn, */
	int32_t *then; /* and this was `in` at that time: a row for each thread */
	EVR_VEC(struct pending) pending;
	EVR_VEC(struct child) children;
};

/* ---- P ---- */

static bool is_there(const struct probing *s, evr_event_id e)
{
	const struct evr_rf_event *x = &s->f.s.t.events.data[e];
	return (int32_t)x->index < s->in[x->thread];
}

/* The thread's next event; NONE: the execution has no more. */
static evr_event_id next_of(const struct probing *s, unsigned thread)
{
	const evr_rf_ids *mine = &s->f.s.t.of_thread[thread];
	return (size_t)s->in[thread] < mine->len ? mine->data[s->in[thread]] : NONE;
}

static bool decides(const struct evr_rf *t, evr_event_id e)
{
	const struct evr_rf_event *x = &t->events.data[e];
	return x->flags & EVR_RF_READS || (x->kind == EVR_CHOOSE && evr_rf_executed(t, e)->choices > 1);
}

/* Are they there that program order puts before it? */
static bool may_come(const struct probing *s, const struct evr_rf_event *x, const evr_event_id *afters)
{
	for (uint32_t i = 0; i < x->afters; i++)
		if (!is_there(s, afters[x->after + i]))
			return false;
	return true;
}

static bool is_next(const struct probing *s, evr_event_id e)
{
	const struct evr_rf *t = &s->f.s.t;
	return e != NONE && may_come(s, &t->events.data[e], t->afters.data);
}

/* What needs no decision. */
static void extend(struct probing *s)
{
	const struct evr_rf *t = &s->f.s.t;
	bool more = true;
	while (more) {
		more = false;
		for (unsigned u = 0; u < t->threads; u++)
			for (evr_event_id e = next_of(s, u); is_next(s, e) && !decides(t, e); e = next_of(s, u)) {
				s->in[u]++;
				more = true;
			}
	}
}

/* So many of the first events of the trace are in P. */
static evr_event_id prefix_of(const struct probing *s)
{
	evr_event_id n = 0;
	while (n < s->f.s.t.events.len && is_there(s, n))
		n++;
	return n;
}

/* The newest write to the location in P: of a mutex, the one that all others come before. */
static evr_event_id newest_of(const struct probing *s, uint32_t location)
{
	const struct evr_rf *t = &s->f.s.t;
	evr_event_id w = evr_rf_last(t, location);
	while (w != NONE && !(t->events.data[w].flags & EVR_RF_WRITES && is_there(s, w)))
		w = t->events.data[w].older;
	return w;
}

/* Was it in P when the thread's read had its turn? */
static bool is_forbidden(const struct probing *s, unsigned thread, evr_event_id w)
{
	if (!s->had[thread])
		return false;
	const struct evr_rf_event *y = &s->f.s.t.events.data[w == NONE ? 0 : w];
	return w == NONE || (int32_t)y->index < s->then[(size_t)thread * EVR_MAX_THREADS + y->thread];
}

/* ---- whose turn it is ---- */

/* Does the lock wait, if that is the mutex's last event? One that was taken all the same, right behind it, is that of a recursive mutex. NONE: it was not taken. */
static bool is_held(const struct evr_rf *t, evr_event_id last, evr_event_id lock)
{
	const struct evr_rf_event *x = last == NONE ? NULL : &t->events.data[last];
	bool nested = lock != NONE && t->events.data[lock].source == last;
	return x && (x->kind == EVR_MUTEX_DESTROY || (x->depth && !nested));
}

/* A thread that waits for a mutex to the end of the execution has no event there. */
static void add_waiting(struct probing *s, unsigned thread)
{
	struct evr_rf *t = &s->f.s.t;
	const struct evr_world *w = s->f.base.world;
	const evr_rf_ids *afters = &t->waiting[thread];
	if (thread >= w->threads || !w->waiting[thread] || w->pending[thread].kind != EVR_LOCK)
		return;
	for (size_t i = 0; i < afters->len; i++)
		if (!is_there(s, afters->data[i]))
			return;
	uint32_t location = evr_rf_location(t, &w->pending[thread]);
	if (!is_held(t, newest_of(s, location), NONE))
		evr_vec_push(&s->pending, (struct pending){ NONE, (evr_thread_id)thread, location });
}

/* How many threads may still write what it reads? Those with few come first: what they have to wait for is most likely not to come. */
static unsigned writers(const struct probing *s, const struct pending *p)
{
	unsigned k = 0;
	for (unsigned u = 0; p->location != EVR_NO_LOCATION && u < s->probe->threads; u++)
		k += u != p->thread && evr_probe_may(s->probe, (evr_thread_id)u, p->location, (uint32_t)s->in[u]);
	return k;
}

static void sort(struct probing *s)
{
	for (size_t i = 1; i < s->pending.len; i++) {
		struct pending p = s->pending.data[i];
		size_t k = i;
		for (; k && writers(s, &p) < writers(s, &s->pending.data[k - 1]); k--)
			s->pending.data[k] = s->pending.data[k - 1];
		s->pending.data[k] = p;
	}
}

/* A choice comes before all, and nothing else then. */
static void find_pending(struct probing *s)
{
	const struct evr_rf *t = &s->f.s.t;
	unsigned threads = s->f.base.world->threads > t->threads ? s->f.base.world->threads : t->threads;
	evr_vec_clear(&s->pending);
	for (unsigned u = 0; u < threads; u++) {
		evr_event_id e = u < t->threads ? next_of(s, u) : NONE;
		if (e == NONE) {
			add_waiting(s, u);
			continue;
		}
		if (!is_next(s, e))
			continue;
		const struct evr_rf_event *x = &t->events.data[e];
		struct pending p = { e, (evr_thread_id)u, x->location };
		if (x->kind == EVR_CHOOSE) {
			evr_vec_clear(&s->pending);
			evr_vec_push(&s->pending, p);
			return;
		}
		if (evr_rf_kind(t, e) != EVR_LOCK || !is_held(t, newest_of(s, x->location), e))
			evr_vec_push(&s->pending, p);
	}
	sort(s);
}

/* ---- children ---- */

/* Who is to wait for a write from now on, if the child is chosen? */
struct wait {
	const struct probing *s;
	unsigned reader;
	uint32_t location[EVR_MAX_THREADS];
};

static bool may_release(const void *context, unsigned u, unsigned t, bool moves)
{
	const struct wait *c = context;
	return moves &&
	       evr_probe_may(c->s->probe, (evr_thread_id)u, c->location[t], (uint32_t)c->s->in[u] + (u == c->reader));
}

/* Has its location been written since its turn? */
static bool has_new(const struct probing *s, const struct pending *p)
{
	const struct evr_rf *t = &s->f.s.t;
	for (evr_event_id i = evr_rf_last(t, p->location); i != NONE; i = t->events.data[i].older)
		if (t->events.data[i].flags & EVR_RF_WRITES && t->events.data[i].thread != p->thread &&
		    is_there(s, i) && !is_forbidden(s, p->thread, i))
			return true;
	return false;
}

/* How likely is the child to be chosen? Not at all if there is no good end; the more reads have to wait, the less. */
static double weight(const struct probing *s, const struct child *c)
{
	const struct evr_rf_event *x = &c->read.event;
	struct wait w = { .s = s, .reader = x->thread };
	bool stuck[EVR_MAX_THREADS] = { false };
	unsigned waiting = 0;
	for (uint32_t i = 0; i < s->pending.len; i++) {
		const struct pending *p = &s->pending.data[i];
		bool passed = i < c->pending, written = x->flags & EVR_RF_WRITES && x->location == p->location;
		if (i == c->pending || written || (!passed && (!s->had[p->thread] || has_new(s, p))))
			continue;
		stuck[p->thread] = true;
		w.location[p->thread] = p->location;
		waiting += passed;
	}
	return evr_probe_released(s->probe, stuck, EVR_MAX_THREADS, may_release, &w) ? 1.0 / (1 + waiting) : 0;
}

static bool ask(struct probing *s, const struct evr_rf_changed *c)
{
	struct evr_rf_search *f = &s->f.s;
	evr_rf_build_change(f, prefix_of(s), s->in, c, 1);
	return f->oracle->ops->consistent(f->oracle, &f->change);
}

static void add_child(struct probing *s, uint32_t pending, const struct evr_rf_changed *read, bool same)
{
	struct child c = { *read, pending, 1, same };
	if (!s->probe->exploring)
		c.weight = weight(s, &c);
	if (c.weight > 0 && (same || ask(s, read)))
		evr_vec_push(&s->children, c);
}

static void add_source(struct probing *s, uint32_t pending, evr_event_id w)
{
	struct evr_rf *t = &s->f.s.t;
	evr_event_id r = s->pending.data[pending].id;
	if (is_forbidden(s, t->events.data[r].thread, w) || !evr_rf_may_read_at(&s->f.s, r, w, prefix_of(s)))
		return;
	struct evr_rf_changed c = evr_rf_changed(t, r, w, 0);
	bool writes = evr_rf_would_write(t, &c);
	if (evr_rf_reads_in_vain(&s->f.s, &c, writes))
		return;
	evr_rf_set_writes(t, &c, writes);
	add_child(s, pending, &c, t->events.data[r].source == w);
}

/* A lock has but one source: the mutex as it is. */
static void add_lock(struct probing *s, uint32_t pending)
{
	struct evr_rf *t = &s->f.s.t;
	const struct pending *p = &s->pending.data[pending];
	evr_event_id w = newest_of(s, p->location);
	if (is_forbidden(s, p->thread, w))
		return;
	struct evr_rf_changed c;
	if (p->id != NONE) {
		c = evr_rf_changed(t, p->id, w, 0);
	} else {
		evr_rf_admit(t, p->thread);
		c = (struct evr_rf_changed){ NONE, evr_rf_waiting_lock(t, &s->f.base.world->pending[p->thread]),
					     t->waiting[p->thread].data, NULL };
		c.event.source = w;
	}
	evr_rf_set_writes(t, &c, true);
	add_child(s, pending, &c, p->id != NONE && t->events.data[p->id].source == w);
}

static void add_choices(struct probing *s, uint32_t pending)
{
	const struct evr_rf *t = &s->f.s.t;
	evr_event_id e = s->pending.data[pending].id;
	struct evr_rf_changed c = evr_rf_changed(t, e, NONE, 0);
	for (uint32_t i = 0; i < evr_rf_executed(t, e)->choices; i++) {
		c.event.variant = i;
		add_child(s, pending, &c, t->events.data[e].variant == i);
	}
}

static void find_children(struct probing *s)
{
	const struct evr_rf *t = &s->f.s.t;
	evr_vec_clear(&s->children);
	for (uint32_t i = 0; i < s->pending.len; i++) {
		const struct pending *p = &s->pending.data[i];
		if (p->location == EVR_NO_LOCATION) {
			add_choices(s, i);
		} else if (p->id == NONE || evr_rf_kind(t, p->id) == EVR_LOCK) {
			add_lock(s, i);
		} else {
			add_source(s, i, NONE);
			for (evr_event_id w = evr_rf_last(t, p->location); w != NONE; w = t->events.data[w].older)
				if (t->events.data[w].flags & EVR_RF_WRITES && is_there(s, w))
					add_source(s, i, w);
		}
	}
}

/* ---- going down ---- */

static const struct child *choose(struct probing *s)
{
	double all = 0, end;
	for (size_t i = 0; i < s->children.len; i++)
		all += s->children.data[i].weight;
	end = all * evr_probe_random(s->probe);
	size_t i = 0;
	for (; i + 1 < s->children.len && s->children.data[i].weight <= end; i++)
		end -= s->children.data[i].weight;
	evr_probe_go(s->probe, s->children.data[i].weight / all);
	return &s->children.data[i];
}

/* Nobody can go on. Threads that go round for nothing wait; one that waits for what was not there at its turn has waited in vain. */
static bool is_leaf(const struct probing *s)
{
	for (size_t i = 0; i < s->pending.len; i++)
		if (s->had[s->pending.data[i].thread] || s->f.base.world->await[s->pending.data[i].thread] == NONE)
			return false;
	return true;
}

static void note_turns(struct probing *s, const struct child *c)
{
	for (uint32_t i = 0; i < c->pending; i++) {
		unsigned thread = s->pending.data[i].thread;
		s->had[thread] = true;
		memcpy(&s->then[(size_t)thread * EVR_MAX_THREADS], s->in, sizeof(s->in));
	}
	s->had[s->pending.data[c->pending].thread] = false;
}

/* The next execution begins with P and the child's read. */
static bool run(struct probing *s, const struct child *c)
{
	struct evr_rf_search *f = &s->f.s;
	evr_event_id node = prefix_of(s);
	if (!ask(s, &c->read))
		return false;
	evr_rf_put_change(f);
	for (unsigned u = 0; u < f->t.threads; u++)
		s->in[u] = (int32_t)f->t.of_thread[u].len;
	evr_rf_run_in_order(&s->f, node);
	return true;
}

/* False: the probe is over. */
static bool go_down(struct probing *s)
{
	for (;;) {
		extend(s);
		find_pending(s);
		if (!s->pending.len)
			return false;
		find_children(s);
		if (!s->children.len) {
			s->probe->size = is_leaf(s) ? s->probe->size : 0;
			return false;
		}
		struct child c = *choose(s);
		note_turns(s, &c);
		if (!c.same) {
			bool fine = run(s, &c);
			s->probe->size = fine ? s->probe->size : 0;
			return fine;
		}
		s->in[c.read.event.thread]++;
	}
}

static void learn(struct probing *s)
{
	const struct evr_rf *t = &s->f.s.t;
	for (size_t i = 0; i < t->events.len; i++) {
		const struct evr_rf_event *x = &t->events.data[i];
		if (x->flags & EVR_RF_WRITES && x->location != EVR_NO_LOCATION)
			evr_probe_learn(s->probe, x->thread, x->location, x->index);
	}
}

/* The last event that was asked for has turned out to end a round for nothing: there is no such child. */
static bool was_in_vain(struct probing *s)
{
	const struct evr_rf *t = &s->f.s.t;
	if (!s->f.asked || !(t->events.data[s->f.s.extension - 1].flags & EVR_RF_READS))
		return false;
	struct evr_rf_changed c = evr_rf_copy(t, s->f.s.extension - 1, t->events.data[s->f.s.extension - 1].flags);
	return evr_rf_reads_in_vain(&s->f.s, &c, c.event.flags & EVR_RF_WRITES);
}

/* Accesses of different sizes overlap: a read may have several sources. Nobody has tried to probe that. */
static bool is_refused(const struct probing *s)
{
	return s->f.s.t.locations.overlaps || s->f.s.t.failure;
}

static bool advance(struct evr_engine *e)
{
	struct probing *s = (struct probing *)e;
	struct evr_rf_engine *f = &s->f;
	if (EVR_UNLIKELY(f->retracted)) {
		evr_rf_take_back(f);
		s->probe->size = f->dropped ? 0 : s->probe->size;
		return !f->dropped;
	}
	bool as_asked = evr_rf_record_rest(f);
	f->begun = f->over = e->abandoned = false;
	f->depth = 0;
	if (!as_asked || is_refused(s) || was_in_vain(s)) {
		s->probe->size = 0;
		return false;
	}
	learn(s);
	f->s.hiding_from = NONE;
	return go_down(s);
}

/* ---- the engine ---- */

static void restart(struct evr_engine *e)
{
	struct probing *s = (struct probing *)e;
	evr_rf_restart(&s->f);
	memset(s->in, 0, sizeof(s->in));
	memset(s->had, 0, sizeof(s->had));
}

static void destroy(struct evr_engine *e)
{
	struct probing *s = (struct probing *)e;
	evr_vecs_release(&s->pending, &s->children);
	free(s->then);
	evr_rf_release_engine(&s->f);
	free(s);
}

static const struct evr_engine_ops ops = {
	.name = "rf",
	.summary = "probes of the tree of reads and their sources",
	.erases = true,
	.destroy = destroy,
	.restart = restart,
	.next = evr_rf_next,
	.place = evr_rf_place,
	.resume = evr_rf_resume,
	.advance = advance,
	.retract = evr_rf_retract,
};

struct evr_engine *evr_engine_probe_sources(struct evr_world *w, struct evr_probe *p)
{
	struct probing *s = evr_engine_new(sizeof(*s), &ops, w);
	s->probe = p;
	s->then = evr_alloc(sizeof(*s->then) * EVR_MAX_THREADS * EVR_MAX_THREADS);
	evr_rf_init_engine(&s->f, w);
	return &s->f.base;
}
