/*
 * Store buffers, for TSO and PSO. A thread's stores wait in one list, in program order; which of them may reach memory
 * next is all that the two models disagree about. An update is a step of the pseudo-thread EVR_MAX_THREADS + thread, its
 * variant the index of the store in its thread.
 *
 * Buffering a store is no decision: nobody else can see it. Only when it reaches memory matters, and that is one.
 */
#ifndef EVR_BUFFER_H
#define EVR_BUFFER_H

#include "model/model.h"

struct evr_buffered {
	uintptr_t address;
	uint32_t size;
	uint32_t index;   /* of the store in its thread */
	uint32_t barrier; /* stores with a lower index reach memory first */
	evr_value value;
	const struct evr_site *site;
};

typedef EVR_VEC(struct evr_buffered) evr_buffer;

/* Which of a thread's buffered stores must have reached memory before an event of the thread? */
enum evr_drain {
	EVR_DRAIN_NONE,
	EVR_DRAIN_SAME, /* those to its own bytes, and those before a release fence */
	EVR_DRAIN_ALL,
};
typedef enum evr_drain evr_drain_fn(const struct evr_event *e);

/* All, before whatever flushes. */
evr_drain_fn evr_buffers_flush;

/* `fifo`: all stores of a thread reach memory in their order, not only those to the same bytes or around a release. */
void evr_buffers_begin(struct evr_world *w, bool fifo, evr_drain_fn *drain);
void evr_buffers_pieces(struct evr_world *w, struct evr_pieces *p);
/* The stores of a thread that have not reached memory, in their order. */
const evr_buffer *evr_buffers_of(const struct evr_world *w, evr_thread_id t);
/* May the i-th of them do so now? */
bool evr_buffers_may_update(const evr_buffer *b, size_t i);
void evr_buffers_steps(struct evr_world *w, evr_steps *out);
/* Those, too, that nobody else can see, while there are others. */
void evr_buffers_all_steps(struct evr_world *w, evr_steps *out);
bool evr_buffers_ready(const struct evr_world *w, evr_thread_id t);
bool evr_buffers_silent(const struct evr_world *w, evr_thread_id t);
void evr_buffers_execute(struct evr_world *w, struct evr_step s, struct evr_event *e);
evr_value evr_buffers_load(const struct evr_world *w, evr_thread_id t, uintptr_t address, uint32_t size);
bool evr_buffers_forwards(const struct evr_world *w, evr_thread_id t, uintptr_t address, uint32_t size);
bool evr_buffers_busy(const struct evr_world *w, evr_thread_id t);

/*
 * The axioms of a model with store buffers: accesses to each byte are coherent, and `keep` (the part of program order
 * that the model preserves), reads-from between threads, coherence and from-reads do not contradict each other.
 */
bool evr_buffers_allow(const struct evr_graph *g, evr_keep_fn *keep);

/* The functions of a model whose stores wait in buffers, as they are in its table. */
#define EVR_BUFFERS_FUNCTIONS \
	.pieces = evr_buffers_pieces, .steps = evr_buffers_steps, .recorded_steps = evr_buffers_all_steps, \
	.ready = evr_buffers_ready, .silent = evr_buffers_silent, .execute = evr_buffers_execute, \
	.busy = evr_buffers_busy, .forwards = evr_buffers_forwards, .load = evr_buffers_load

#endif
