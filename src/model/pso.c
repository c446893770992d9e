/* Partial store order: stores to different locations may reach memory in any order, unless a release keeps them back. */
#include "model/buffer.h"
#include "model/oracle.h"

static void begin(struct evr_world *w)
{
	evr_buffers_begin(w, false, evr_buffers_flush);
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
	if (evr_event_flushes(a) || evr_event_flushes(b))
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
	EVR_MODEL_ROW(pso),
	.reorders_stores = true,
	.summary = "partial store order: a buffer for each thread and location",
	.fences = 1u << EVR_SEQ_CST | 1u << EVR_RELEASE | 1u << EVR_ACQ_REL,
	.begin = begin,
	EVR_BUFFERS_FUNCTIONS,
	.allows = allows,
	.oracle = &evr_oracle_pso,
	.keeps = preserved,
};
