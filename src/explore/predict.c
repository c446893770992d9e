/*
 * Random executions, biased towards a predicted cycle (paper 002, section 4.3). Time is logical: one unit for each step.
 *
 * What comes first in its thread's part of the cycle is put off, so that the other thread's part can come before it: a store stays in
 * its buffer, and before anything else the thread pauses. What comes second is hastened: a store that was not put off reaches memory at
 * once, and a load, where the model has store histories, reads the earliest value that it may. All this with probability one half, so
 * that every occurrence of the labels has its chance.
 *
 * Without a cycle it is just a random execution: phase I.
 *
 * Invariant: a store that is in `due` is in its thread's buffer, too, and nothing is put off for longer than the execution.
 */
#include "explore/predict.h"

#include "model/buffer.h"

#include <stdlib.h>

#define LONGEST 900000 /* steps of an execution */
#define MOST_STORES 16 /* in a buffer; then the oldest leaves */

struct due {
	uint32_t index; /* of the store in its thread */
	uint64_t time;
};

struct predict {
	struct evr_engine base;
	const struct evr_predicted *cycle;
	uint64_t random, time, delay_store, delay_load, steps, limit;
	uint64_t until[EVR_MAX_THREADS];  /* the thread pauses */
	uint32_t paused[EVR_MAX_THREADS]; /* for which of its events it was decided, plus one */
	EVR_VEC(struct due) due[EVR_MAX_THREADS];
	bool changed;  /* a buffer, since it was last looked for stores that are due */
	uint64_t wake; /* when the next one will be */
};

static const struct evr_engine_ops ops;

static uint64_t random_next(struct predict *p)
{
	p->random ^= p->random << 13;
	p->random ^= p->random >> 7;
	p->random ^= p->random << 17;
	return p->random * UINT64_C(0x2545f4914f6cdd1d);
}

static size_t random_below(struct predict *p, size_t n)
{
	return (size_t)((random_next(p) >> 32) * n >> 32);
}

static bool half(struct predict *p)
{
	return random_next(p) >> 63;
}

/* Is the label one of those that come first (0) or second (1) in their thread? */
static bool is_label(const struct predict *p, const struct evr_event *e, unsigned which)
{
	for (unsigned i = which; p->cycle && i < p->cycle->length; i += 2)
		if (p->cycle->label[i] == e->site)
			return true;
	return false;
}

/* ---- stores ---- */

static bool has_buffers(const struct predict *p)
{
	return p->base.world->model->buffers_stores;
}

static uint64_t due_of(const struct predict *p, unsigned t, uint32_t index)
{
	for (size_t i = 0; i < p->due[t].len; i++)
		if (p->due[t].data[i].index == index)
			return p->due[t].data[i].time;
	return 0;
}

static void forget_due(struct predict *p, unsigned t, uint32_t index)
{
	for (size_t i = 0; i < p->due[t].len; i++) {
		if (p->due[t].data[i].index != index)
			continue;
		p->due[t].data[i] = evr_vec_last(&p->due[t]);
		p->due[t].len--;
		return;
	}
}

/* A store whose time has come. Or else: when will the next one's? */
static bool find_update(struct predict *p, struct evr_step *s, uint64_t *next)
{
	const struct evr_world *w = p->base.world;
	if (!p->changed && p->time < p->wake) {
		*next = p->wake;
		return false;
	}
	for (unsigned t = 0; has_buffers(p) && t < w->threads; t++) {
		const evr_buffer *b = evr_buffers_of(w, (evr_thread_id)t);
		for (size_t i = 0; i < b->len; i++) {
			uint64_t due = b->len > MOST_STORES ? 0 : due_of(p, t, b->data[i].index);
			if (!evr_buffers_may_update(b, i))
				continue;
			if (due <= p->time) {
				*s = (struct evr_step){ (uint16_t)(EVR_MAX_THREADS + t), b->data[i].index };
				forget_due(p, t, b->data[i].index);
				p->changed = true;
				return true;
			}
			if (due < *next)
				*next = due;
		}
	}
	p->changed = false;
	p->wake = *next;
	return false;
}

/* ---- threads ---- */

/* Loads and read-modify-writes that come first are paused before, where stores could overtake them. */
static bool pauses(struct predict *p, unsigned t)
{
	const struct evr_world *w = p->base.world;
	const struct evr_event *e = &w->pending[t];
	uint32_t number = w->trace.counts[t] + 1;
	if (p->paused[t] == number)
		return false;
	p->paused[t] = number;
	bool kind = e->kind == EVR_READ || e->kind == EVR_RMW || e->kind == EVR_CAS;
	if (!kind || !w->model->reorders_stores || !is_label(p, e, 0) || !half(p))
		return false;
	p->until[t] = p->time + p->delay_load;
	return true;
}

/* A thread that can go on; EVR_MAX_THREADS if there is none. */
static unsigned find_thread(struct predict *p, uint64_t *next)
{
	const struct evr_world *w = p->base.world;
	unsigned ready[EVR_MAX_THREADS], n = 0;
	for (unsigned t = 0; t < w->threads; t++) {
		if (!w->waiting[t] || !w->model->ready(w, (evr_thread_id)t))
			continue;
		if (p->until[t] > p->time || pauses(p, t)) {
			if (p->until[t] < *next)
				*next = p->until[t];
			continue;
		}
		ready[n++] = t;
	}
	return n ? ready[random_below(p, n)] : EVR_MAX_THREADS;
}

static struct evr_step step_of(struct predict *p, unsigned t)
{
	const struct evr_world *w = p->base.world;
	const struct evr_event *e = &w->pending[t];
	struct evr_step s = { (uint16_t)t, 0 };
	if (e->kind == EVR_CHOOSE)
		s.variant = (uint32_t)random_below(p, (size_t)e->choices);
	else if (e->kind == EVR_READ && is_label(p, e, 1) && half(p) && w->model->earliest)
		s.variant = w->model->earliest(w, (evr_thread_id)t);
	p->changed |= e->kind == EVR_WRITE;
	if (e->kind == EVR_WRITE && is_label(p, e, 0) && half(p))
		evr_vec_push(&p->due[t], (struct due){ w->trace.counts[t], p->time + p->delay_store });
	return s;
}

/* Where replays take at once what nobody else can see, such as buffering a store: a thread that does so. EVR_MAX_THREADS: there is none. */
static unsigned find_silent(const struct evr_world *w)
{
	unsigned t = 0;
	if (w->model->all_steps || !w->model->silent)
		return EVR_MAX_THREADS;
	while (t < w->threads && !(w->waiting[t] && w->model->silent(w, (evr_thread_id)t)))
		t++;
	return t < w->threads ? t : EVR_MAX_THREADS;
}

static struct evr_step next(struct evr_engine *e)
{
	struct predict *p = (struct predict *)e;
	const struct evr_step end = { .actor = EVR_NO_ACTOR };
	p->time++;
	if (++p->steps > p->limit) {
		e->abandoned = true;
		return end;
	}
	unsigned silent = find_silent(p->base.world);
	if (silent < EVR_MAX_THREADS)
		return step_of(p, silent);
	for (;;) {
		struct evr_step s;
		uint64_t later = UINT64_MAX;
		if (find_update(p, &s, &later))
			return s;
		unsigned t = find_thread(p, &later);
		if (t < EVR_MAX_THREADS)
			return step_of(p, t);
		if (later == UINT64_MAX)
			return end;
		p->time = later;
	}
}

void evr_predict_begin(struct evr_engine *e, const struct evr_predicted *cycle, uint64_t seed, uint64_t length)
{
	struct predict *p = (struct predict *)e;
	p->cycle = cycle;
	p->random = seed * UINT64_C(0x9e3779b97f4a7c15) | 1;
	p->time = p->wake = p->steps = 0;
	p->changed = true;
	p->delay_store = length + 1;
	p->delay_load = length / 2 + 1;
	/* Threads may wait for each other for ever. */
	p->limit = cycle && 20 * length + 2000 < LONGEST ? 20 * length + 2000 : LONGEST;
	e->abandoned = false;
	e->prefix = 0;
	for (unsigned t = 0; t < EVR_MAX_THREADS; t++) {
		p->until[t] = p->paused[t] = 0;
		evr_vec_clear(&p->due[t]);
	}
}

static bool advance(struct evr_engine *e)
{
	(void)e;
	return true;
}

static void restart(struct evr_engine *e)
{
	e->prefix = 0;
}

static void destroy(struct evr_engine *e)
{
	struct predict *p = (struct predict *)e;
	for (unsigned t = 0; t < EVR_MAX_THREADS; t++)
		evr_vec_release(&p->due[t]);
	free(p);
}

static const struct evr_engine_ops ops = {
	.name = "predict",
	.summary = "random executions, biased towards predicted cycles",
	.destroy = destroy,
	.restart = restart,
	.next = next,
	.advance = advance,
};

struct evr_engine *evr_engine_predict(struct evr_world *w)
{
	struct predict *p = evr_engine_new(sizeof(*p), &ops, w);
	return &p->base;
}
