/* Partial store order: stores to different locations may reach memory in any order, unless a release keeps them back. */
#include "model/buffer.h"

static bool overlap(const struct evr_buffered *a, const struct evr_buffered *b)
{
	return a->address < b->address + b->size && b->address < a->address + a->size;
}

/* An older store must go first if it is to the same bytes, if this one is a release, or if a release fence is between. */
static bool released(const evr_buffer *b, size_t i)
{
	const struct evr_buffered *s = &b->data[i];
	for (size_t k = 0; k < i; k++) {
		const struct evr_buffered *older = &b->data[k];
		if (overlap(older, s) || s->site->order == EVR_RELEASE || older->barrier != s->barrier)
			return false;
	}
	return true;
}

static void steps(struct evr_world *w, evr_steps *out)
{
	evr_buffers_steps(w, out, released);
}

static bool release_fence_between(const struct evr_trace *t, const struct evr_event *a, const struct evr_event *b)
{
	for (const struct evr_event *e = a; e != b; e++)
		if (e->thread == a->thread && e->kind == EVR_FENCE && e->site->order != EVR_ACQUIRE)
			return true;
	(void)t;
	return false;
}

/* As under TSO, except that two stores keep their order only for one of these reasons (to the same bytes: by coherence). */
static bool preserved(const struct evr_trace *t, const struct evr_event *a, const struct evr_event *b)
{
	if (evr_buffers_flushes(a) || evr_buffers_flushes(b))
		return true;
	bool accesses = (a->kind == EVR_READ || a->kind == EVR_WRITE) && (b->kind == EVR_READ || b->kind == EVR_WRITE);
	if (!accesses || (a->kind == EVR_WRITE && b->kind == EVR_READ))
		return false;
	if (a->kind == EVR_READ)
		return true;
	return b->site->order == EVR_RELEASE || release_fence_between(t, a, b);
}

static bool allows(const struct evr_graph *g)
{
	return evr_buffers_allow(g, preserved);
}

const struct evr_model_ops evr_model_pso = {
	.name = "pso",
	.summary = "partial store order: a buffer for each thread and location",
	.fences = 1u << EVR_SEQ_CST | 1u << EVR_RELEASE | 1u << EVR_ACQ_REL,
	.begin = evr_buffers_begin,
	.steps = steps,
	.execute = evr_buffers_execute,
	.busy = evr_buffers_busy,
	.allows = allows,
	.keeps = preserved,
};
