/*
 * An execution as a graph: program order, reads-from and coherence between its events, recovered from its trace. For
 * self-checks, class keys and reports: simple rather than fast.
 *
 * A trace tells coherence in one of two ways, depending on the model. Either a write takes effect where it stands, or, if it was
 * buffered (flags & EVR_BUFFERED), at its UPDATE. Or the trace names sources: a read its source, and a write its coherence
 * predecessor when it was placed (evr_event.predecessor). Everything is kept byte by byte, so that accesses of different sizes need
 * no special treatment.
 */
#ifndef EVR_GRAPH_H
#define EVR_GRAPH_H

#include "base/map.h"
#include "event/trace.h"

/* A byte of memory and the writes to it in coherence order, without the initial one. */
struct evr_graph_byte {
	uintptr_t address;
	EVR_VEC(evr_event_id) writes;
};

/* One byte of a read, and the write that it comes from; EVR_NO_EVENT is the initial one. */
struct evr_graph_read {
	evr_event_id read, source;
	size_t byte; /* in `bytes` */
};

struct evr_graph {
	const struct evr_trace *trace;
	struct evr_map byte_of; /* address -> index in bytes */
	EVR_VEC(struct evr_graph_byte) bytes;
	EVR_VEC(struct evr_graph_read) reads; /* in the order of the trace */
};

void evr_graph_release(struct evr_graph *g);
void evr_graph_build(struct evr_graph *g, const struct evr_trace *t, bool names_sources);

/* Set `source` of every read of the trace to the write that gave its first byte. */
void evr_graph_link(const struct evr_graph *g, struct evr_trace *t);

/* A relation between the events of a trace, as a matrix of bits. */
struct evr_relation {
	size_t n, words; /* events; words of a row */
	EVR_VEC(uint64_t) bits;
};

void evr_relation_release(struct evr_relation *r);
/* Empty, between n events. */
void evr_relation_clear(struct evr_relation *r, size_t n);
void evr_relation_add(struct evr_relation *r, evr_event_id a, evr_event_id b);
bool evr_relation_has(const struct evr_relation *r, evr_event_id a, evr_event_id b);
void evr_relation_close(struct evr_relation *r); /* transitively */
bool evr_relation_acyclic(const struct evr_relation *r);
bool evr_relation_irreflexive(const struct evr_relation *r);
void evr_relation_copy(struct evr_relation *to, const struct evr_relation *from);
void evr_relation_unite(struct evr_relation *to, const struct evr_relation *from);
/* Add the pairs (a, c) for which there is a b with (a, b) in the first relation and (b, c) in the second; `to` is neither. */
void evr_relation_add_composition(struct evr_relation *to, const struct evr_relation *first,
				  const struct evr_relation *second);

/* Add program order (with create and join), or part of it: pairs of one thread for which keep(a, b) holds. */
typedef bool evr_keep_fn(const struct evr_trace *t, const struct evr_event *a, const struct evr_event *b);
void evr_graph_add_po(const struct evr_graph *g, struct evr_relation *r, evr_keep_fn *keep);
/* Add reads-from: of all threads, or only from one thread to another. */
void evr_graph_add_rf(const struct evr_graph *g, struct evr_relation *r, bool external_only);
/* Add coherence and from-reads, of byte number `byte` or, with SIZE_MAX, of all bytes. */
void evr_graph_add_co(const struct evr_graph *g, struct evr_relation *r, size_t byte);
void evr_graph_add_fr(const struct evr_graph *g, struct evr_relation *r, size_t byte);

#endif
