/*
 * The operational models of paper 002 (section 4.2), in which `everett predict` tries to create what it has predicted. They are
 * weaker than those of `everett check` where the paper's are: a compare-exchange without release waits for stores to its own
 * location only, and taking a mutex for none. Releasing one is a store-store barrier, taking one a load-load barrier.
 *
 * PSLO is PSO with store histories: a load may be served by a write that has been overwritten since the thread last looked. A history
 * is no data structure here but the trace, read backwards.
 */
#include "model/relaxer.h"
#include "model/buffer.h"

#include <string.h>

static enum evr_drain drain(const struct evr_event *e)
{
	switch (e->kind) {
	case EVR_RMW:
	case EVR_CAS:
		return evr_event_order(e) >= EVR_RELEASE ? EVR_DRAIN_ALL : EVR_DRAIN_SAME;
	case EVR_LOCK:
	case EVR_TRYLOCK:
	case EVR_TIMEDLOCK:
		return EVR_DRAIN_SAME;
	default:
		return evr_buffers_flush(e);
	}
}

static void begin_tso(struct evr_world *w)
{
	evr_buffers_begin(w, true, evr_buffers_flush);
}

static void begin_pso(struct evr_world *w)
{
	evr_buffers_begin(w, false, drain);
}

/* ---- store histories ---- */

/* Does the thread see, from this event of its on, nothing that was overwritten before? */
static bool is_load_barrier(const struct evr_event *e)
{
	unsigned order = evr_event_order(e);
	bool acquires = order == EVR_ACQUIRE || order == EVR_ACQ_REL || order == EVR_SEQ_CST;
	switch (e->kind) {
	case EVR_START:
	case EVR_JOIN:
	case EVR_LOCK:
	case EVR_TRYLOCK:
	case EVR_TIMEDLOCK:
		return true;
	case EVR_READ:
	case EVR_RMW:
	case EVR_CAS:
	case EVR_FENCE:
		return acquires;
	default:
		return false;
	}
}

static bool takes_effect(const struct evr_event *e)
{
	return e->kind == EVR_UPDATE || (evr_event_writes(e) && e->kind != EVR_FREE && !evr_event_is_buffered(e));
}

static bool same_location(const struct evr_event *a, const struct evr_event *b)
{
	return a->address == b->address && a->size == b->size;
}

/*
 * Append the writes that the thread's pending load may overlook, the newest first, as positions in the trace. What each of them has
 * overwritten is what the load would read.
 */
static void list_overlooked(const struct evr_world *w, evr_thread_id t, evr_steps *out)
{
	const struct evr_event *load = &w->pending[t];
	size_t end = 0;
	if (evr_buffers_forwards(w, t, load->address, load->size))
		return;
	for (size_t i = w->trace.events.len; i-- > end;) {
		const struct evr_event *e = &w->trace.events.data[i];
		bool same = same_location(e, load);
		if (e->thread == t) {
			if (is_load_barrier(e) || (same && takes_effect(e)) || (same && e->kind == EVR_CAS) ||
			    (same && e->kind == EVR_READ && !(e->flags & EVR_STALE)))
				return;
			/* It may not read older ones than before. */
			if (same && e->kind == EVR_READ && e->source != EVR_NO_EVENT)
				end = e->source + 1u;
		} else if (takes_effect(e) && e->address < load->address + load->size &&
			   load->address < e->address + e->size) {
			if (!same)
				return;
			evr_vec_push(out, (struct evr_step){ t, (uint32_t)i + 1 });
		}
	}
}

static uint32_t earliest(const struct evr_world *w, evr_thread_id t)
{
	static EVR_SCRATCH evr_steps older;
	evr_vec_clear(&older);
	list_overlooked(w, t, &older);
	return older.len ? evr_vec_last(&older).variant : 0;
}

static void add_overlooked(struct evr_world *w, evr_steps *out)
{
	for (unsigned t = 0; t < w->threads; t++)
		if (w->waiting[t] && w->pending[t].kind == EVR_READ)
			list_overlooked(w, (evr_thread_id)t, out);
}

static void steps_pslo(struct evr_world *w, evr_steps *out)
{
	size_t before = out->len;
	evr_buffers_steps(w, out);
	/* What nobody else sees is done at once, as under PSO. */
	if (out->len != before + 1 || out->data[before].actor >= EVR_MAX_THREADS ||
	    !evr_buffers_silent(w, out->data[before].actor))
		add_overlooked(w, out);
}

static void all_steps_pslo(struct evr_world *w, evr_steps *out)
{
	evr_buffers_all_steps(w, out);
	add_overlooked(w, out);
}

/* The write that took effect before this one, which overwrote it. */
static evr_event_id overwritten(const struct evr_trace *t, evr_event_id by)
{
	for (evr_event_id i = by; i-- > 0;)
		if (takes_effect(&t->events.data[i]) && same_location(&t->events.data[i], &t->events.data[by]))
			return i;
	return EVR_NO_EVENT;
}

static void execute_pslo(struct evr_world *w, struct evr_step s, struct evr_event *e)
{
	bool old = s.actor < EVR_MAX_THREADS && e->kind == EVR_READ && s.variant;
	evr_event_id by = s.variant - 1;
	if (!old) {
		evr_buffers_execute(w, s, e);
		return;
	}
	e->flags |= EVR_STALE;
	e->read = w->trace.events.data[by].overwritten;
	e->source = overwritten(&w->trace, by);
}

/* What all of them have in common. */
#define RELAXER_TABLE(model) \
	.name = #model, .buffers_stores = true, \
	.fences = 1u << EVR_ACQUIRE | 1u << EVR_RELEASE | 1u << EVR_ACQ_REL | 1u << EVR_SEQ_CST, \
	.ready = evr_buffers_ready, .silent = evr_buffers_silent, .busy = evr_buffers_busy, \
	.forwards = evr_buffers_forwards, .load = evr_buffers_load, .pieces = evr_buffers_pieces

const struct evr_model_ops evr_relaxer_tso = {
	RELAXER_TABLE(tso),
	.summary = "total store order",
	.same_as = &evr_model_tso,
	.begin = begin_tso,
	.steps = evr_buffers_steps,
	.all_steps = evr_buffers_all_steps,
	.execute = evr_buffers_execute,
};

const struct evr_model_ops evr_relaxer_pso = {
	RELAXER_TABLE(pso),
	.summary = "partial store order",
	.reorders_stores = true,
	.begin = begin_pso,
	.steps = evr_buffers_steps,
	.all_steps = evr_buffers_all_steps,
	.execute = evr_buffers_execute,
};

const struct evr_model_ops evr_relaxer_pslo = {
	RELAXER_TABLE(pslo),     .summary = "partial store and load order",
	.reorders_stores = true, .begin = begin_pso,
	.steps = steps_pslo,     .all_steps = all_steps_pslo,
	.execute = execute_pslo, .earliest = earliest,
};

const struct evr_model_ops *const evr_relaxers[] = {
#define RELAXER(model) &evr_relaxer_##model,
#include "model/relaxers.def"
#undef RELAXER
	NULL
};

const struct evr_model_ops *evr_relaxer_find(const char *name)
{
	for (size_t i = 0; evr_relaxers[i]; i++)
		if (!strcmp(evr_relaxers[i]->name, name))
			return evr_relaxers[i];
	return NULL;
}
