/*
 * Store buffers, for TSO and PSO. A thread's stores wait in one list, in program order; which of them may reach memory
 * next is all that the two models disagree about. An update is a step of the pseudo-thread EVR_MAX_THREADS + thread, its
 * variant the place in the list.
 *
 * Buffering a store is no decision: nobody else can see it. Only when it reaches memory matters, and that is one.
 */
#ifndef EVR_BUFFER_H
#define EVR_BUFFER_H

#include "model/model.h"

struct evr_buffered {
	uintptr_t address;
	uint32_t size;
	uint32_t index; /* of the store in its thread */
	evr_value value;
	const struct evr_site *site;
	uint32_t barrier; /* how many release fences came before it */
};

typedef EVR_VEC(struct evr_buffered) evr_buffer;

/* May entry i reach memory now? */
typedef bool evr_may_update_fn(const evr_buffer *b, size_t i);

void evr_buffers_begin(struct evr_world *w);
void evr_buffers_steps(struct evr_world *w, evr_steps *out, evr_may_update_fn *may_update);
void evr_buffers_execute(struct evr_world *w, struct evr_step s, struct evr_event *e);
bool evr_buffers_busy(const struct evr_world *w, evr_thread_id t);

/* For the axioms: an event that waits until the thread's own stores are in memory. */
bool evr_buffers_flushes(const struct evr_event *e);
/*
 * The axioms of a model with store buffers: accesses to each byte are coherent, and `keep` (the part of program order
 * that the model preserves), reads-from between threads, coherence and from-reads do not contradict each other.
 */
bool evr_buffers_allow(const struct evr_graph *g, evr_keep_fn *keep);

#endif
