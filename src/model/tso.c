/* Total store order: a FIFO buffer for each thread; x86 without the exotic parts. */
#include "model/buffer.h"
#include "model/oracle.h"

static void begin(struct evr_world *w)
{
	evr_buffers_begin(w, true, evr_buffers_flush);
}

/*
 * Program order is preserved except from a buffered store to a later load. What is neither access nor flush (a choice, a
 * fence that does nothing) orders nothing.
 */
static bool preserved(const struct evr_trace *t, const struct evr_event *a, const struct evr_event *b)
{
	(void)t;
	if (evr_event_flushes(a) || evr_event_flushes(b))
		return true;
	bool accesses = (a->kind == EVR_READ || a->kind == EVR_WRITE) && (b->kind == EVR_READ || b->kind == EVR_WRITE);
	return accesses && !(a->kind == EVR_WRITE && b->kind == EVR_READ);
}

static bool allows(const struct evr_graph *g)
{
	return evr_buffers_allow(g, preserved);
}

const struct evr_model_ops evr_model_tso = {
	EVR_MODEL_ROW(tso),
	.summary = "total store order: stores wait in a first-in-first-out buffer of their thread",
	.fences = 1u << EVR_SEQ_CST,
	.begin = begin,
	EVR_BUFFERS_FUNCTIONS,
	.allows = allows,
	.oracle = &evr_oracle_tso,
	.keeps = preserved,
};
