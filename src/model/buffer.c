#include "model/buffer.h"

#include <string.h>

struct buffers {
	evr_buffer of[EVR_MAX_THREADS];
	uint32_t barriers[EVR_MAX_THREADS];
};

static struct buffers *buffers_of(const struct evr_world *w)
{
	return w->model_state;
}

void evr_buffers_begin(struct evr_world *w)
{
	if (!w->model_state)
		w->model_state = evr_alloc(sizeof(struct buffers));
	struct buffers *b = buffers_of(w);
	for (unsigned i = 0; i < EVR_MAX_THREADS; i++) {
		evr_vec_clear(&b->of[i]);
		b->barriers[i] = 0;
	}
}

bool evr_buffers_busy(const struct evr_world *w, evr_thread_id t)
{
	return buffers_of(w)->of[t].len > 0;
}

static unsigned order_of(const struct evr_event *e)
{
	return e->site ? e->site->order : EVR_PLAIN;
}

static bool is_buffered(const struct evr_event *e)
{
	return e->kind == EVR_WRITE && order_of(e) != EVR_SEQ_CST;
}

bool evr_buffers_flushes(const struct evr_event *e)
{
	switch (e->kind) {
	case EVR_READ:
	case EVR_CHOOSE:
	case EVR_START:
	case EVR_UPDATE:
		return false;
	case EVR_WRITE:
		return !is_buffered(e);
	case EVR_FENCE:
		return order_of(e) == EVR_SEQ_CST;
	default:
		return true;
	}
}

/* Steps that nobody else can see and that can be taken: they are taken at once. */
static bool is_silent(const struct evr_event *e)
{
	return is_buffered(e) || e->kind == EVR_FENCE || e->kind == EVR_DRAIN;
}

void evr_buffers_steps(struct evr_world *w, evr_steps *out, evr_may_update_fn *may_update)
{
	struct buffers *b = buffers_of(w);
	for (unsigned t = 0; t < w->threads; t++) {
		bool ready = w->waiting[t] && !(evr_buffers_flushes(&w->pending[t]) && b->of[t].len);
		if (ready && is_silent(&w->pending[t])) {
			evr_vec_push(out, (struct evr_step){ (uint16_t)t, 0 });
			return;
		}
	}
	for (unsigned t = 0; t < w->threads; t++)
		if (w->waiting[t] && !(evr_buffers_flushes(&w->pending[t]) && b->of[t].len))
			evr_model_thread_steps(w, (evr_thread_id)t, out);
	for (unsigned t = 0; t < w->threads; t++)
		for (size_t i = 0; i < b->of[t].len; i++)
			if (may_update(&b->of[t], i))
				evr_vec_push(out, (struct evr_step){ (uint16_t)(EVR_MAX_THREADS + t), (uint16_t)i });
}

/* Byte by byte: from the newest own store to it that is still buffered, else from memory. */
static evr_value load(const evr_buffer *b, uintptr_t address, unsigned size)
{
	evr_value value = 0;
	for (unsigned k = 0; k < size; k++) {
		uint8_t byte = *(const uint8_t *)(address + k);
		for (size_t i = 0; i < b->len; i++) {
			const struct evr_buffered *s = &b->data[i];
			if (address + k - s->address < s->size)
				byte = (uint8_t)(s->value >> (8 * (address + k - s->address)));
		}
		value |= (evr_value)byte << (8 * k);
	}
	return value;
}

static void update(struct evr_world *w, struct evr_step s, struct evr_event *e)
{
	evr_thread_id t = (evr_thread_id)(s.actor - EVR_MAX_THREADS);
	evr_buffer *b = &buffers_of(w)->of[t];
	struct evr_buffered entry = b->data[s.variant];
	*e = (struct evr_event){
		.thread = t,
		.kind = EVR_UPDATE,
		.address = entry.address,
		.size = entry.size,
		.site = entry.site,
		.index = entry.index,
		.source = EVR_NO_EVENT,
		.written = entry.value,
	};
	evr_model_store(w, entry.address, entry.size, entry.value);
	memmove(&b->data[s.variant], &b->data[s.variant + 1], (b->len - s.variant - 1) * sizeof(*b->data));
	b->len--;
}

void evr_buffers_execute(struct evr_world *w, struct evr_step s, struct evr_event *e)
{
	if (s.actor >= EVR_MAX_THREADS) {
		update(w, s, e);
		return;
	}
	struct buffers *b = buffers_of(w);
	if (e->kind == EVR_READ) {
		e->read = load(&b->of[e->thread], e->address, e->size);
	} else if (is_buffered(e)) {
		e->op = EVR_BUFFERED;
		struct evr_buffered entry = { e->address, e->size, w->trace.counts[e->thread],
					      e->written, e->site, b->barriers[e->thread] };
		evr_vec_push(&b->of[e->thread], entry);
	} else if (e->kind == EVR_FENCE) {
		if (order_of(e) != EVR_ACQUIRE)
			b->barriers[e->thread]++;
	} else if (e->kind != EVR_DRAIN) {
		/* The thread has no stores under way: memory is all there is. */
		evr_model_execute_in_memory(w, s, e);
	}
}

bool evr_buffers_allow(const struct evr_graph *g, evr_keep_fn *keep)
{
	struct evr_relation r = { 0 };
	evr_relation_clear(&r, g->trace->events.len);
	evr_graph_add_po(g, &r, keep);
	evr_graph_add_rf(g, &r, true);
	evr_graph_add_co(g, &r, SIZE_MAX);
	evr_graph_add_fr(g, &r, SIZE_MAX);
	bool fine = evr_relation_acyclic(&r) && evr_axiom_coherent(g);
	evr_relation_release(&r);
	return fine;
}
