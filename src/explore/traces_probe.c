/*
 * Probes of a tree with one leaf for each trace: at a node, all steps that can be taken, with sleep sets (Godefroid). What has
 * been passed over is asleep until a step that conflicts with it is taken; if none is, that is a dead end.
 *
 * A step that sleeps must be woken by somebody who may still do what conflicts with it; where nobody is left can be told at
 * once. Steps that few others conflict with come first: passed over, they would most likely sleep for ever, so that the steps
 * behind them are no children at all.
 */
#include "event/mutex.h"
#include "explore/engine.h"
#include "explore/wakeup.h"

#include <stdlib.h>
#include <string.h>

typedef EVR_VEC(struct evr_op) ops_list;

/* A store that is in a buffer. */
struct waiting {
	evr_thread_id thread;
	uintptr_t address;
};

struct probe {
	struct evr_engine base;
	struct evr_probe *p;
	evr_steps possible;
	ops_list asleep, children;
	evr_event_id seen; /* events of the trace that have been recorded */
	uint32_t count[EVR_MAX_THREADS]; /* of each thread, but for those that are about its buffer */
	EVR_VEC(struct waiting) buffered;
};

static const struct evr_engine_ops ops;

static void destroy(struct evr_engine *e)
{
	struct probe *b = (struct probe *)e;
	evr_vecs_release(&b->possible, &b->asleep, &b->children, &b->buffered);
	free(b);
}

static void restart(struct evr_engine *e)
{
	struct probe *b = (struct probe *)e;
	e->prefix = 0;
	b->asleep.len = 0;
	b->seen = 0;
	b->buffered.len = 0;
	memset(b->count, 0, sizeof(b->count));
}

/* ---- what do threads do? ---- */

/* Memory is taken in words: few accesses overlap others without sharing one. */
static uint64_t access_key(uintptr_t address, bool write)
{
	return ((uint64_t)address >> 3 << 1 | write) & ((UINT64_C(1) << 48) - 1);
}

static void leave_buffer(struct probe *b, const struct evr_event *e)
{
	size_t i = 0;
	while (i < b->buffered.len &&
	       (b->buffered.data[i].thread != e->thread || b->buffered.data[i].address != e->address))
		i++;
	if (i < b->buffered.len)
		b->buffered.data[i] = b->buffered.data[--b->buffered.len];
}

static void record_event(struct probe *b, const struct evr_event *e)
{
	if (e->kind == EVR_UPDATE)
		leave_buffer(b, e);
	if (e->kind == EVR_UPDATE || e->kind == EVR_DRAIN)
		return;
	if (evr_event_is_buffered(e))
		evr_vec_push(&b->buffered, (struct waiting){ e->thread, e->address });
	if (e->address && e->kind != EVR_CREATE && e->kind != EVR_JOIN)
		evr_probe_learn(b->p, e->thread, access_key(e->address, evr_event_writes(e)), b->count[e->thread]);
	b->count[e->thread]++;
}

static void record_events(struct probe *b)
{
	const struct evr_trace *t = &b->base.world->trace;
	for (; b->seen < t->events.len; b->seen++)
		record_event(b, &t->events.data[b->seen]);
}

static bool has_buffered(const struct probe *b, unsigned thread, uintptr_t address)
{
	for (size_t i = 0; i < b->buffered.len; i++)
		if (b->buffered.data[i].thread == thread && b->buffered.data[i].address >> 3 == address >> 3)
			return true;
	return false;
}

/* May the thread's event of this number, or a later one, or what is in its buffer, conflict with the access? */
static bool may_conflict(const struct probe *b, const struct evr_access *a, unsigned thread, uint32_t count, bool moves)
{
	evr_thread_id t = (evr_thread_id)thread;
	if (!a->kind)
		return false;
	if (has_buffered(b, thread, a->address))
		return true;
	return moves && (evr_probe_may(b->p, t, access_key(a->address, true), count) ||
			 (a->kind == EVR_ACCESS_WRITE && evr_probe_may(b->p, t, access_key(a->address, false), count)));
}

/* What a thread's pending event will do to memory if it comes now. */
static uint8_t kind_of(const struct evr_world *w, evr_thread_id t)
{
	const struct evr_event *e = &w->pending[t];
	switch (e->kind) {
	case EVR_READ:
		return w->model->forwards && w->model->forwards(w, t, e->address, e->size) ? 0 : EVR_ACCESS_READ;
	case EVR_CAS:
		return evr_memory_load(e->address, e->size) == e->expected ? EVR_ACCESS_WRITE : EVR_ACCESS_READ;
	case EVR_TRYLOCK:
	case EVR_TIMEDLOCK:
		return evr_mutex_holder(evr_mutex_at(e->address)) ? EVR_ACCESS_READ : EVR_ACCESS_WRITE;
	case EVR_FENCE:
	case EVR_CHOOSE:
		return 0;
	default:
		return EVR_ACCESS_WRITE;
	}
}

static struct evr_op op_of(const struct probe *b, struct evr_step s)
{
	const struct evr_world *w = b->base.world;
	struct evr_op op = { .step = s };
	const struct evr_event *e = NULL;
	if (s.actor < EVR_MAX_THREADS)
		e = &w->pending[s.actor];
	for (size_t i = w->trace.events.len; !e && i-- > 0;) {
		const struct evr_event *x = &w->trace.events.data[i];
		if (x->thread == s.actor - EVR_MAX_THREADS && x->index == s.variant && x->kind == EVR_WRITE)
			e = x;
	}
	if (!e || !e->address)
		return op;
	op.access.address = e->address;
	op.access.size = e->size;
	op.access.kind = s.actor < EVR_MAX_THREADS ? kind_of(w, s.actor) : EVR_ACCESS_WRITE;
	return op;
}

/* ---- a node ---- */

static bool is_asleep(const struct probe *b, struct evr_step s)
{
	for (size_t i = 0; i < b->asleep.len; i++)
		if (evr_same_step(b->asleep.data[i].step, s))
			return true;
	return false;
}

static unsigned rivals(const struct probe *b, const struct evr_op *op)
{
	unsigned k = 0;
	for (unsigned u = 0; u < b->p->threads; u++)
		k += u != op->step.actor % EVR_MAX_THREADS && may_conflict(b, &op->access, u, b->count[u], true);
	return k;
}

static void list_children(struct probe *b)
{
	b->possible.len = b->children.len = 0;
	b->base.world->model->steps(b->base.world, &b->possible);
	EVR_VEC(unsigned) count = { 0 };
	for (size_t i = 0; i < b->possible.len; i++) {
		if (is_asleep(b, b->possible.data[i]))
			continue;
		struct evr_op op = op_of(b, b->possible.data[i]);
		unsigned c = rivals(b, &op);
		size_t k = b->children.len;
		evr_vec_push(&b->children, op);
		evr_vec_push(&count, c);
		for (; k && c < count.data[k - 1]; k--) {
			count.data[k] = count.data[k - 1];
			b->children.data[k] = b->children.data[k - 1];
		}
		count.data[k] = c;
		b->children.data[k] = op;
	}
	evr_vec_release(&count);
}

struct child {
	const struct probe *b;
	const struct evr_op *taken;
	const struct evr_op *sleeper[2 * EVR_MAX_THREADS]; /* by actor, if it is stuck */
};

static bool may_wake(const void *context, unsigned u, unsigned t, bool moves)
{
	const struct child *c = context;
	return may_conflict(c->b, &c->sleeper[t]->access, u, c->b->count[u] + (u == c->taken->step.actor), moves);
}

/* If child k is taken: who sleeps then? Returns how many do so from now on. */
static unsigned put_to_sleep(const struct probe *b, size_t k, struct child *c, bool *stuck)
{
	unsigned n = 0;
	c->taken = &b->children.data[k];
	for (size_t i = 0; i < b->asleep.len + k; i++) {
		const struct evr_op *op = i < k ? &b->children.data[i] : &b->asleep.data[i - k];
		if (evr_ops_conflict(NULL, op, c->taken))
			continue;
		stuck[op->step.actor] = true;
		c->sleeper[op->step.actor] = op;
		n += i < k;
	}
	return n;
}

static double weight(const struct probe *b, size_t k)
{
	struct child c;
	bool stuck[2 * EVR_MAX_THREADS] = { false };
	c.b = b;
	unsigned asleep = put_to_sleep(b, k, &c, stuck);
	unsigned slots = b->base.world->threads + (b->base.world->model->silent ? EVR_MAX_THREADS : 0);
	return evr_probe_released(b->p, stuck, slots, may_wake, &c) ? 1.0 / (1 + asleep) : 0;
}

static void take(struct probe *b, size_t k)
{
	const struct evr_op taken = b->children.data[k];
	size_t n = 0;
	for (size_t i = 0; i < b->asleep.len; i++)
		if (!evr_ops_conflict(NULL, &b->asleep.data[i], &taken))
			b->asleep.data[n++] = b->asleep.data[i];
	b->asleep.len = n;
	for (size_t i = 0; i < k; i++)
		if (!evr_ops_conflict(NULL, &b->children.data[i], &taken))
			evr_vec_push(&b->asleep, b->children.data[i]);
}

static struct evr_step decide(struct probe *b)
{
	const struct evr_step end = { .actor = EVR_NO_ACTOR };
	list_children(b);
	if (!b->possible.len)
		return end;
	if (b->p->exploring)
		return b->possible.data[(size_t)(evr_probe_random(b->p) * (double)b->possible.len)];
	double sum = 0, chosen;
	for (size_t k = 0; k < b->children.len; k++)
		sum += weight(b, k);
	chosen = sum * evr_probe_random(b->p);
	for (size_t k = 0; k < b->children.len; k++) {
		double w = weight(b, k);
		if (w == 0 || (chosen -= w) >= 0)
			continue;
		evr_probe_go(b->p, w / sum);
		struct evr_step s = b->children.data[k].step;
		take(b, k);
		return s;
	}
	b->p->size = 0;
	return end;
}

static struct evr_step next(struct evr_engine *e)
{
	struct probe *b = (struct probe *)e;
	const struct evr_world *w = e->world;
	record_events(b);
	for (unsigned t = 0; w->model->silent && t < w->threads; t++)
		if (w->waiting[t] && w->model->silent(w, (evr_thread_id)t))
			return (struct evr_step){ (uint16_t)t, 0 };
	return decide(b);
}

static bool advance(struct evr_engine *e)
{
	record_events((struct probe *)e);
	return false;
}

static const struct evr_engine_ops ops = {
	.name = "probe",
	.summary = "random traces",
	.destroy = destroy,
	.restart = restart,
	.next = next,
	.advance = advance,
};

struct evr_engine *evr_engine_probe_traces(struct evr_world *w, struct evr_probe *p)
{
	struct probe *b = evr_alloc(sizeof(*b));
	b->base.ops = &ops;
	b->base.world = w;
	b->p = p;
	return &b->base;
}
