/*
 * Awaits: loops that do nothing but wait go round once, or stop their thread for good (instrument/awaits.c). At the end of
 * an execution it matters what the thread would see if it went round once more: if that is what it saw, it waits in vain.
 */
#include "event/graph.h"
#include "runtime/hooks.h"
#include "runtime/predict.h"
#include "runtime/runtime.h"
#include "runtime/shadow.h"

/* The place in the trace where the first iteration begins, counted from 1, tells the second what belongs to the first. */
uint32_t evr_await(uint32_t before, void *site)
{
	uint32_t now = (uint32_t)evr_rt.world.trace.events.len + 1;
	/* To go round makes sense only if others have a chance to do something meanwhile. */
	if (!before || (evr_predict_spins() && now != before))
		return now;
	evr_current->site = site;
	evr_rt.world.await[evr_current->id] = before - 1;
	evr_current->state = EVR_AWAITING;
	evr_rt.blocked = true;
	for (;;)
		evr_yield();
}

/* The thread's next read of its iteration, from event i on; EVR_NO_EVENT if there is none. Others are interleaved. */
static evr_event_id next_read(const struct evr_thread *t, evr_event_id i)
{
	const struct evr_trace *trace = &evr_rt.world.trace;
	for (; i < trace->events.len; i++)
		if (trace->events.data[i].thread == t->id && trace->events.data[i].kind == EVR_READ)
			return i;
	return EVR_NO_EVENT;
}

/* What a byte holds in the end. Memory knows, unless the model is one that keeps all writes: then the last in coherence. */
static bool final_byte(const struct evr_graph *g, uintptr_t address, uint8_t *value)
{
	uint64_t *known = evr_map_get(&g->byte_of, address);
	const struct evr_graph_byte *b = known ? &g->bytes.data[*known] : NULL;
	*value = *(const uint8_t *)address;
	if (!b || !b->writes.len || !evr_rt.world.model->axiomatic)
		return true;
	const struct evr_event *w = &g->trace->events.data[evr_vec_last(&b->writes)];
	*value = (uint8_t)(w->written >> (8 * (address - w->address)));
	return w->kind == EVR_WRITE || w->kind == EVR_RMW || w->kind == EVR_CAS;
}

static bool reads_again(const struct evr_graph *g, const struct evr_event *e)
{
	if (!evr_shadow_valid(e->address, e->size))
		return false;
	for (unsigned k = 0; k < e->size; k++) {
		uint8_t now;
		if (!final_byte(g, e->address + k, &now) || now != (uint8_t)(e->read >> (8 * k)))
			return false;
	}
	return true;
}

bool evr_await_in_vain(const struct evr_thread *t)
{
	const struct evr_trace *trace = &evr_rt.world.trace;
	struct evr_graph g = { 0 };
	bool same = true;
	if (evr_rt.world.model->axiomatic)
		evr_graph_build(&g, trace, true);
	for (evr_event_id i = evr_rt.world.await[t->id]; same && (i = next_read(t, i)) != EVR_NO_EVENT; i++)
		same = reads_again(&g, &trace->events.data[i]);
	evr_graph_release(&g);
	return same;
}

void evr_await_describe(struct evr_strbuf *out, const struct evr_thread *t)
{
	const struct evr_trace *trace = &evr_rt.world.trace;
	const char *separator = " which found ";
	evr_strbuf_printf(out, "thread %u waits in a loop", t->id);
	for (evr_event_id i = evr_rt.world.await[t->id]; (i = next_read(t, i)) != EVR_NO_EVENT; i++) {
		const struct evr_event *e = &trace->events.data[i];
		evr_strbuf_puts(out, separator);
		evr_name_address(out, e->address, e->size);
		evr_strbuf_puts(out, " = ");
		evr_name_value(out, e, e->read);
		separator = ", ";
	}
	if (next_read(t, evr_rt.world.await[t->id]) == EVR_NO_EVENT)
		evr_strbuf_puts(out, " for what no other thread ever writes");
}
