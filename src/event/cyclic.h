/*
 * Could the execution have happened under sequential consistency? It could if its Shasha-Snir trace, the union of program
 * order, reads-from, coherence and from-reads, has no cycle. Asked after every execution, so it is answered in a time that
 * is linear in the trace, and without allocating once the buffers have grown.
 *
 * The trace is that of an operational model: a write takes effect where it stands, or, if it was buffered, at its UPDATE.
 * A store that has not reached memory has no place in coherence; it takes part with its program order only.
 */
#ifndef EVR_CYCLIC_H
#define EVR_CYCLIC_H

#include "event/trace.h"

struct evr_cyclic;

struct evr_cyclic *evr_cyclic_new(void);
void evr_cyclic_free(struct evr_cyclic *c);
bool evr_cyclic_test(struct evr_cyclic *c, const struct evr_trace *t);

#endif
