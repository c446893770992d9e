/*
 * Threads that have gone round a loop for nothing (instrument/awaits.c, retry.c) stop there for good. At the end of an
 * execution it matters what the thread would see if it went round once more: if that is what it saw, it waits in vain.
 *
 * Invariant: of a thread in state EVR_AWAITING, world.await is where in the trace its last iteration begins, and none of its events from
 * there on has changed anything.
 */
#include "event/graph.h"
#include "runtime/hooks.h"
#include "runtime/memory/shadow.h"
#include "runtime/predict.h"
#include "runtime/runtime.h"
#include "runtime/sync/sync.h"

/* The place in the trace where the first iteration begins, counted from 1, tells the second what belongs to the first. */
uint32_t evr_await(uint32_t before, void *site)
{
	uint32_t now = (uint32_t)evr_rt.world.trace.events.len + 1;
	if (!before)
		evr_retry_keep_journal();
	/* To go round makes sense only if others have a chance to do something meanwhile. */
	if (!before || (evr_predict_spins() && now != before))
		return now;
	evr_await_stop(before - 1, site);
}

/* Which of its events is the current thread's first one from there on? */
static uint32_t own_index(evr_event_id first)
{
	const struct evr_trace *t = &evr_rt.world.trace;
	for (size_t i = first; i < t->events.len; i++)
		if (t->events.data[i].thread == evr_current->id && !evr_event_uncounted(&t->events.data[i]))
			return t->events.data[i].index;
	return UINT32_MAX;
}

/* Has every event of the iteration by itself changed nothing, so that the thread may as well wait before the last? */
static bool may_wait_within(evr_event_id first)
{
	const struct evr_trace *t = &evr_rt.world.trace;
	bool told = false;
	for (size_t i = first; i < t->events.len; i++) {
		const struct evr_event *e = &t->events.data[i];
		if (e->thread != evr_current->id || evr_event_uncounted(e))
			continue;
		if (e->kind == EVR_WRITE || evr_retry_is_counter(e->address) ||
		    (evr_event_is_mutex(e) && !(e->kind == EVR_TRYLOCK && e->result)))
			return false;
		/* It may race with what others do later. */
		if (evr_rt.world.races && e->kind == EVR_READ && evr_event_order(e) == EVR_PLAIN)
			return false;
		told = e->kind == EVR_FENCE || e->kind == EVR_DRAIN ? told : e->kind != EVR_CHOOSE;
	}
	return told;
}

/* Is the last event, which was for nothing, to be taken back? */
static bool retract(evr_event_id first)
{
	struct evr_world *w = &evr_rt.world;
	/* Whoever repeats an execution has nothing to learn from it. */
	if (evr_rt.config.replay)
		return false;
	bool known = evr_retry_watch();
	/* What threads have seen so far nobody knows. */
	if (!w->knowledge.waits) {
		w->knowledge.waits = true;
		evr_learn(&w->knowledge);
	}
	if (!w->erases || !may_wait_within(first) || !known)
		return false;
	bool new = evr_model_note_futile(w, evr_current->id);
	return evr_rt.engine->ops->retract(evr_rt.engine, evr_current->id, new);
}

void evr_await_stop(evr_event_id first, const struct evr_site *site)
{
	struct evr_world *w = &evr_rt.world;
	evr_current->site = site;
	w->await[evr_current->id] = first;
	evr_current->state = EVR_AWAITING;
	evr_execution.blocked = true;
	if (w->erases && first < w->trace.events.len)
		evr_trace_erase(&w->trace, evr_current->id, own_index(first));
	if (retract(first) && !evr_learned(&evr_rt.world))
		evr_execution.retracted = true;
	evr_execution.stop |= evr_execution.retracted || (evr_learned(&evr_rt.world) && w->erases);
	for (;;)
		evr_yield();
}

bool evr_await_is_futile(void)
{
	for (unsigned i = 0; evr_rt.world.erases && i < evr_rt.world.threads; i++)
		if (evr_rt.threads[i]->state == EVR_AWAITING && !evr_await_in_vain(evr_rt.threads[i]))
			return true;
	return false;
}

static bool looks(const struct evr_event *e)
{
	return e->kind == EVR_READ || e->kind == EVR_RMW || e->kind == EVR_CAS || e->kind == EVR_TRYLOCK ||
	       e->kind == EVR_LOCK;
}

/* The thread's next look of its iteration, from event i on; EVR_NO_EVENT if there is none. Others are interleaved. */
static evr_event_id next_look(const struct evr_thread *t, evr_event_id i)
{
	const struct evr_trace *trace = &evr_rt.world.trace;
	for (; i < trace->events.len; i++)
		if (trace->events.data[i].thread == t->id && looks(&trace->events.data[i]))
			return i;
	return EVR_NO_EVENT;
}

/* What a byte holds in the end: what memory holds, or, if that stays initial, what the last write in coherence wrote. */
static bool final_byte(const struct evr_graph *g, uintptr_t address, uint8_t *value)
{
	uint64_t *known = evr_map_get(&g->byte_of, address);
	const struct evr_graph_byte *b = known ? &g->bytes.data[*known] : NULL;
	*value = *(const uint8_t *)address;
	if (!b || !b->writes.len || !evr_rt.world.model->memory_stays_initial)
		return true;
	const struct evr_event *w = &g->trace->events.data[evr_vec_last(&b->writes)];
	*value = (uint8_t)(w->written >> (8 * (address - w->address)));
	return w->kind == EVR_WRITE || w->kind == EVR_RMW || w->kind == EVR_CAS;
}

/* Would a trylock have the result that it had? */
static bool finds_held_again(const struct evr_event *e)
{
	uint32_t holder = evr_mutex_holder(evr_mutex_at(e->address));
	return (holder && holder != e->thread + 1u) == (e->result != 0);
}

/* A lock guards what the thread has looked at without an event: nobody else must have had it since, unless for nothing. */
static bool is_left_alone(evr_event_id lock)
{
	const struct evr_trace *t = &evr_rt.world.trace;
	const struct evr_event *l = &t->events.data[lock];
	for (size_t i = lock + 1u; i < t->events.len; i++) {
		const struct evr_event *e = &t->events.data[i];
		if (evr_event_is_mutex(e) && e->address == l->address && e->thread != l->thread &&
		    i < evr_rt.world.await[e->thread])
			return false;
	}
	return true;
}

static bool reads_again(const struct evr_graph *g, evr_event_id id)
{
	const struct evr_event *e = &evr_rt.world.trace.events.data[id];
	if (!evr_shadow_valid(e->address, e->size) && !evr_retry_is_counter(e->address))
		return false;
	if (e->kind == EVR_TRYLOCK)
		return finds_held_again(e);
	if (e->kind == EVR_LOCK)
		return is_left_alone(id);
	/* What it has counted itself is no news to it. */
	if (evr_retry_is_counter(e->address) &&
	    (e->kind == EVR_RMW || !evr_retry_takes_lock(evr_rt.threads[e->thread], evr_rt.world.await[e->thread])))
		return true;
	for (unsigned k = 0; k < e->size; k++) {
		uint8_t now;
		if (!final_byte(g, e->address + k, &now) || now != (uint8_t)(e->read >> (8 * k)))
			return false;
	}
	return true;
}

/* Might it have chosen otherwise? */
static bool has_chosen(const struct evr_thread *t)
{
	const struct evr_trace *trace = &evr_rt.world.trace;
	for (size_t i = evr_rt.world.await[t->id]; i < trace->events.len; i++)
		if (trace->events.data[i].thread == t->id && trace->events.data[i].kind == EVR_CHOOSE)
			return true;
	return false;
}

bool evr_await_in_vain(const struct evr_thread *t)
{
	const struct evr_trace *trace = &evr_rt.world.trace;
	struct evr_graph g = { 0 };
	bool same = !has_chosen(t);
	if (evr_rt.world.model->memory_stays_initial)
		evr_graph_build(&g, trace, evr_rt.world.model->steps_name_sources);
	for (evr_event_id i = evr_rt.world.await[t->id]; same && (i = next_look(t, i)) != EVR_NO_EVENT; i++)
		same = reads_again(&g, i);
	evr_graph_release(&g);
	return same;
}

void evr_await_describe(struct evr_strbuf *out, const struct evr_thread *t)
{
	const struct evr_trace *trace = &evr_rt.world.trace;
	const char *separator = " that read ";
	evr_strbuf_printf(out, "thread %u waits in a loop", t->id);
	for (evr_event_id i = evr_rt.world.await[t->id]; (i = next_look(t, i)) != EVR_NO_EVENT; i++) {
		const struct evr_event *e = &trace->events.data[i];
		if (e->kind == EVR_LOCK || !evr_collect_shows(e))
			continue;
		evr_strbuf_puts(out, separator);
		separator = ", ";
		if (e->kind == EVR_TRYLOCK) {
			evr_lock_name(out, e->lock, e->address);
			evr_strbuf_puts(out, e->result ? " held" : " free");
			continue;
		}
		evr_name_address(out, e->address, e->size);
		evr_strbuf_puts(out, " = ");
		evr_name_value(out, e, e->read);
	}
	if (next_look(t, evr_rt.world.await[t->id]) == EVR_NO_EVENT)
		evr_strbuf_puts(out, " for a value that no other thread ever writes");
}
