/*
 * Steps of threads and buffers, and what they do.
 *
 * Invariant: a thread's list has its stores that have not taken effect, in program order; memory has all others, in the order in which they
 * did; and the trace has an UPDATE for each of these.
 */
#include "model/buffer.h"

#include <string.h>

struct buffers {
	bool fifo;
	evr_drain_fn *drain;
	evr_buffer of[EVR_MAX_THREADS];
	uint32_t released[EVR_MAX_THREADS]; /* the index of the thread's last release fence */
};

static struct buffers *buffers_of(const struct evr_world *w)
{
	return w->model_state;
}

enum evr_drain evr_buffers_flush(const struct evr_event *e)
{
	return evr_event_flushes(e) ? EVR_DRAIN_ALL : EVR_DRAIN_NONE;
}

const evr_buffer *evr_buffers_of(const struct evr_world *w, evr_thread_id t)
{
	return &buffers_of(w)->of[t];
}

static void forget(const struct evr_world *w, struct buffers *b)
{
	for (unsigned i = 0; i < w->trace.most_threads; i++) {
		evr_vec_clear(&b->of[i]);
		b->released[i] = 0;
	}
}

void evr_buffers_begin(struct evr_world *w, bool fifo, evr_drain_fn *drain)
{
	if (!w->model_state)
		w->model_state = evr_alloc(sizeof(struct buffers));
	struct buffers *b = buffers_of(w);
	b->fifo = fifo;
	b->drain = drain;
	forget(w, b);
}

void evr_buffers_pieces(struct evr_world *w, struct evr_pieces *p)
{
	struct buffers *b = buffers_of(w);
	if (p->back)
		forget(w, b);
	for (unsigned i = 0; i < w->threads; i++)
		EVR_PIECE_VEC(p, &b->of[i]);
	evr_piece(p, b->released, w->threads * sizeof(b->released[0]));
}

bool evr_buffers_busy(const struct evr_world *w, evr_thread_id t)
{
	return buffers_of(w)->of[t].len > 0;
}

static bool is_buffered(const struct evr_event *e)
{
	return e->kind == EVR_WRITE && evr_event_order(e) != EVR_SEQ_CST;
}

bool evr_buffers_ready(const struct evr_world *w, evr_thread_id t)
{
	const struct evr_event *e = &w->pending[t];
	const struct buffers *b = buffers_of(w);
	if (b->of[t].len) {
		enum evr_drain drain = b->drain(e);
		/* The list is in program order. */
		bool released = b->of[t].data[0].index < b->released[t];
		if (drain == EVR_DRAIN_ALL ||
		    (drain == EVR_DRAIN_SAME && (released || evr_buffers_forwards(w, t, e->address, e->size))))
			return false;
	}
	return evr_model_thread_ready(w, t);
}

/* Steps that nobody else can see and that can be taken: they are taken at once. */
bool evr_buffers_silent(const struct evr_world *w, evr_thread_id t)
{
	const struct evr_event *e = &w->pending[t];
	return (is_buffered(e) || e->kind == EVR_FENCE || e->kind == EVR_DRAIN) && evr_buffers_ready(w, t);
}

/* An older store must go first if it is to the same bytes, or if this one is kept back until it has. */
bool evr_buffers_may_update(const evr_buffer *b, size_t i)
{
	const struct evr_buffered *s = &b->data[i];
	for (size_t k = 0; k < i; k++) {
		const struct evr_buffered *older = &b->data[k];
		if (older->index < s->barrier ||
		    (older->address < s->address + s->size && s->address < older->address + older->size))
			return false;
	}
	return true;
}

void evr_buffers_steps(struct evr_world *w, evr_steps *out)
{
	for (unsigned t = 0; t < w->threads; t++) {
		if (w->waiting[t] && evr_buffers_silent(w, (evr_thread_id)t)) {
			evr_vec_push(out, (struct evr_step){ (uint16_t)t, 0 });
			return;
		}
	}
	evr_buffers_all_steps(w, out);
}

void evr_buffers_all_steps(struct evr_world *w, evr_steps *out)
{
	struct buffers *b = buffers_of(w);
	for (unsigned t = 0; t < w->threads; t++)
		if (w->waiting[t] && evr_buffers_ready(w, (evr_thread_id)t))
			evr_model_thread_steps(w, (evr_thread_id)t, out);
	for (unsigned t = 0; t < w->threads; t++)
		for (size_t i = 0; i < b->of[t].len; i++)
			if (evr_buffers_may_update(&b->of[t], i))
				evr_vec_push(out, (struct evr_step){ (uint16_t)(EVR_MAX_THREADS + t),
								     b->of[t].data[i].index });
}

/* Byte by byte: from the newest own store to it that is still buffered, else from memory. */
evr_value evr_buffers_load(const struct evr_world *w, evr_thread_id t, uintptr_t address, uint32_t size)
{
	const evr_buffer *b = &buffers_of(w)->of[t];
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

bool evr_buffers_forwards(const struct evr_world *w, evr_thread_id t, uintptr_t address, uint32_t size)
{
	const evr_buffer *b = &buffers_of(w)->of[t];
	for (size_t i = 0; i < b->len; i++)
		if (b->data[i].address < address + size && address < b->data[i].address + b->data[i].size)
			return true;
	return false;
}

static void update(struct evr_world *w, struct evr_step s, struct evr_event *e)
{
	evr_thread_id t = (evr_thread_id)(s.actor - EVR_MAX_THREADS);
	evr_buffer *b = &buffers_of(w)->of[t];
	size_t i = 0;
	while (i < b->len && b->data[i].index != s.variant)
		i++;
	EVR_ASSERT(i < b->len);
	struct evr_buffered entry = b->data[i];
	*e = (struct evr_event){
		.thread = t,
		.kind = EVR_UPDATE,
		.address = entry.address,
		.size = entry.size,
		.site = entry.site,
		.index = entry.index,
		.source = EVR_NO_EVENT,
		.overwritten = evr_memory_load(entry.address, entry.size),
		.written = entry.value,
		.barrier = entry.barrier,
	};
	evr_model_store(w, entry.address, entry.size, entry.value);
	memmove(&b->data[i], &b->data[i + 1], (b->len - i - 1) * sizeof(*b->data));
	b->len--;
}

static void buffer(struct evr_world *w, struct evr_event *e)
{
	struct buffers *b = buffers_of(w);
	uint32_t index = w->trace.counts[e->thread];
	bool in_order = b->fifo || evr_event_order(e) == EVR_RELEASE;
	e->flags = EVR_BUFFERED;
	evr_vec_push(&b->of[e->thread], (struct evr_buffered){
						.address = e->address,
						.size = e->size,
						.index = index,
						.barrier = in_order ? index : b->released[e->thread],
						.value = e->written,
						.site = e->site,
					});
}

void evr_buffers_execute(struct evr_world *w, struct evr_step s, struct evr_event *e)
{
	struct buffers *b = buffers_of(w);
	if (s.actor >= EVR_MAX_THREADS) {
		update(w, s, e);
	} else if (e->kind == EVR_READ) {
		e->read = evr_buffers_load(w, e->thread, e->address, e->size);
	} else if (is_buffered(e)) {
		buffer(w, e);
	} else if (e->kind == EVR_FENCE) {
		if (evr_event_order(e) != EVR_ACQUIRE)
			b->released[e->thread] = w->trace.counts[e->thread];
	} else if (e->kind != EVR_DRAIN) {
		/* What of the thread's stores is under way does not concern it: memory is all there is. */
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
